import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { rlp, rlpNumber } from '../wire/encode-rlp.ts'
import { listOfItems } from '../wire/read-rlp.ts'
import { emptyRoot, keccak } from './trie-walk.ts'

/** A leaf, by the half bytes of its key. */
interface Entry {
  readonly path: string
  readonly value: Uint8Array
}

/** The root of the trie of a list: of the transactions of a block, or of their receipts (Yellow Paper, 4.3.2). */
export function indexRoot(values: readonly Uint8Array[]): string {
  if (values.length === 0) return emptyRoot
  const entries = values.map((value, index) => ({
    path: bytesToHex(rlp(rlpNumber(`0x${index.toString(16)}`))),
    value,
  }))
  return keccak(nodeOf(entries, 0))
}

/** The node of entries that share their paths up to here. No key begins with another, so that no branch has a value. */
function nodeOf(entries: readonly Entry[], depth: number): Uint8Array {
  const [first] = entries as readonly [Entry]
  if (entries.length === 1)
    return listOfItems([pathItem(first.path.slice(depth), 'leaf'), bytesItem(first.value)])
  const end = sharedTo(entries, depth)
  if (end > depth)
    return listOfItems([
      pathItem(first.path.slice(depth, end), 'extension'),
      referenceTo(nodeOf(entries, end)),
    ])
  const children = [...'0123456789abcdef'].map((digit) => {
    const below = entries.filter(({ path }) => path[depth] === digit)
    return below.length === 0 ? empty : referenceTo(nodeOf(below, depth + 1))
  })
  return listOfItems([...children, empty])
}

function sharedTo(entries: readonly Entry[], depth: number): number {
  const [first] = entries as readonly [Entry]
  let end = depth
  while (entries.every(({ path }) => path[end] === first.path[end])) end += 1
  return end
}

/** The hash of a node, or the node itself where that is shorter. */
const referenceTo = (node: Uint8Array) =>
  node.length < 32 ? node : bytesItem(hexToBytes(keccak(node).slice(2)))

/** Hex-prefix encoding (Yellow Paper, appendix C). */
function pathItem(part: string, kind: 'leaf' | 'extension'): Uint8Array {
  const isOdd = part.length % 2 === 1
  const flags = (kind === 'leaf' ? 2 : 0) + (isOdd ? 1 : 0)
  return bytesItem(hexToBytes(`${flags}${isOdd ? '' : '0'}${part}`))
}

const empty = Uint8Array.of(0x80)

function bytesItem(bytes: Uint8Array): Uint8Array {
  return rlp(`0x${bytesToHex(bytes)}`)
}
