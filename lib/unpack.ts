import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

/** The `accept-encoding` header of requests to nodes. */
export const acceptEncoding = 'gzip, deflate, br'

const unpackers: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // RFC 9110 8.4.1.2: some servers omit the zlib wrapper, whose first byte ends in 8.
  deflate: (first) => ((first & 15) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

/** A decompressor for a content-encoding and the first chunk of the body; null for an unknown encoding. */
export function unpackerOf(encoding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(unpackers, encoding) ? (unpackers[encoding]?.(first[0] ?? 0) ?? null) : null
}
