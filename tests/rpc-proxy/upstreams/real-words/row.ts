import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'
import { type ErrorContext, ofOurOwn } from '../../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import { createPostCalls } from '../../../../rpc-proxy/upstreams/post-calls.ts'
import type { Reply } from '../../../../rpc-proxy/wire/types.ts'

/** The call that was asked. Each kind covers methods that are treated alike. */
export const asked = {
  look: { method: 'eth_getBlockByNumber', context: ofOurOwn },
  read: { method: 'eth_getBalance', context: { ...ofOurOwn, atBlock: true } },
  hash: { method: 'eth_getTransactionReceipt', context: ofOurOwn },
  fees: { method: 'eth_feeHistory', context: { ...ofOurOwn, callerControlled: true, atBlock: true } },
  proof: { method: 'eth_getProof', context: { ...ofOurOwn, callerControlled: true, atBlock: true } },
  logs: {
    method: 'eth_getLogs',
    context: { ...ofOurOwn, ranges: true, callerControlled: true, atBlock: true },
  },
  call: {
    method: 'eth_call',
    context: { ...ofOurOwn, executes: true, gasGiven: true, callerControlled: true, atBlock: true },
  },
  estimate: {
    method: 'eth_estimateGas',
    context: { ...ofOurOwn, executes: true, callerControlled: true, atBlock: true },
  },
  simulate: {
    method: 'eth_simulateV1',
    context: { ...ofOurOwn, executes: true, callerControlled: true, atBlock: true },
  },
  send: { method: 'eth_sendRawTransaction', context: { ...ofOurOwn, sends: true, callerControlled: true } },
} as const satisfies Record<string, { readonly method: string; readonly context: ErrorContext }>

export type Asked = keyof typeof asked

/** One reply of a node or provider. */
export interface Row {
  readonly who: string
  readonly requests: readonly Asked[]
  /** HTTP status, 200 by default. */
  readonly http?: number
  readonly retryAfter?: string
  readonly code?: number
  readonly message?: string
  readonly data?: unknown
  /** The body, if it is not a response object with that error. `ID` is replaced by the id of the call. */
  readonly body?: string
  /** The expected reply, see `inWords`. */
  readonly wanted: string
  /** The maximum block range that the message names. */
  readonly takes?: number
}

/** Time of all rows, twelve hours before midnight. */
export const nowMs = Date.UTC(2026, 10, 22, 12)

/** The body of a row for a call with this id. */
export function bodyOf({ body, code, message, data }: Row, id: number): string {
  if (body !== undefined) return body.replaceAll('ID', String(id))
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

/** How the engine reads this reply to a single call. */
export function alone(row: Row, ask: Asked): Promise<Reply> {
  const exchange = createPostCalls(
    { url: 'http://node.example', headers: {}, batchCallsMax: 1, answerBytesMax: 1 << 20 },
    {
      clock: { ...systemClock(), now: () => nowMs },
      send: async ({ body }) => ({
        status: row.http ?? 200,
        retryAfter: row.retryAfter ?? null,
        body: bodyOf(row, JSON.parse(body).id),
      }),
    },
  )
  return exchange({ ...asked[ask], params: '[]' }, new AbortController().signal)
}

/** How the engine reads both replies of a batch with this call and one that is answered. Chosen work is never batched. */
export function besideAnother(row: Row, ask: Asked): Promise<readonly Reply[]> {
  const exchange = createPostCalls(
    { url: 'http://node.example', headers: {}, batchCallsMax: 2, answerBytesMax: 1 << 20 },
    {
      clock: { ...systemClock(), now: () => nowMs },
      async send({ body }) {
        const [first, second]: { id: number }[] = JSON.parse(body)
        const answer = `{"jsonrpc":"2.0","id":${second?.id},"result":"0x7"}`
        return { status: 200, retryAfter: null, body: `[${bodyOf(row, first?.id ?? 0)},${answer}]` }
      },
    },
  )
  const put = (which: Asked) => exchange({ ...asked[which], params: '[]' }, new AbortController().signal)
  return Promise.all([put(ask), put('hash')])
}

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
