import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { rlp, rlpNumber } from '../wire/encode-rlp.ts'
import { listOfItems } from '../wire/read-rlp.ts'
import { emptyRoot, keccak } from './trie-walk.ts'

/** A leaf, by the half bytes of its key. */
interface Entry {
  readonly path: string
  readonly value: Uint8Array
}

/** A node that is no leaf, in hex, and the half bytes that lead to it. */
export interface Branch {
  readonly prefix: string
  readonly node: string
}

interface IndexTrie {
  readonly root: string
  /** All nodes but the leaves: with these the path to a value needs no other value. */
  readonly branches: readonly Branch[]
}

/** The trie of a list: of the transactions of a block, or of their receipts (Yellow Paper, 4.3.2). */
export function indexTrie(values: readonly Uint8Array[]): IndexTrie {
  if (values.length === 0) return { root: emptyRoot, branches: [] }
  const branches: Branch[] = []
  const entries = values.map((value, index) => ({ path: pathOfIndex(index), value }))
  return { root: keccak(nodeOf(entries, 0, branches)), branches }
}

/** The nodes from the root to a value, in hex. Values have 32 bytes at least. */
export function indexPath(
  branches: readonly Branch[],
  { index, value }: { readonly index: number; readonly value: Uint8Array },
): readonly string[] {
  const path = pathOfIndex(index)
  const above = branches
    .filter(({ prefix }) => path.startsWith(prefix))
    .toSorted((one, other) => one.prefix.length - other.prefix.length)
  const last = above.at(-1)
  const leaf = leafOf(path.slice(last === undefined ? 0 : last.prefix.length + 1), value)
  return [...above.map(({ node }) => node), `0x${bytesToHex(leaf)}`]
}

const pathOfIndex = (index: number) => bytesToHex(rlp(rlpNumber(`0x${index.toString(16)}`)))

/** The node of entries that share their paths up to here. No key begins with another, so that no branch has a value. */
function nodeOf(entries: readonly Entry[], depth: number, branches: Branch[]): Uint8Array {
  const [first] = entries as readonly [Entry]
  if (entries.length === 1) return leafOf(first.path.slice(depth), first.value)
  const end = sharedTo(entries, depth)
  const node =
    end > depth ? extensionOf(entries, { depth, end }, branches) : branchOf(entries, depth, branches)
  branches.push({ prefix: first.path.slice(0, depth), node: `0x${bytesToHex(node)}` })
  return node
}

function extensionOf(
  entries: readonly Entry[],
  { depth, end }: { readonly depth: number; readonly end: number },
  branches: Branch[],
): Uint8Array {
  const [first] = entries as readonly [Entry]
  return listOfItems([
    pathItem(first.path.slice(depth, end), 'extension'),
    referenceTo(nodeOf(entries, end, branches)),
  ])
}

function branchOf(entries: readonly Entry[], depth: number, branches: Branch[]): Uint8Array {
  const children = [...'0123456789abcdef'].map((digit) => {
    const below = entries.filter(({ path }) => path[depth] === digit)
    return below.length === 0 ? empty : referenceTo(nodeOf(below, depth + 1, branches))
  })
  return listOfItems([...children, empty])
}

const leafOf = (path: string, value: Uint8Array) => listOfItems([pathItem(path, 'leaf'), bytesItem(value)])

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
