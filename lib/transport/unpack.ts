import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

/** The `accept-encoding` header of requests to nodes. */
export const acceptEncoding = 'gzip, deflate, br'

/** A decompressor for a body, by its first chunk. */
export type UnpackerOf = (first: Uint8Array) => Transform

const unpackers: Readonly<Record<string, UnpackerOf>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // RFC 9110 8.4.1.2: some servers omit the zlib wrapper, whose first byte ends in 8.
  deflate: ([first = 0]) => ((first & 15) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
}

/** By `content-encoding`; null for a body as it is. Some servers write `utf-8`, `none` or nothing there, and `fetch` reads their bodies as they are. */
export function unpackerFor(encoding: string | null): UnpackerOf | null {
  const name = encoding?.trim().toLowerCase() ?? ''
  return Object.hasOwn(unpackers, name) ? (unpackers[name] ?? null) : null
}
