import { data, itemsOf, malformed } from '../wire/codecs.ts'
import { emptyRoot } from '../wire/header-hash.ts'
import { digestOf, type RlpItem, readRlp, rlp } from '../wire/rlp.ts'

/** Why what a node sent is not believed; each is a fault of it. */
type VerificationFault =
  /** Not of its type, or not RLP in its only spelling. */
  | 'malformed'
  | 'wrong-address'
  /** Other slots than those asked for, or in another order. */
  | 'wrong-slots'
  | 'wrong-code'
  | 'too-large'
  /** The proof ends before it shows a value or its absence. */
  | 'cut-short'
  /** A node that does not hash to what refers to it. */
  | 'wrong-node'
  /** Nodes after the one that decides. */
  | 'extra-node'
  /** Hashed to its reference, yet no node of a trie with keys of 32 bytes. */
  | 'bad-node'
  | 'bad-path'
  /** A leaf that holds no account or no slot value in its only spelling. */
  | 'bad-value'

/** A value that follows from the agreed header, or why it does not. */
export type Verified<Value> = { readonly verified: Value } | { readonly fault: VerificationFault }

/** Its message is the fault. */
class Unverified extends Error {}

/** Ends a verification; to be called inside `verifying` alone. */
export function fail(fault: VerificationFault): never {
  throw new Unverified(fault)
}

/** What `verify` returns, or the fault by which it ended: whatever a node sent, nothing is thrown. */
export function verifying<Value>(verify: () => Value): Verified<Value> {
  try {
    return { verified: verify() }
  } catch (error) {
    return { fault: error instanceof Unverified ? (error.message as VerificationFault) : 'malformed' }
  }
}

/** A path has a node for each of its 64 half bytes, and the root. */
const nodesMax = 65
/** A full branch has 532. */
const nodeBytesMax = 600
const pathLength = 64
/** 32 bytes in hex. */
const wordChars = 66

/** The path to a key in a secure trie: the half bytes of its hash, one letter each. */
export const pathOf = (key: string): string => digestOf(key).slice(2)

/** Where a walk is: what it has read of the path, and of the proof. */
interface Place {
  readonly path: string
  readonly depth: number
  /** The nodes that are left. */
  readonly proof: readonly string[]
  /** An extension led here, and leads to a branch alone. */
  readonly isBehindExtension: boolean
}

/**
 * What the trie of this root has at a path; null where the proof shows that it has nothing. Fails on any proof but the one of
 * exactly the nodes on the path, from the root to the one that decides.
 */
export function walkTrie(root: string, path: string, sent: unknown): string | null {
  const proof = readProof(sent)
  if (root === emptyRoot)
    return proof.length === 0 || (proof.length === 1 && proof[0] === '0x80') ? null : fail('extra-node')
  return follow(root, { path, depth: 0, proof, isBehindExtension: false })
}

/** The nodes of a proof. Some clients write null for none, and some end with an empty one. */
export function readProof(sent: unknown): readonly string[] {
  const nodes = itemsOf(sent ?? [])
  const end = nodes.findLastIndex((node) => node !== '0x') + 1
  if (end > nodesMax) fail('too-large')
  return nodes.slice(0, end).map((node) => {
    if (typeof node !== 'string') throw malformed
    if (node.length > 2 + 2 * nodeBytesMax) fail('too-large')
    return data.read(node)
  })
}

/** Reads the next node of the proof, which must hash to the reference. */
function follow(reference: string, { proof, ...place }: Place): string | null {
  const [next, ...rest] = proof
  if (next === undefined) return fail('cut-short')
  if (digestOf(next) !== reference) fail('wrong-node')
  if (next.length < wordChars && place.depth > 0) fail('bad-node')
  return readNode(readRlp(next), { ...place, proof: rest })
}

function readNode(node: RlpItem, place: Place): string | null {
  if (typeof node === 'string') return fail('bad-node')
  if (node.length === 17) return readBranch(node, place)
  if (node.length !== 2 || place.isBehindExtension) return fail('bad-node')
  return readPathNode(node as readonly [RlpItem, RlpItem], place)
}

function readBranch(items: readonly RlpItem[], place: Place): string | null {
  const children = items.slice(0, 16)
  if (place.depth >= pathLength || !isEmpty(items[16]) || !children.every(isChild)) fail('bad-node')
  if (children.filter((child) => !isEmpty(child)).length < 2) fail('bad-node')
  const child = children[Number.parseInt(place.path[place.depth] ?? '', 16)]
  if (child === undefined || isEmpty(child)) return end(null, place)
  return readChild(child, { ...place, depth: place.depth + 1, isBehindExtension: false })
}

/** A leaf or an extension. */
function readPathNode([encoded, target]: readonly [RlpItem, RlpItem], place: Place): string | null {
  const { isLeaf, part } = readPath(encoded)
  const depth = place.depth + part.length
  const isOnPath = place.path.startsWith(part, place.depth)
  if (isLeaf) {
    if (depth !== pathLength) fail('bad-path')
    if (typeof target !== 'string' || isEmpty(target)) return fail('bad-node')
    return end(isOnPath ? target : null, place)
  }
  if (part === '' || depth >= pathLength) fail('bad-path')
  if (isEmpty(target) || !isChild(target)) fail('bad-node')
  return isOnPath ? readChild(target, { ...place, depth, isBehindExtension: true }) : end(null, place)
}

/** Hex-prefix encoding (Yellow Paper, appendix C): the kind and whether the length is odd, then the half bytes. */
function readPath(item: RlpItem): { readonly isLeaf: boolean; readonly part: string } {
  if (typeof item !== 'string' || isEmpty(item)) return fail('bad-path')
  const flags = Number(item.slice(0, 3))
  const isOdd = flags % 2 === 1
  if (flags > 3 || (!isOdd && item[3] !== '0')) fail('bad-path')
  return { isLeaf: flags >= 2, part: item.slice(isOdd ? 3 : 4) }
}

function readChild(child: RlpItem, place: Place): string | null {
  return typeof child === 'string' ? follow(child, place) : readNode(child, place)
}

const isEmpty = (item: RlpItem | undefined) => item === '0x'

/** Nothing, the hash of a node, or a node that is shorter than its hash. */
const isChild = (item: RlpItem) =>
  typeof item === 'string' ? isEmpty(item) || item.length === wordChars : rlp(item).length < wordChars

function end(value: string | null, { proof }: Place): string | null {
  return proof.length === 0 ? value : fail('extra-node')
}
