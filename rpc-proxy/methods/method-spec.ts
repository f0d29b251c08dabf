import type { Shape } from '../wire/canonical.ts'
import { readAs, textOf } from '../wire/canonical.ts'
import type { ReadMembers } from '../wire/codecs.ts'
import type { RejectionClass } from '../wire/rejections.ts'
import type { About } from './about.ts'
import type { AgreedBlocks, FitsBlocks } from './agreed-blocks.ts'
import type { Pin } from './block-ref.ts'
import type { Executions, Fit } from './call-object.ts'
import type { Fee } from './fees.ts'
import type { OwnReply } from './local.ts'
import type { Proves } from './proves.ts'

/** How a call is answered, and how votes on it become a verdict. */
export type StrategyId =
  /** Answered from what we know, no node asked. */
  | 'local'
  /** The agreed head. */
  | 'head'
  /** Equal by shape, with quorum weight. */
  | 'equality'
  /** As equality, but null, which may mean "I do not have it", wins only when no other node says otherwise. */
  | 'lookup'
  /** As equality, but a list that looks incomplete needs one vote more. */
  | 'logs'
  /** A value between two quorums, or the smallest with which a quorum agrees that the call succeeds; a revert wins with quorum. */
  | 'estimate'
  /** How an execution ends, whatever it returns. */
  | 'succeeds'
  /** The highest value that quorum weight reaches. */
  | 'highest'
  /** Computed from the agreed head and agreed fee history. */
  | 'derived'
  | 'broadcast'
  /** Found by several agreed reads. */
  | 'search'
  /** What a quorum can serve, by what its nodes say of themselves. */
  | 'capabilities'
  | 'filter'
  /** Over a connection that stays: what comes later is sent on it. */
  | 'subscription'
  | 'refused'

/** Kinds of data that nodes delete with time, by the names of `eth_capabilities`. */
export type Resource = 'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs'

/** How long an agreed answer may serve. */
type CachePolicy =
  /** While the head it was pinned to is the head; at an explicit final block or by block hash, for as long as `calls/stored-result` says. */
  | 'block'
  /** Once the block that the object names is final. */
  | 'inclusion'
  | 'never'

/** All that the engine knows of a method. One row of the table. */
export interface MethodSpec {
  readonly method: string
  readonly strategy: StrategyId
  /**
   * Params as the caller sent them -> the same in canonical form: hex lower-case, quantities without leading zeros, tags
   * as they are, optional tail filled in where a default exists. Throws CallError `bad-params` with a sentence that names
   * the param.
   */
  readonly parse: (params: readonly unknown[]) => readonly unknown[]
  readonly pin: Pin
  readonly shape: Shape
  readonly cachePolicy: CachePolicy
  /** It reads a whole block: for an agreed one, `null` means that the node does not have it yet. */
  readonly ofBlock: boolean
  /** A dissent here counts towards ejection: agreed headers and balances, never what a caller can forge. */
  readonly ejects: boolean
  /** What one call costs a caller's budget; 1 is a balance read. A call answered without asking a node costs 0.1. */
  readonly cost: number
  /** The cost of these canonical params, where it depends on them. */
  readonly costOf?: (params: readonly unknown[]) => number
  /** Whether no caller can raise the work or the answer's size by these params, at a recent agreed block. Absent: any caller can. */
  readonly isFixed?: (params: readonly unknown[]) => boolean
  /** Whether a result belongs to the call; one that does not is a fault of the node. Absent: results do not show it. */
  readonly isAbout?: About
  /** Whether a result fits the agreed blocks; one that does not is a fault of the node. Absent: they do not show it. */
  readonly fitsBlocks?: FitsBlocks
  /** What it reads: a node that has pruned it says so. Absent: nothing old. */
  readonly resource?: Resource
  /** How one node's proof takes the place of a quorum, where the agreed block has a state root; null where it cannot. */
  readonly proves: Proves | null
  /** Fits gas and chain id into what the chain's configuration allows. */
  readonly fit?: Fit
  /** What the call has nodes run, which the caller chose; absent where it runs nothing. */
  readonly executionsOf?: (params: readonly unknown[]) => Executions
  /** The answer of a method with strategy `local`. */
  readonly ownReply?: OwnReply
  /** The answer of a method with strategy `derived`. */
  readonly fee?: Fee
  /** Error codes that the method's specification gives to refusals. */
  readonly rejectionCodes?: ReadonlyMap<RejectionClass, number>
}

/** A method without a row: no node is asked, nothing is cached. */
export const cautious: MethodSpec = {
  method: '_OTHER',
  strategy: 'refused',
  parse: (given) => given,
  pin: 'none',
  shape: 'json',
  cachePolicy: 'never',
  ofBlock: false,
  ejects: false,
  cost: 1,
  proves: null,
}

/** Rows of one family say only what they do not share. */
export type MethodRow = Pick<MethodSpec, 'method' | 'parse'> & Partial<MethodSpec>

/** Completes the rows of a family. */
export function rows(shared: Partial<MethodSpec>): (row: MethodRow) => MethodSpec {
  return (row) => ({ ...cautious, ...shared, ...row })
}

interface AnswerOptions {
  readonly chainId?: number
  readonly ahead?: ReadMembers | undefined
  readonly blocks?: AgreedBlocks
}

/** A result of the right form that contradicts an agreed block. */
export const contradictsAgreedBlock = Symbol('contradictsAgreedBlock')

/**
 * Text by which two answers to this call are equal; null for a value that cannot be its answer: not of the method's
 * shape in every part, or not about what was asked. Neither null nor `contradictsAgreedBlock` is ever a vote; both are a fault of the node. `params`
 * are those that the node was asked with. Never throws.
 */
export function resultText(
  spec: MethodSpec,
  params: readonly unknown[],
  value: unknown,
  { chainId = 0, ahead, blocks }: AnswerOptions = {},
): string | typeof contradictsAgreedBlock | null {
  if (value === null) return spec.strategy === 'lookup' ? 'null' : null
  try {
    const read = readAs(spec.shape, value, chainId, ahead)
    if (spec.isAbout?.(params, read) === false) return null
    const isFitting = blocks === undefined || spec.fitsBlocks?.(params, read, blocks) !== false
    return isFitting ? textOf(read) : contradictsAgreedBlock
  } catch {
    return null
  }
}

/**
 * Number of the block that an answer is, or that its transaction or receipt is in; null for everything else. Takes the parsed
 * answer, which many calls may share: parsing its bytes again for each of a hundred calls of one batch took 63 ms.
 */
export function namedNumber({ shape }: MethodSpec, value: unknown): number | null {
  const field = numberFields[shape]
  const number =
    field === undefined ? null : (value as Readonly<Record<string, unknown>> | null | undefined)?.[field]
  return typeof number === 'string' ? Number(number) : null
}

/** Only these are compared: a node may add a `blockNumber` of its own to a block. */
const numberFields: Partial<Record<Shape, string>> = {
  block: 'number',
  transaction: 'blockNumber',
  receipt: 'blockNumber',
}
