import type { FaultKind } from './fault.ts'
import type { RejectionClass } from './rejections.ts'

/** An id's JSON text exactly as the caller wrote it (`1`, `"1"`, `1.0`, `null`), so that it goes back unchanged. */
export type IdText = string

/** One JSON-RPC request. Without an id it is a notification, and nothing answers it. */
export interface Call {
  readonly id: IdText | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

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
