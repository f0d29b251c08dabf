/** One RLP item; `from` and `to` are its place in the bytes, head included, so that it can be copied as it was signed. */
export type Item = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
)

/** Bytes that are not RLP, or RLP in another spelling than the only one. */
export class RlpFault extends Error {}

/** A transaction has lists in lists in lists in a list, and a trie's node no deeper ones. */
const depthMax = 5

/** Reads the one item that fills all bytes from `from` on; throws RlpFault where a reader of another mind could read otherwise. */
export function readRlp(bytes: Uint8Array, from = 0): Item {
  const item = readItem(bytes, from, bytes.length, 0)
  if (item.to !== bytes.length) throw new RlpFault('bytes after the end')
  return item
}

function readItem(bytes: Uint8Array, from: number, end: number, depth: number): Item {
  const prefix = byteAt(bytes, from, end)
  if (prefix < 0x80) return { kind: 'bytes', from, to: from + 1, bytes: bytes.subarray(from, from + 1) }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const lengthBytes = Math.max(0, short - 55)
  const start = from + 1 + lengthBytes
  const to = start + (lengthBytes === 0 ? short : readLength(bytes, from + 1, lengthBytes, end))
  if (to > end) throw new RlpFault('an item is longer than what holds it')

  if (isList) return { kind: 'list', from, to, items: readItems(bytes, start, to, depth + 1) }
  if (to - start === 1 && byteAt(bytes, start, end) < 0x80) throw new RlpFault('a byte is written as two')
  return { kind: 'bytes', from, to, bytes: bytes.subarray(start, to) }
}

function readItems(bytes: Uint8Array, from: number, end: number, depth: number): readonly Item[] {
  if (depth > depthMax) throw new RlpFault('lists in too many lists')
  const items: Item[] = []
  for (let at = from; at < end; ) {
    const item = readItem(bytes, at, end, depth)
    items.push(item)
    at = item.to
  }
  return items
}

function readLength(bytes: Uint8Array, from: number, count: number, end: number): number {
  let length = 0
  for (let index = 0; index < count; index += 1) length = length * 256 + byteAt(bytes, from + index, end)
  if (bytes[from] === 0) throw new RlpFault('a length begins with zeros')
  if (length <= 55) throw new RlpFault('a short length is written as a long one')
  return length
}

function byteAt(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at] : undefined
  if (byte === undefined) throw new RlpFault('cut short')
  return byte
}
