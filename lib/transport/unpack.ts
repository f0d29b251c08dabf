import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

/** The `accept-encoding` header of requests to nodes. */
export const acceptEncoding = 'gzip, deflate, br'

const unpackers = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // RFC 9110 8.4.1.2: some servers omit the zlib wrapper, whose first byte ends in 8.
  deflate: (first) => ((first & 15) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
} as const satisfies Readonly<Record<string, (first: number) => Transform>>

export type Packing = keyof typeof unpackers

/**
 * How a body is compressed, by its `content-encoding`; null where it is not. Some servers write `utf-8`, `none` or nothing there,
 * and `fetch` reads their bodies as they are.
 */
export function packingOf(encoding: string | null): Packing | null {
  const name = encoding?.trim().toLowerCase() ?? ''
  return Object.hasOwn(unpackers, name) ? (name as Packing) : null
}

/** A decompressor for a packing and the first chunk of the body. */
export function unpackerOf(packing: Packing, first: Uint8Array): Transform {
  return unpackers[packing](first[0] ?? 0)
}
