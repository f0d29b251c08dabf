import { SendFault } from '#rpc-proxy'

/** A call as a node received it. */
export interface ReceivedCall {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
  /** All calls of the same POST, including this one. */
  readonly batch?: readonly ReceivedCall[]
}

/** How and when a node replies to a call. Null is no reply. */
export interface TimedReply {
  readonly afterMs: number
  readonly says: ReplyContent | null
  /** The reply has arrived, but the host has no buffer space for it. */
  readonly waits?: true
}

export type ReplyContent =
  /** A response object, alone or at its place in a batch. */
  | { readonly object: string }
  /** A whole HTTP response, for all calls of the POST. */
  | {
      readonly body: string | Uint8Array
      readonly status: number
      readonly retryAfter: string | null
    }
  | { readonly fault: SendFault }

export type Reply = (received: ReceivedCall) => TimedReply

const object = (received: ReceivedCall, members: string): TimedReply => ({
  afterMs: 0,
  says: { object: `{"jsonrpc":"2.0","id":${JSON.stringify(received.id)},${members}}` },
})

export const says =
  (result: unknown): Reply =>
  (received) =>
    object(received, `"result":${JSON.stringify(result)}`)

/** A result as JSON text. */
export const saysText =
  (raw: string): Reply =>
  (received) =>
    object(received, `"result":${raw}`)

/** An error object. */
export const fails =
  (code: number, message: string, data?: unknown): Reply =>
  (received) =>
    object(received, `"error":${JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) })}`)

export const reverts = (data: string): Reply => fails(3, 'execution reverted', data)
export const limited = fails(-32005, 'limit exceeded')
export const unauthorized = fails(-32000, 'Unauthorized: API key is missing')
/** The node does not have the block yet. */
export const isBehind = fails(-32000, 'header not found')

export const hangs: Reply = () => ({ afterMs: 0, says: null })
/** Replies, but the host never has buffer space for it. */
export const waitsForRoom: Reply = () => ({ afterMs: 0, says: null, waits: true })

/** Delays a reply. */
export const late =
  (ms: number, reply: Reply): Reply =>
  (received) => {
    const timed = reply(received)
    return { ...timed, afterMs: timed.afterMs + ms }
  }

/** Replies in sequence; the last one repeats. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let turn = 0
  return (received) => (replies[Math.min(turn++, replies.length - 1)] as Reply)(received)
}

/** A whole HTTP response. */
export const answersHttp =
  (status: number, body: string | Uint8Array = '', retryAfter: string | null = null): Reply =>
  () => ({ afterMs: 0, says: { body, status, retryAfter } })

const breaks =
  (kind: SendFault['kind']): Reply =>
  () => ({ afterMs: 0, says: { fault: new SendFault(kind) } })

/** A body that depends on the id of the call. */
export const answersBody =
  (bodyOf: (id: string) => string | Uint8Array, status = 200): Reply =>
  ({ id }) => ({ afterMs: 0, says: { body: bodyOf(JSON.stringify(id)), status, retryAfter: null } })

/** Every kind of noise listed under "fault" in quorum.md, by its name there. Each would give `lie` if it were accepted. */
export function noises(lie: string): Readonly<Record<string, Reply>> {
  const result = `"result":${JSON.stringify(lie)}`
  const whole = (id: string) => `{"jsonrpc":"2.0","id":${id},${result}}`
  return {
    'a closed connection': breaks('connection'),
    'HTTP 400': answersHttp(400, 'bad request'),
    'HTTP 403': answersHttp(403, 'forbidden'),
    'HTTP 500': answersHttp(500, 'oops'),
    'HTTP 503': answersHttp(503),
    'HTTP 204': answersHttp(204),
    'HTTP 429': answersHttp(429, '', '1'),
    'an HTML page': answersHttp(200, '<html><body>cloud</body></html>'),
    'an empty body': answersHttp(200, ''),
    'a body that is cut off': answersBody((id) => whole(id).slice(0, -3)),
    'a body that goes on': answersBody((id) => `${whole(id)}x`),
    'two objects': answersBody((id) => `${whole(id)}${whole(id)}`),
    'JSON that is none': answersBody((id) => whole(id).replaceAll('"', "'")),
    'JSON with a bad member': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"x":nope,${result}}`),
    'JSON with a bad key': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"a\nb":1,${result}}`),
    'JSON with a bad escape': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"x":"\\q",${result}}`),
    'bytes that are not UTF-8': answersBody((id) => {
      const bytes = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"x":"?",${result}}`)
      return bytes.map((byte) => (byte === 63 ? 0xff : byte))
    }),
    'a result twice': answersBody((id) => `{"jsonrpc":"2.0","id":${id},${result},${result}}`),
    'an id twice': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"id":${id},${result}}`),
    'an id hidden behind an escape': answersBody(
      (id) => `{"jsonrpc":"2.0","id":${id},"\\u0069d":7,${result}}`,
    ),
    'another id': answersBody(() => whole('987654321')),
    'an id that is text': answersBody((id) => whole(`"${id}"`)),
    'an id that is null': answersBody(() => whole('null')),
    'no id': answersBody(() => `{"jsonrpc":"2.0",${result}}`),
    'jsonrpc 1.0': answersBody((id) => whole(id).replace('2.0', '1.0')),
    'no jsonrpc': answersBody((id) => `{"id":${id},${result}}`),
    'result and error': answersBody(
      (id) => `{"jsonrpc":"2.0","id":${id},${result},"error":{"code":3,"message":"no"}}`,
    ),
    'neither result nor error': answersBody((id) => `{"jsonrpc":"2.0","id":${id}}`),
    'an error that is text': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"error":"no"}`),
    'an error that is null': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"error":null}`),
    'an array with the answer': answersBody((id) => `[${whole(id)}]`),
    'a result of another type': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":1}}`),
    'a result that is no quantity': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"result":"zero"}`),
    'null where null means nothing': answersBody((id) => `{"jsonrpc":"2.0","id":${id},"result":null}`),
    'a redirect': breaks('redirect'),
    'a redirect that was not followed': answersHttp(302, ''),
    'a body over the cap': breaks('too-large'),
    'an error without words': fails(-32099, 'server error'),
  }
}
