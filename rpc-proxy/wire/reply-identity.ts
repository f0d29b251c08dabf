import type { Shape } from './canonical.ts'

/** An answer that honest clients write in several ways which no rule turns into one another. */
interface ReplyIdentity {
  /** What they all write alike, as text. */
  readonly text: string
  /** By which of the ways it is written. Two answers of one way contradict each other where they differ. */
  readonly way: string
}

/** Takes canonical text. */
export type IdentityOf = (text: string) => ReplyIdentity

type Read = Readonly<Record<string, unknown>>

/** From this block on mainnet's receipts hold a status (EIP-658), before it the root of the state. */
const byzantiumBlock = 4_370_000
const mainnet = 1

/** How honest clients write answers of this shape in ways of their own; null where all of them have one. */
export function identitiesOf(shape: Shape, chainId: number): IdentityOf | null {
  if (shape === 'access-list') return (text) => listIdentity(JSON.parse(text) as Read)
  if (shape === 'receipt') return (text) => receiptIdentity(JSON.parse(text) as Read, chainId)
  if (shape === 'receipts')
    return (text) => {
      const parts = (JSON.parse(text) as readonly Read[]).map((receipt) => receiptIdentity(receipt, chainId))
      return {
        text: JSON.stringify(parts.map((part) => part.text)),
        way: parts.map(({ way }) => way).join(),
      }
    }
  return null
}

/** Each client counts the gas in its own way; the list is what was asked for. */
function listIdentity({ gasUsed, ...rest }: Read): ReplyIdentity {
  return { text: JSON.stringify(rest), way: String(gasUsed) }
}

/**
 * Before Byzantium most clients write the root alone, reth and older erigon the status alone, by executing the block again
 * (https://github.com/paradigmxyz/reth/issues/21002); old nodes know no effective price. Status, root and price are returned
 * only where a quorum gives them, so that no single node tells a client whether it was paid.
 */
function receiptIdentity({ root, status, effectiveGasPrice, ...rest }: Read, chainId: number): ReplyIdentity {
  const isOld = chainId === mainnet && Number(rest.blockNumber) < byzantiumBlock
  const hasOne = (root == null) !== (status == null)
  const outcome = isOld && hasOne ? {} : { root, status }
  return {
    text: JSON.stringify({ ...rest, ...outcome }),
    way: `${root == null ? 'status' : 'root'} ${effectiveGasPrice == null ? 'without' : 'with'} price`,
  }
}
