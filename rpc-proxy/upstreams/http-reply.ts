import type { SendResponse } from '../events/ports.ts'
import type { FaultKind } from '../wire/fault.ts'
import { looseErrors, type NodeResponse, type Responses, readResponse } from '../wire/json-rpc.ts'
import type { Reply } from '../wire/types.ts'
import { classify } from './classify.ts'
import { type ErrorContext, type NodeError, thisCallAlone, wordsOf } from './errors/error-pattern.ts'
import { msToMidnight, restIn, retryAfterMs } from './errors/retry-after.ts'

/** What came of one POST. */
export type Received =
  /** A successful status with text. */
  | { readonly kind: 'text'; readonly text: string }
  /** Another status: its body may excuse the node, and is never a vote. */
  | {
      readonly kind: 'status'
      readonly status: number
      /** What the `Retry-After` header says, milliseconds; null where there is none that can be read. */
      readonly retryMs: number | null
      readonly text: string
    }
  | { readonly kind: 'fault'; readonly fault: FaultKind }

// The byte order mark is dropped below, on hosts that hand on text as well.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Sorts an HTTP response by its status. `nowMs`: epoch milliseconds. */
export function received({ status, retryAfter, body }: SendResponse, nowMs: number): Received {
  if (status >= 300 && status < 400) return { kind: 'fault', fault: 'redirect' }
  const text = withoutMark(typeof body === 'string' ? body : decoded(body))
  if (!isSuccess(status) || (status !== 200 && !text))
    return { kind: 'status', status, retryMs: retryAfterMs(retryAfter, nowMs), text: text ?? '' }
  return text === null ? { kind: 'fault', fault: 'malformed' } : { kind: 'text', text }
}

/** What a response object says to the call with this id. Another id, or none, is believed of errors that do not vote. */
export function replyTo(
  context: ErrorContext,
  id: number,
  response: NodeResponse | null,
  nowMs: number,
): Reply {
  if (response === null) return { kind: 'fault', fault: 'malformed' }
  const isOurs = response.id === String(id)
  if ('raw' in response)
    return isOurs ? { kind: 'result', raw: response.raw } : { kind: 'fault', fault: 'wrong-id' }
  const reply = judged(response.error, context, nowMs)
  if (isOurs) return reply
  return isVote(reply) ? { kind: 'fault', fault: 'wrong-id' } : excuseOf(reply)
}

/**
 * What a batch says to the call with this id. An error without an id may be meant for any of them: only that the node limits
 * us is believed.
 */
export function memberReply(
  context: ErrorContext,
  id: number,
  { byId, stray }: Responses,
  nowMs: number,
): Reply {
  const own = byId.get(String(id))
  if (own !== undefined) return replyTo(context, id, own, nowMs)
  const reply = stray === null ? null : replyTo(context, id, stray, nowMs)
  return reply !== null && isLimit(reply) ? reply : { kind: 'fault', fault: 'short-batch' }
}

/** What a call is told that shares its exchange with others, where one text is said to all of them. */
export function replyToWhole(context: ErrorContext, text: string, nowMs: number): Reply {
  const response = readResponse(text)
  if (response === null || !('error' in response)) return { kind: 'fault', fault: 'malformed' }
  return excuseOf(judged(response.error, context, nowMs))
}

/** What a call is told whose exchange brought no text to read answers from. */
export function replyToNone(
  context: ErrorContext,
  none: Exclude<Received, { kind: 'text' }>,
  nowMs: number,
): Reply {
  if (none.kind === 'fault')
    // An answer as large as its caller wanted it.
    return none.fault === 'too-large' && context.callerControlled
      ? { kind: 'unsupported', why: 'size' }
      : { kind: 'fault', fault: none.fault }
  const { status, retryMs, text } = none
  const [error] = looseErrors(text)
  if (status === 429 || status === 402) {
    const statedMs =
      retryMs ?? (error === undefined ? null : restIn(error, nowMs)) ?? restOf(status, text, nowMs)
    return { kind: 'fault', fault: 'rate-limited', retryAfterMs: statedMs }
  }
  const excuse = error === undefined ? pageExcuse(none, context) : excuseOf(judged(error, context, nowMs))
  // A gateway that gives a range up without a word: fewer blocks may do.
  if (context.ranges && tooMuchStatuses.has(status) && error === undefined)
    return { kind: 'unsupported', why: 'size' }
  if (isLimit(excuse)) return retryMs === null ? excuse : { ...excuse, retryAfterMs: retryMs }
  if (excuse.kind === 'unsupported' || excuse.kind === 'behind') return excuse
  // A gateway may say this of heavy work, which callers choose.
  if ((status === 403 || status === 503) && retryMs !== null && !context.callerControlled)
    return { kind: 'fault', fault: 'rate-limited', retryAfterMs: retryMs }
  return { kind: 'fault', fault: 'http' }
}

