import type { Locator } from '@playwright/test'
import { PNG } from 'pngjs'
import decode from 'qr/decode.js'

/** What a phone's camera reads of this part of the page; null while there is no code in it. */
export async function readCode(part: Locator): Promise<string | null> {
  const picture = PNG.sync.read(await part.screenshot())
  try {
    return decode(picture)
  } catch {
    // The decoder's way of saying that it finds none.
    return null
  }
}
