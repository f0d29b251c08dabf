import corpus from '../../../demo/nodes/clients/errors.json' with { type: 'json' }
import { fillIn } from '../../../demo/nodes/clients/fill-in.ts'
import { type ErrorContext, internalCall } from '../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import type { Reply } from '../../../rpc-proxy/wire/types.ts'

const chosen = { ...internalCall, callerControlled: true, atBlock: true }

/** The calls of the corpus. Each covers methods that are treated alike. */
export const corpusCalls = {
  look: { method: 'eth_getBlockByNumber', context: internalCall },
  read: { method: 'eth_getBalance', context: { ...internalCall, atBlock: true } },
  hash: { method: 'eth_getTransactionReceipt', context: internalCall },
  fees: { method: 'eth_feeHistory', context: chosen },
  proof: { method: 'eth_getProof', context: chosen },
  logs: { method: 'eth_getLogs', context: { ...chosen, ranges: true } },
  call: { method: 'eth_call', context: { ...chosen, executes: true, gasGiven: true } },
  estimate: { method: 'eth_estimateGas', context: { ...chosen, executes: true } },
  simulate: { method: 'eth_simulateV1', context: { ...chosen, executes: true } },
  send: {
    method: 'eth_sendRawTransaction',
    context: { ...internalCall, sends: true, callerControlled: true },
  },
} as const satisfies Record<string, { readonly method: string; readonly context: ErrorContext }>

export type CorpusCall = keyof typeof corpusCalls

/** What a client or provider replies to a call, and what is to come of it. */
export interface ErrorRow {
  readonly who: string
  /** What demo nodes of these clients say it for, and of which method; `{block}` and the like in its message are filled in. */
  readonly kinds?: readonly string[]
  readonly calls: readonly CorpusCall[]
  /** HTTP status, 200 by default. */
  readonly http?: number
  readonly retryAfter?: string
  readonly code?: number
  readonly message?: string
  readonly data?: unknown
  /** The body, if it is not a response object with that error. `ID` is replaced by the id of the call. */
  readonly body?: string
  /** See `inWords`. */
  readonly result: string
  /** The maximum block range that the message names. */
  readonly takes?: number
}

const values = {
  ...{ method: 'eth_getProof', block: 1101, blockHex: '0x44d', next: 1102, head: 1100 },
  ...{ reason: ': boom', gas: 30_000_000, sent: 3, state: 5 },
}
const sections = corpus as unknown as Readonly<Record<string, readonly ErrorRow[]>>

export const errorRows: typeof sections = Object.fromEntries(
  Object.entries(sections).map(([section, rows]) => [
    section,
    rows.map((row) => (row.kinds === undefined ? row : fillIn(row, values))),
  ]),
)

/** `behind`, `revert 0x`, `refusal:class`, `cannot:why`, `fault:kind`; after a rate limit also its rest in ms. */
export function inWords(reply: Reply): string {
  switch (reply.kind) {
    case 'reverted':
      return `revert ${reply.data}`
    case 'rejected':
      return `refusal:${reply.class}`
    case 'unsupported':
      return `cannot:${reply.why}${reply.isGuess ? ' once' : ''}`
    case 'fault':
      return `fault:${reply.fault}${reply.retryAfterMs === undefined ? '' : ` ${reply.retryAfterMs}`}`
    default:
      return reply.kind
  }
}
