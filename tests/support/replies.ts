import { SendFault } from '#rpc-proxy'
import { type GarbageMaker, garbage } from './garbage.ts'

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

/** No response, and why. */
export const sendFault =
  (kind: SendFault['kind']): Reply =>
  () => ({ afterMs: 0, says: { fault: new SendFault(kind) } })

/** A body that depends on the id of the call. */
export const answersBody =
  (bodyOf: (id: string) => string | Uint8Array, status = 200): Reply =>
  ({ id }) => ({ afterMs: 0, says: { body: bodyOf(JSON.stringify(id)), status, retryAfter: null } })

/** Every kind of noise listed under "fault" in quorum.md. Each would give `lie` if it were accepted. */
export function noises(lie: string): Readonly<Record<string, Reply>> {
  const noise =
    (make: GarbageMaker): Reply =>
    ({ id }) => {
      const made = make(JSON.stringify(id), JSON.stringify(lie))
      return { afterMs: 0, says: 'fault' in made ? { fault: new SendFault(made.fault) } : made.response }
    }
  // A quorum that refuses in the same unknown words is believed.
  const { 'an unknown error': _, ...rest } = garbage
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, make]) => [name, noise(make)])),
    'HTTP 429': answersHttp(429, '', '1'),
    'null where null means nothing': says(null),
    'an error without words': fails(-32099, 'server error'),
  }
}
