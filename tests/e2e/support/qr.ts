import type { Locator } from '@playwright/test'
import readQr from 'jsqr'
import { PNG } from 'pngjs'

/** The code's dots do not touch: each of these merges so many pixels of the screenshot into one, as a camera does. */
const merges = [1, 2, 3]

/** What a phone's camera reads of this part of the page; null while there is no code in it. */
export async function readCode(part: Locator): Promise<string | null> {
  const picture = PNG.sync.read(await part.screenshot())
  for (const by of merges) {
    const { data, width, height } = merged(picture, by)
    const text = readQr(data, width, height)?.data
    if (text) return text
  }
  return null
}

function merged({ data, width, height }: PNG, by: number) {
  const [wide, high] = [Math.floor(width / by), Math.floor(height / by)]
  const made = new Uint8ClampedArray(wide * high * 4)
  for (let place = 0; place < wide * high; place++) {
    const [x, y] = [(place % wide) * by, Math.floor(place / wide) * by]
    for (let channel = 0; channel < 4; channel++) {
      let sum = 0
      for (let row = 0; row < by; row++)
        for (let column = 0; column < by; column++)
          sum += data[((y + row) * width + x + column) * 4 + channel] ?? 0
      made[place * 4 + channel] = sum / (by * by)
    }
  }
  return { data: made, width: wide, height: high }
}
