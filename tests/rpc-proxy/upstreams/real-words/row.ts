import { systemClock } from '../../../../rpc-proxy/clock.ts'
import { type ErrorContext, ofOurOwn } from '../../../../rpc-proxy/upstreams/errors/rule.ts'
import { createExchange } from '../../../../rpc-proxy/upstreams/exchange.ts'
import type { Reply } from '../../../../rpc-proxy/wire/types.ts'

/** What was asked: each stands for a method, or for several that are treated alike. */
export const asked = {
  look: { method: 'eth_getBlockByNumber', context: ofOurOwn },
  read: { method: 'eth_getBalance', context: { ...ofOurOwn, atBlock: true } },
  hash: { method: 'eth_getTransactionReceipt', context: ofOurOwn },
  fees: { method: 'eth_feeHistory', context: { ...ofOurOwn, chosen: true, atBlock: true } },
  proof: { method: 'eth_getProof', context: { ...ofOurOwn, chosen: true, atBlock: true } },
  logs: { method: 'eth_getLogs', context: { ...ofOurOwn, ranges: true, chosen: true, atBlock: true } },
  call: {
    method: 'eth_call',
    context: { ...ofOurOwn, executes: true, gasGiven: true, chosen: true, atBlock: true },
  },
  estimate: {
    method: 'eth_estimateGas',
    context: { ...ofOurOwn, executes: true, chosen: true, atBlock: true },
  },
  simulate: {
    method: 'eth_simulateV1',
    context: { ...ofOurOwn, executes: true, chosen: true, atBlock: true },
  },
  send: { method: 'eth_sendRawTransaction', context: { ...ofOurOwn, sends: true, chosen: true } },
} as const satisfies Record<string, { readonly method: string; readonly context: ErrorContext }>

export type Asked = keyof typeof asked

/** One thing that one node or provider sends. */
export interface Row {
  readonly who: string
  readonly asks: readonly Asked[]
  /** HTTP status, 200 where it is left out. */
  readonly http?: number
  readonly retryAfter?: string
  readonly code?: number
  readonly message?: string
  readonly data?: unknown
  /** The body, where it is no response object with that error; `ID` in it becomes the call's id. */
  readonly body?: string
  /** A reply in words, see `inWords`. */
  readonly wanted: string
  /** Blocks in one call that the words say it takes. */
  readonly takes?: number
}

/** All rows are sent at this moment: a day has twelve hours left. */
export const nowMs = Date.UTC(2026, 10, 22, 12)

/** The body that a row sends to a call with this id. */
export function bodyOf({ body, code, message, data }: Row, id: number): string {
  if (body !== undefined) return body.replaceAll('ID', String(id))
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

/** What the engine reads where a node sends this to a call that travels alone. */
export function alone(row: Row, ask: Asked): Promise<Reply> {
  const exchange = createExchange(
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

/** The same in a batch joined a call that is answered; how both are read. Only what is not chosen travels so. */
export function besideAnother(row: Row, ask: Asked): Promise<readonly Reply[]> {
  const exchange = createExchange(
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

/** `behind`, `revert 0x`, `refusal:class`, `cannot:why`, `fault:kind`; after a limited rate how long it rests, in ms. */
export function inWords(reply: Reply): string {
  switch (reply.kind) {
    case 'revert':
      return `revert ${reply.data}`
    case 'refusal':
      return `refusal:${reply.class}`
    case 'cannot':
      return `cannot:${reply.why}${reply.isGuess ? ' once' : ''}`
    case 'fault':
      return `fault:${reply.fault}${reply.retryAfterMs === undefined ? '' : ` ${reply.retryAfterMs}`}`
    default:
      return reply.kind
  }
}
