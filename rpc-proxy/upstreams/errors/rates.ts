import { dayMs } from '../../runtime/period-counts.ts'
import type { NodeError } from '../../wire/json-rpc.ts'
import { type ErrorPattern, rateLimited, wordsOf } from './error-pattern.ts'

const rateWords =
  /rate[- ]?limit|too many requests?|request limit|requests? per (second|minute)|per[- ]second|\brps\b|compute units|capacity exceeded|throttl|concurrent (calls|requests|connections)/i
/** An allowance for a day or a month. */
const quotaWords =
  /\bmonthly\b|\bdaily\b|per (day|month)|usage limit|quota|credits|capacity limit exceeded|payment required/i

/** Only clear words of a rate, or the code of HTTP 429: what a caller chose must not make a node rest. */
export const rateRules: readonly ErrorPattern[] = [
  {
    applies: ({ code, message }) => code === 429 || rateWords.test(message) || quotaWords.test(message),
    reply: rateLimited,
  },
]

/** A quota without a stated time of renewal. */
const quotaMs = 6 * 3_600_000

/** No date is longer. */
const dateCharsMax = 40

const msPerUnit: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 }

/**
 * How long a node that limits us wants rest, milliseconds, as its words and data tell: when it says so, as long; a daily
 * quota until 00:00 UTC, another one for six hours; null where they tell nothing.
 */
export function restIn({ message, data }: NodeError, nowMs: number): number | null {
  const words = wordsOf(message)
  const statedMs = resetIn(data, nowMs) ?? durationIn(words)
  if (statedMs !== null || !quotaWords.test(words)) return statedMs
  return /\bdaily\b|per day/i.test(words) ? msToMidnight(nowMs) : quotaMs
}

/** Milliseconds to 00:00 UTC, when daily quotas are renewed. */
export const msToMidnight = (nowMs: number): number => dayMs - (nowMs % dayMs)

/** RFC 9110, 10.2.3: seconds or a date; some send `0.5` or `10s`. Null for what is neither. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.slice(0, dateCharsMax).trim() ?? ''
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s?$/i.exec(text)?.[1]
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  const ms = seconds === undefined ? date - nowMs : Number(seconds) * 1000
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}

/** "retry in 10s", "retry in 10m0s", "limit will reset in 60 seconds", "try again in 5 minutes". */
function durationIn(words: string): number | null {
  const statedMs = /\b(?:retry|try again|resets?|wait)\b[^\d]{0,24}(\d.{0,24})/i.exec(words)?.[1]
  if (statedMs === undefined) return null
  const part = /^,?\s?(\d{1,9}(?:\.\d{1,9})?)\s?(hours?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])/i
  let ms: number | null = null
  for (let rest = statedMs, found = part.exec(rest); found !== null; found = part.exec(rest)) {
    ms = (ms ?? 0) + Number(found[1]) * (msPerUnit[(found[2] ?? '').charAt(0).toLowerCase()] ?? 0)
    rest = rest.slice(found[0].length)
  }
  return ms
}

/** `resets_at`, epoch seconds, epoch milliseconds or a date. */
function resetIn(data: unknown, nowMs: number): number | null {
  if (typeof data !== 'object' || data === null) return null
  const { resets_at: at } = data as { resets_at?: unknown }
  const number =
    typeof at === 'number' || (typeof at === 'string' && /^\d{1,15}$/.test(at)) ? Number(at) : null
  const date = typeof at === 'string' && number === null ? Date.parse(at.slice(0, dateCharsMax)) : Number.NaN
  // Epoch seconds have this many digits for some thousand years.
  const resetMs = number === null ? date : number < 1e11 ? number * 1000 : number
  return Number.isFinite(resetMs) ? Math.max(resetMs - nowMs, 0) : null
}
