import type { Locator } from '@playwright/test'
import { PNG } from 'pngjs'
import decode from 'qr/decode.js'

/** Decodes the QR code in this part of the page; null if there is none. */
export async function readCode(part: Locator): Promise<string | null> {
  const picture = PNG.sync.read(await part.screenshot())
  try {
    return decode(picture)
  } catch {
    // The decoder throws this if it finds no code.
    return null
  }
}
