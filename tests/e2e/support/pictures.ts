import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Compresses the image to a quarter if sharp is available, otherwise returns it unchanged. */
export async function small(picture: Buffer): Promise<Buffer> {
  try {
    const sharp = createRequire(createRequire(import.meta.url).resolve('next'))('sharp')
    return await sharp(picture).png({ palette: true, colours: 128, effort: 10 }).toBuffer()
  } catch {
    return picture
  }
}

export function write(path: string, bytes: Buffer): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
}
