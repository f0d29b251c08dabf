import { keccak256 } from 'viem'
import type { PublicCertificate, PublicProof } from './public-certificate.ts'
import { listOf, type RlpPart, readRlp, refuse } from './rlp.ts'

/** What a proof proves: an account, null where there is none, and the values of its slots. */
interface ProvenState {
  readonly account: Readonly<Record<'nonce' | 'balance' | 'storageHash' | 'codeHash', string>> | null
  readonly slots: readonly string[]
}

const emptyRoot = '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** The places of two fields in a header. */
const [stateRootAt, numberAt] = [3, 8]

/**
 * What a proof proves of a block, by arithmetic of its own: the header hashes to the block's hash, and the nodes lead from its state root
 * to the account, and from there to its slots. Null where anything does not fit.
 */
export function stateOf(
  { header, account, nodes, slots }: PublicProof,
  { number, hash }: NonNullable<PublicCertificate['block']>,
): ProvenState | null {
  try {
    const fields = header.map((field) => field.slice(2))
    if (hashOf(listOf(fields)) !== hash?.slice(2)) return null
    if (Number(quantity(fields[numberAt])) !== number) return null
    const leaf = lookUp(fields[stateRootAt] ?? '', account, nodes)
    const [nonce, balance, storageHash, codeHash] = leaf === null ? [] : fieldsOf(leaf)
    return {
      account:
        leaf === null
          ? null
          : {
              nonce: quantity(nonce),
              balance: quantity(balance),
              storageHash: `0x${storageHash}`,
              codeHash: `0x${codeHash}`,
            },
      slots: slots.map(({ slot, nodes }) => valueIn(lookUp(storageHash ?? emptyRoot, slot, nodes))),
    }
  } catch {
    return null
  }
}

const fieldsOf = (leaf: string) => (readRlp(leaf).items ?? []).map(({ bytes }) => bytes)
const valueIn = (leaf: string | null) => quantity(leaf === null ? '' : readRlp(leaf).bytes)

/** The value under a key, null where the nodes show that there is none. Throws where they show neither. */
function lookUp(root: string, key: string, nodes: readonly string[]): string | null {
  const rest = nodes.map((node) => node.slice(2))
  if (root === emptyRoot) return rest.length === 0 || rest[0] === '80' ? null : refuse()
  const value = follow(next(root, rest), key.slice(2), rest)
  return rest.length === 0 ? value : refuse()
}

/** Follows a path down from a node: a branch of sixteen, an extension or a leaf (Yellow Paper, appendix D). */
function follow({ items }: RlpPart, path: string, rest: string[]): string | null {
  if (items?.length === 17) return below(items[Number.parseInt(path[0] ?? '', 16)], path.slice(1), rest)
  const [encoded, target] = items?.length === 2 ? (items as readonly [RlpPart, RlpPart]) : refuse()
  const flags = Number(encoded.bytes[0])
  const part = encoded.bytes.slice(flags % 2 === 1 ? 1 : 2)
  if (flags >= 2) return part === path ? target.bytes : null
  return path.startsWith(part) ? below(target, path.slice(part.length), rest) : null
}

function below(child: RlpPart | undefined, path: string, rest: string[]): string | null {
  if (child === undefined) return refuse()
  if (child.items !== null) return follow(child, path, rest)
  return child.bytes === '' ? null : follow(next(child.bytes, rest), path, rest)
}

/** Takes the next node, which must hash to what refers to it. */
function next(hash: string, rest: string[]): RlpPart {
  const node = rest.shift() ?? refuse()
  return hashOf(node) === hash ? readRlp(node) : refuse()
}

const hashOf = (hex: string): string => keccak256(`0x${hex}`).slice(2)
const quantity = (bytes = ''): string => `0x${bytes.replace(/^0(?=.)/, '') || '0'}`
