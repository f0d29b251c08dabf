import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

/** What a request says that we take. */
export const acceptEncoding = 'gzip, deflate, br'

const unpackers: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // RFC 9110 8.4.1.2: some send `deflate` without the zlib wrapper, whose first byte ends in 8.
  deflate: (first) => ((first & 15) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

/** A decompressor for a content-encoding, by the first chunk of the body; null for an encoding that we do not know. */
export function unpackerOf(encoding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(unpackers, encoding) ? (unpackers[encoding]?.(first[0] ?? 0) ?? null) : null
}
