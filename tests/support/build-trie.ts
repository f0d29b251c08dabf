import { type Hex, keccak256, pad, toHex, toRlp, trim } from 'viem'

export type Reply = ReturnType<typeof honestReply>

/** A reference of our own, with viem's RLP and hash: the whole trie as nested lists, and the proof of any path in it. */
type Node = Hex | readonly Node[]
type Entry = readonly [path: string, value: Hex]
type Entries = readonly Entry[]

export const hashed = (key: Hex): string => keccak256(key).slice(2)

/** A number as RLP has it. */
const number = (value: bigint): Hex => (value === 0n ? '0x' : trim(toHex(value)))

export const rootOf = (entries: Entries): Hex => keccak256(encode(nodeOf(entries, 0)))

/** The nodes on a path, those that stand inside another one left out, as geth lists them. */
export function proofOf(entries: Entries, path: string): readonly Hex[] {
  if (entries.length === 0) return []
  return nodesOn(entries, path, 0).filter((node, index) => index === 0 || (node.length - 2) / 2 >= 32)
}

function nodesOn(entries: Entries, path: string, depth: number): readonly Hex[] {
  const here = encode(nodeOf(entries, depth))
  if (entries.length === 1) return [here]
  const shared = sharedFrom(entries, depth)
  if (shared.length > 0)
    return path.startsWith(shared, depth) ? [here, ...nodesOn(entries, path, depth + shared.length)] : [here]
  const child = entries.filter(([other]) => other[depth] === path[depth])
  return child.length === 0 ? [here] : [here, ...nodesOn(child, path, depth + 1)]
}

function nodeOf(entries: Entries, depth: number): Node {
  const [first] = entries
  if (first === undefined) return '0x'
  if (entries.length === 1) return [pathItem(first[0].slice(depth), { isLeaf: true }), first[1]]
  const shared = sharedFrom(entries, depth)
  if (shared.length > 0)
    return [pathItem(shared, { isLeaf: false }), referenceTo(nodeOf(entries, depth + shared.length))]
  const children = [...'0123456789abcdef'].map((digit) =>
    nodeOf(
      entries.filter(([path]) => path[depth] === digit),
      depth + 1,
    ),
  )
  return [...children.map(referenceTo), '0x']
}

function sharedFrom(entries: Entries, depth: number): string {
  const paths = entries.map(([path]) => path)
  let end = depth
  while (end < 64 && paths.every((path) => path[end] === paths[0]?.[end])) end += 1
  return paths[0]?.slice(depth, end) ?? ''
}

export const encode = (node: Node): Hex => toRlp(node as Parameters<typeof toRlp>[0]) as Hex

function referenceTo(node: Node): Node {
  const encoded = encode(node)
  return node === '0x' || (encoded.length - 2) / 2 < 32 ? node : keccak256(encoded)
}

export function pathItem(path: string, { isLeaf }: { isLeaf: boolean }): Hex {
  const flags = (isLeaf ? 2 : 0) + (path.length % 2)
  return `0x${flags}${path.length % 2 === 1 ? '' : '0'}${path}`
}

export interface Account {
  readonly address: Hex
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hex
  readonly slots: readonly (readonly [slot: Hex, value: bigint])[]
  readonly storageHash: Hex
}

type Slots = Account['slots']
const storageOf = (slots: Slots): Entries =>
  slots.map(([slot, value]) => [hashed(slot), encode(number(value))])
export const storageRootOf = (slots: Slots) => rootOf(storageOf(slots))

export const leafOf = ({ nonce, balance, storageHash, codeHash }: Omit<Account, 'address' | 'slots'>) =>
  encode([number(nonce), number(balance), storageHash, codeHash])

const stateOf = (accounts: readonly Account[]): Entries =>
  accounts.map((account) => [hashed(account.address), leafOf(account)])
export const stateRootOf = (accounts: readonly Account[]) => rootOf(stateOf(accounts))

/** What an honest node replies to eth_getProof. */
export function honestReply(accounts: readonly Account[], address: Hex, slots: readonly Hex[]) {
  const account = accounts.find((each) => each.address === address)
  const storage = storageOf(account?.slots ?? [])
  return {
    address,
    balance: toHex(account?.balance ?? 0n),
    nonce: toHex(account?.nonce ?? 0n),
    codeHash: account?.codeHash ?? pad('0x'),
    storageHash: account?.storageHash ?? pad('0x'),
    accountProof: proofOf(stateOf(accounts), hashed(address)),
    storageProof: slots.map((slot) => ({
      key: slot,
      value: toHex(account?.slots.find(([key]) => key === slot)?.[1] ?? 0n),
      proof: proofOf(storage, hashed(slot)),
    })),
  }
}
