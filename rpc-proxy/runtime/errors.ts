/**
 * What a caller can be told, by name. What went wrong with one call is HTTP 200, as with any node: clients take another
 * status for the end of the whole endpoint (MetaMask leaves it alone for half an hour, go-ethereum and web3.py hide the
 * body). The sentence is fixed: nothing that a node said and nothing from the configuration
 * is ever put into it. Codes follow JSON-RPC 2.0, EIP-1474 and geth, whose words clients match by text.
 */
const sentences = {
  'not-json': { code: -32700, status: 400, message: 'parse error' },
  'not-a-request': { code: -32600, status: 400, message: 'invalid request' },
  'empty-batch': { code: -32600, status: 400, message: 'empty batch' },
  'batch-too-large': { code: -32600, status: 413, message: 'batch too large' },
  'body-too-large': { code: -32600, status: 413, message: 'request body too large' },
  'body-too-slow': { code: -32600, status: 408, message: 'request body too slow' },
  'not-application-json': { code: -32600, status: 415, message: 'content-type must be application/json' },
  'wrong-verb': { code: -32600, status: 405, message: 'only POST is allowed' },
  'unknown-chain': { code: -32600, status: 404, message: 'unknown chain' },
  'foreign-origin': { code: -32600, status: 403, message: 'origin not allowed' },
  'unknown-key': { code: -32600, status: 401, message: 'unknown or ended key' },
  'no-key': { code: -32600, status: 401, message: 'a key is needed here' },
  'foreign-key': { code: -32600, status: 403, message: 'this key may not be used from here' },
  'bad-params': { code: -32602, status: 200, message: 'invalid params' },
  'no-method': { code: -32601, status: 200, message: 'the method does not exist / is not available' },
  'not-allowed': { code: -32601, status: 200, message: 'the call is not allowed here' },
  'no-quorum': { code: -32010, status: 200, message: 'failed to meet quorum' },
  unproven: { code: -32010, status: 200, message: 'no proof of this state against the agreed block' },
  'block-not-found': { code: -32001, status: 200, message: 'header not found' },
  // EIP-4444's code and geth's words, for state too: geth's own for state are those of any error (-32000).
  pruned: { code: 4444, status: 200, message: 'pruned history unavailable' },
  reverted: { code: 3, status: 200, message: 'execution reverted' },
  refused: { code: -32000, status: 200, message: 'execution failed' },
  'not-sent': { code: -32003, status: 200, message: 'transaction rejected' },
  // EIP-7966.
  'not-included': {
    code: 4,
    status: 200,
    message: 'the transaction was sent and is in no block yet; its hash is in data',
  },
  'filter-not-found': { code: -32000, status: 200, message: 'filter not found' },
  'too-many-requests': { code: -32005, status: 429, message: 'too many requests' },
  overloaded: { code: -32005, status: 503, message: 'overloaded' },
  draining: { code: -32005, status: 503, message: 'draining' },
  'answer-too-large': { code: -32603, status: 200, message: 'answer too large' },
  breach: { code: -32603, status: 200, message: 'internal error' },
} as const satisfies Record<string, { code: number; status: number; message: string }>

export type ErrorName = keyof typeof sentences

/** How an error travels in a JSON-RPC response: `data` is left out where there is none. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

interface CallErrorOptions {
  /** In place of the code that the kind has: the specification's, or a quorum's. */
  readonly code?: number
  /** A sentence for the caller, in place of the fixed one. Ours, made of what the caller sent, or a quorum's; never one node's. */
  readonly message?: string
  readonly data?: unknown
  readonly retryAfterMs?: number
  /** A sentence for the log. Never leaves the process through a response. */
  readonly detail?: string
}

/**
 * A call that must stop, with two messages: `detail` for the log, `error` (code, message, data) for the caller.
 *
 * @example
 * throw new CallError('too-many-requests', { retryAfterMs: 1000, detail: 'the budget of 192.0.2.1 is spent' })
 */
export class CallError extends Error {
  readonly kind: ErrorName
  /** HTTP status when the call travels alone; in a batch it is 200. */
  readonly status: number
  readonly error: ErrorObject
  readonly retryAfterMs: number | undefined

  constructor(kind: ErrorName, options: CallErrorOptions = {}) {
    const { code, status, message } = sentences[kind]
    super(options.detail ?? options.message ?? message)
    this.name = 'CallError'
    this.kind = kind
    this.status = status
    this.retryAfterMs = options.retryAfterMs
    this.error = {
      code: options.code ?? code,
      message: options.message ?? message,
      ...(options.data === undefined ? {} : { data: options.data }),
    }
  }
}