/**
 * How many calls a node takes in one batch, where it refuses one of `calls` as too much at a time: the number that it names,
 * else half; null where it does not. By HTTP 413, an answer over our cap, one error for all, an array of one, or an error in place of each.
 */
export function batchMaxAfter(reply: Received, calls: number): number | null {
  const half = Math.ceil(calls / 2)
  if (reply.kind === 'fault') return reply.fault === 'too-large' ? half : null
  if (reply.kind === 'status' && reply.status === 413) return half
  // Answers are long; words of a batch come first.
  if (!/batch/i.test(reply.text.slice(0, 1024))) return null
  const errors = looseErrors(reply.text)
  if (errors.length === 0 || !errors.every(rejectsBatch)) return null
  const numbers = [...wordsOf(errors[0]?.message ?? '').matchAll(/\b\d{1,6}\b/g)].map(Number)
  return Math.max(0, ...numbers.filter((number) => number < calls)) || half
}

/** Not within the reason of a revert, which a contract has written. */
function rejectsBatch({ code, message }: NodeError): boolean {
  const words = wordsOf(message)
  return code !== 3 && /\bbatch/i.test(words) && !/\brevert/i.test(words)
}

function judged(error: NodeError, context: ErrorContext, nowMs: number): Reply {
  const reply = classify(error, context)
  if (!isLimit(reply)) return reply
  const retryMs = restIn(error, nowMs)
  return retryMs === null ? reply : { ...reply, retryAfterMs: retryMs }
}

/** Words that were not said to this call alone count for nothing. */
export function excuseOf(reply: Reply): Reply {
  if (!('unknown' in reply)) return reply
  const { unknown: _, ...excuse } = reply
  return excuse
}

/** Too large a reply (413), or too much work for the time that a proxy or Cloudflare (524) gives. */
const tooMuchStatuses: ReadonlySet<number> = new Set([408, 413, 504, 524])

type Limit = Extract<Reply, { kind: 'fault' }>

const isLimit = (reply: Reply): reply is Limit => reply.kind === 'fault' && reply.fault === 'rate-limited'

const isVote = ({ kind }: Reply): boolean => kind === 'reverted' || kind === 'rejected' || kind === 'known'

/** How long a limit by status alone rests a node. */
function restOf(status: number, text: string, nowMs: number): number {
  if (status === 402) return msToMidnight(nowMs)
  return cloudflareError(text) === 1015 ? cloudflareBackoffMs : 1000
}

const cloudflareBackoffMs = 60_000

/** Cloudflare's own pages, before a node is reached: its limit of a rate, or a refusal to serve us at all. */
function pageExcuse(
  { status, text }: { readonly status: number; readonly text: string },
  { callerControlled }: ErrorContext,
): Reply {
  const number = cloudflareError(text)
  if (number === 1015) return { kind: 'fault', fault: 'rate-limited', retryAfterMs: cloudflareBackoffMs }
  const isRejection = status === 403 && (number !== null || /cloudflare/i.test(text.slice(0, 2048)))
  if (!isRejection) return { kind: 'fault', fault: 'http' }
  // A filter of theirs may have looked at the body, which the caller wrote.
  return callerControlled ? thisCallAlone : { kind: 'unsupported', why: 'unauthorized' }
}

function cloudflareError(text: string): number | null {
  const number = /\berror(?: code)?:? (10\d\d)\b/i.exec(text.slice(0, 2048))?.[1]
  return number === undefined ? null : Number(number)
}

/** Gateways answer 201, 203 or 206 with a good body; geth's client and `fetch` take every status of this class. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** RFC 8259, 8.1: JSON does not begin with a byte order mark, and who reads it may ignore one. */
function withoutMark(text: string | null): string | null {
  return text?.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function decoded(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}
