import { fromRlp, type Hex, keccak256, toRlp } from 'viem'
import type { PublicCertificate, PublicProof } from './public-certificate.ts'

/** What a proof proves: an account, null where there is none, and the values of its slots. */
export interface CheckedState {
  readonly account: Readonly<Record<'nonce' | 'balance' | 'storageHash' | 'codeHash', string>> | null
  readonly slots: readonly string[]
}

type Block = NonNullable<PublicCertificate['block']>

/** The places of fields in a header. */
const [stateRootAt, numberAt] = [3, 8]

/** The root of a trie that has nothing. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** A node of a trie, or an item of it. */
type Item = Hex | readonly Item[]

/**
 * What a proof proves of a block, without the engine's code: the header hashes to the block's hash, and the nodes lead from its state root
 * to each account, and from there to its slots. Null where anything does not fit.
 */
export function statesOf(
  { header, accounts, nodes, slots }: PublicProof,
  block: Block,
): readonly CheckedState[] | null {
  try {
    if (!isHeaderOf(header, block)) return null
    if (slots.some(({ account }) => !accounts.includes(account))) return null
    const rest = [...nodes]
    const states = accounts.map((account) => {
      const leaf = lookUp(header[stateRootAt] ?? '', account, rest)
      const [nonce, balance, storageHash = emptyRoot, codeHash = ''] = leaf === null ? [] : fieldsOf(leaf)
      return {
        account:
          leaf === null
            ? null
            : { nonce: quantity(nonce), balance: quantity(balance), storageHash, codeHash },
        slots: slots.filter((each) => each.account === account).map((each) => slotValue(each, storageHash)),
      }
    })
    return rest.length === 0 ? states : null
  } catch {
    return null
  }
}

/** The text of what a proof proves: a code, the state of an account, or the states of several. */
export function provenText(proof: PublicProof, block: Block): string | null {
  const states = statesOf(proof, block)
  const [first, ...others] = states ?? []
  if (first === undefined) return null
  if (proof.code === null) return JSON.stringify(others.length === 0 ? first : states)
  const isOfAccount = others.length === 0 && keccak256(proof.code as Hex) === first.account?.codeHash
  return isOfAccount ? JSON.stringify(proof.code) : null
}

function isHeaderOf(header: readonly string[], { number, hash }: Block): boolean {
  const isOfHash = keccak256(toRlp(header as readonly Hex[])) === hash
  return isOfHash && Number(quantity(header[numberAt])) === number
}

const fieldsOf = (leaf: Hex) => fromRlp(leaf) as readonly Hex[]

function slotValue({ slot, nodes }: PublicProof['slots'][number], storageHash: string): string {
  const rest = [...nodes]
  const leaf = lookUp(storageHash, slot, rest)
  return rest.length === 0 ? quantity(leaf === null ? '0x' : (fromRlp(leaf) as Hex)) : refuse()
}

/** The value under a key, null where the nodes show that there is none. Takes these nodes. Throws where they show neither. */
function lookUp(root: string, key: string, rest: string[]): Hex | null {
  if (root !== emptyRoot) return follow(next(root, rest), key.slice(2), rest)
  if (rest[0] === '0x80') rest.shift()
  return null
}

/** Follows a path down from a node: a branch of sixteen, an extension or a leaf (Yellow Paper, appendix D). */
function follow(node: Item, path: string, rest: string[]): Hex | null {
  if (typeof node === 'string') return refuse()
  if (node.length === 17) return below(node[Number.parseInt(path[0] ?? '', 16)], path.slice(1), rest)
  const [encoded, target] = node.length === 2 ? (node as readonly [Hex, Item]) : refuse()
  const flags = Number(encoded[2])
  const part = encoded.slice(flags % 2 === 1 ? 3 : 4)
  if (flags >= 2) return part === path ? (target as Hex) : null
  return path.startsWith(part) ? below(target, path.slice(part.length), rest) : null
}

function below(child: Item | undefined, path: string, rest: string[]): Hex | null {
  if (child === undefined) return refuse()
  if (typeof child !== 'string') return follow(child, path, rest)
  return child === '0x' ? null : follow(next(child, rest), path, rest)
}

/** Takes the next node, which must hash to what refers to it. */
function next(hash: string, rest: string[]): Item {
  const node = (rest.shift() ?? refuse()) as Hex
  return keccak256(node) === hash ? fromRlp(node) : refuse()
}

/** Ends a check. */
function refuse(): never {
  throw new Error('no proof')
}

const quantity = (bytes = '0x'): string => `0x${bytes.slice(2).replace(/^0(?=.)/, '') || '0'}`
