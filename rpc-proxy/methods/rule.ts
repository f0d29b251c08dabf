import type { Shape } from '../wire/shapes.ts'

/** How many replies become one. */
export type Agreement =
  /** Answered from what we know, no node asked. */
  | 'here'
  /** The agreed head. */
  | 'head'
  /** Equal by shape, with quorum weight. */
  | 'equality'
  /** A value between two quorums, or the smallest with which a quorum agrees that the call succeeds; a revert wins with quorum. */
  | 'estimate'
  /** How an execution ends, whatever it returns. */
  | 'ending'
  /** The highest value that quorum weight reaches. */
  | 'highest'
  /** Computed from the agreed head and agreed fee history. */
  | 'derived'
  | 'broadcast'
  | 'filter'
  | 'refused'

/** Where a method names its block. */
export type Pin =
  /** Nowhere. */
  | 'none'
  /** `params[index]`; a missing one means latest. */
  | number
  /** `params[0].fromBlock`, `.toBlock` or `.blockHash`. */
  | 'range'

/** How long an agreed answer may serve. */
export type Keep =
  /** While the head it was pinned to is the head; at an explicit final block or by block hash, until evicted. */
  | 'block'
  /** Once the block that the object names is final. */
  | 'inclusion'
  | 'never'

/** All that the engine knows of a method. One row of the table. */
export interface Rule {
  readonly method: string
  readonly agreement: Agreement
  /**
   * Params as the caller sent them -> the same in canonical form: hex lower-case, quantities without leading zeros, tags
   * as they are, optional tail filled in where a default exists. Throws CallError `bad-params` with a sentence that names
   * the param.
   */
  readonly parse: (params: readonly unknown[]) => readonly unknown[]
  readonly pin: Pin
  readonly shape: Shape
  readonly keep: Keep
  /** `null` may mean "I do not have it": it wins only when nobody else says otherwise. */
  readonly nullable: boolean
  /** It asks of a block as a whole: of one that is agreed, `null` says that the node does not have it yet. */
  readonly ofBlock: boolean
  /** A dissent here counts towards benching: agreed headers and balances, never what a caller can forge. */
  readonly benches: boolean
  /** What one call costs a caller's budget; 1 is a balance read. A call answered without asking a node costs 0.1. */
  readonly cost: number
  /** The cost of these canonical params, where it depends on them. */
  readonly costOf?: (params: readonly unknown[]) => number
}
