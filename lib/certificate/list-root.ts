import { type Hex, keccak256, numberToHex, toRlp } from 'viem'

export const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** The key of a place in a list, as tries have it. */
export const keyOf = (index: number): Hex => toRlp(index === 0 ? '0x' : numberToHex(index))

type Entry = readonly [path: string, value: Hex]
type Node = readonly (Hex | Node)[]

/** The root of the trie of a list: of the transactions of a block, or of its receipts, each of 32 bytes or more (Yellow Paper, appendix D). */
export function rootOf(values: readonly Hex[]): Hex {
  if (values.length === 0) return emptyRoot
  return hashOf(values.map((value, index): Entry => [keyOf(index).slice(2), value]))
}

/** What refers to a node with values of 32 bytes or more, which is never shorter itself. */
const hashOf = (entries: readonly Entry[]) => keccak256(toRlp(nodeOf(entries) as Hex[]))

function nodeOf(entries: readonly Entry[]): Node {
  const [[first, value]] = entries as readonly [Entry]
  if (entries.length === 1) return [encoded(first, 2), value]
  const shared = [...first].findIndex((digit, at) => entries.some(([path]) => path[at] !== digit))
  if (shared > 0)
    return [encoded(first.slice(0, shared), 0), hashOf(entries.map((each) => below(each, shared)))]
  const children = [...'0123456789abcdef'].map((digit): Hex => {
    const own = entries.filter(([path]) => path[0] === digit)
    return own.length === 0 ? '0x' : hashOf(own.map((each) => below(each, 1)))
  })
  return [...children, '0x']
}

const below = ([path, value]: Entry, depth: number): Entry => [path.slice(depth), value]

/** Hex-prefix encoding: the flags say whether it is a leaf, and whether the number of digits is odd. */
const encoded = (part: string, flags: number): Hex =>
  part.length % 2 === 1 ? `0x${flags + 1}${part}` : `0x${flags}0${part}`
