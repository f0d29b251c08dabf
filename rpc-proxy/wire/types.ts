/** An id's JSON text exactly as the caller wrote it (`1`, `"1"`, `1.0`, `null`), so that it goes back unchanged. */
export type IdText = string

/** One JSON-RPC request. Without an id it is a notification, and nothing answers it. */
export interface Call {
  readonly id: IdText | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

/** Errors of a node that are verdicts of the chain and so vote, by class. The list is closed. */
export type RefusalClass =
  | 'insufficient-funds'
  | 'nonce-too-low'
  | 'replacement-underpriced'
  | 'fee-too-low'
  | 'intrinsic-gas-too-low'
  | 'exceeds-block-gas-limit'
  | 'vm-halt'

/** Silence or noise: never a vote. */
export type FaultKind =
  | 'timeout'
  | 'connection'
  | 'cancelled'
  | 'http'
  | 'rate-limited'
  | 'redirect'
  | 'too-large'
  | 'malformed'
  | 'wrong-id'
  | 'short-batch'
  | 'wrong-chain'
  | 'error'
  | 'wrong-hash'
  | 'busy'

/** What a node is not able to say, though it is well. */
export type CannotKind =
  | 'pruned'
  /** More blocks than it takes. */
  | 'range'
  /** More than it replies with, or works for: a word on what was asked, not on the blocks. */
  | 'size'
  | 'method'
  | 'unauthorized'
  | 'params'
  | 'execution'

/** What one node said to one call. */
export type Reply =
  /** `raw` is the JSON text of `result`, byte for byte; whoever hands it on must have parsed it (or its twin) in full. */
  | { readonly kind: 'answer'; readonly raw: string }
  /** `data` is the revert data in lower-case hex; `0x` where the node sent none. */
  | { readonly kind: 'revert'; readonly data: string }
  | { readonly kind: 'refusal'; readonly class: RefusalClass }
  | { readonly kind: 'known' }
  | { readonly kind: 'behind' }
  | { readonly kind: 'cannot'; readonly why: CannotKind }
  /** `post`: which exchange failed as a whole, where several calls shared it. */
  | {
      readonly kind: 'fault'
      readonly fault: FaultKind
      readonly retryAfterMs?: number
      readonly post?: number
    }
