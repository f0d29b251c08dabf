import type { FaultKind } from './fault.ts'

/** An id's JSON text exactly as the caller wrote it (`1`, `"1"`, `1.0`, `null`), so that it goes back unchanged. */
export type IdText = string

/** One JSON-RPC request. Without an id it is a notification, and nothing answers it. */
export interface Call {
  readonly id: IdText | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

/** Errors of a node that are verdicts of the chain and so vote, by class. The list is closed. */
export type RejectionClass =
  | 'insufficient-funds'
  | 'nonce-too-low'
  | 'replacement-underpriced'
  | 'fee-too-low'
  | 'intrinsic-gas-too-low'
  | 'exceeds-block-gas-limit'
  | 'nonce-too-high'
  | 'tip-above-fee-cap'
  | 'oversized'
  | 'initcode-too-large'
  | 'type-not-supported'
  | 'creation-without-data'
  | 'block-number-order'
  | 'block-timestamp-order'
  | 'precompile-moved-to-itself'
  | 'precompile-moved-twice'
  | 'sender-not-eoa'
  | 'vm-halt'
  /** An estimate needs more gas than this, which the call did not name. */
  | `gas-allowance ${number}`

/** What a node is not able to say, though it is well. */
type UnsupportedKind =
  | 'pruned'
  /** More blocks than it takes. */
  | 'range'
  /** More than it replies with, or works for: a word on what was asked, not on the blocks. */
  | 'size'
  /** More addresses or topics than it takes. */
  | 'filter'
  | 'method'
  | 'unauthorized'
  | 'params'
  /** This call, for a reason that says nothing about other calls. */
  | 'execution'

/** An error that nothing explains. A quorum that says the same refuses the call. */
export interface UnknownError {
  readonly code: number
  readonly message: string
}

/** What one node said to one call. */
export type Reply =
  /** `raw` is the JSON text of `result`, byte for byte; it may be handed on only once it, or an identical text, has been parsed in full. */
  | { readonly kind: 'result'; readonly raw: string }
  /** `data` is the revert data in lower-case hex; `0x` where the node sent none. */
  | { readonly kind: 'reverted'; readonly data: string }
  | { readonly kind: 'rejected'; readonly class: RejectionClass }
  | { readonly kind: 'known' }
  | { readonly kind: 'behind' }
  /**
   * `blocks`: numbers of blocks that its words name, one of which it may take. `isGuess`: it did not say what is too large.
   * `fromBlock`: the first block that it has. `takes`: it refused this range as too long, and would take so many blocks.
   */
  | {
      readonly kind: 'unsupported'
      readonly why: UnsupportedKind
      readonly blocks?: readonly number[]
      readonly isGuess?: true
      readonly fromBlock?: number
      readonly takes?: number
      readonly unknown?: UnknownError
    }
  /** `post`: the POST that failed as a whole, where several calls shared it. `retryAfterMs`: as long as it wants rest. */
  | {
      readonly kind: 'fault'
      readonly fault: FaultKind
      readonly retryAfterMs?: number
      readonly post?: object
      readonly unknown?: UnknownError
    }

/** An error that nothing explains. */
export const errorFault = { kind: 'fault', fault: 'error' } as const satisfies Reply

/**
 * What a result is made of: decides how two results are compared and what is returned. The bodies of each are in
 * canonical.ts.
 */
export type Shape =
  | 'quantity'
  | 'data'
  | 'json'
  | 'block'
  | 'uncle'
  | 'transaction'
  | 'receipt'
  | 'receipts'
  | 'logs'
  | 'proof'
  | 'fee-history'
  | 'access-list'
  | 'call'
  | 'storage'
  | 'simulation'

/** The errors that the specification of eth_simulateV1 names, by code. -38026 is a limit of the node and not among them. */
export const simulationErrors: ReadonlyMap<number, RejectionClass> = new Map([
  [-38010, 'nonce-too-low'],
  [-38011, 'nonce-too-high'],
  [-38012, 'fee-too-low'],
  [-38013, 'intrinsic-gas-too-low'],
  [-38014, 'insufficient-funds'],
  [-38015, 'exceeds-block-gas-limit'],
  [-38020, 'block-number-order'],
  [-38021, 'block-timestamp-order'],
  [-38022, 'precompile-moved-to-itself'],
  [-38023, 'precompile-moved-twice'],
  [-38024, 'sender-not-eoa'],
  [-38025, 'initcode-too-large'],
])
