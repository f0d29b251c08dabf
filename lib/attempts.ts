import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { callerKey, type Series } from '#rpc-proxy'
import { prefix } from './names.ts'
import type { Log } from './observe/line.ts'
import { createThrottle } from './observe/throttle.ts'

/** How a token was shown. */
export type Way = 'bearer' | 'login'

/** Wrong tokens in a window that are answered as wrong: of one caller, and of all of them. Later ones are answered 429. */
const callerFailuresMax = 5
const failuresMax = 50
const windowMs = 60_000
/** Callers that are told apart in a window; the rest count among all. */
const callersMax = 10_000
const lineEveryMs = 1000

export const retryAfterS = windowMs / 1000

/**
 * Logs logins and log-outs of the operator; logs, counts and limits wrong tokens.
 *
 * The right token is never refused: where callers cannot be told apart, a stranger who sends wrong ones would lock the operator
 * out. Guessing is prevented by the token's length; this makes it visible.
 */
export interface Attempts {
  /** Notes a wrong token; whether its caller, or all together, have sent too many. */
  readonly fail: (way: Way, caller: string | null) => boolean
  readonly note: (event: 'operator-login' | 'operator-logout', caller: string | null) => void
  readonly counters: () => Series<number>[]
}

export function createAttempts(log: Log, now: () => number): Attempts {
  const counts = new Map<Way, number>()
  const throttle = createThrottle(lineEveryMs)
  const secret = crypto.getRandomValues(new Uint8Array(32))
  let startMs = Number.NEGATIVE_INFINITY
  let all = 0
  let byCaller = new Map<string, number>()

  /** A keyed hash: the same caller has the same name in one process's log, and the address cannot be read from it. */
  const nameOf = (caller: string | null) =>
    caller && bytesToHex(hmac(sha256, secret, utf8ToBytes(callerKey(caller)))).slice(0, 12)

  function failuresOf(caller: string | null): number {
    if (now() - startMs >= windowMs) {
      startMs = now()
      all = 0
      byCaller = new Map()
    }
    all += 1
    const key = caller === null ? null : callerKey(caller)
    if (key === null || (byCaller.size >= callersMax && !byCaller.has(key))) return 0
    const own = (byCaller.get(key) ?? 0) + 1
    byCaller.set(key, own)
    return own
  }

  return {
    fail(way, caller) {
      counts.set(way, (counts.get(way) ?? 0) + 1)
      const own = failuresOf(caller)
      const held = throttle.pass(way, now())
      const fields = { way, caller: nameOf(caller), failures: all, ...(held ? { held } : {}) }
      if (held !== null)
        log.write({ level: 'warn', event: 'operator-refused', message: 'a wrong operator token', fields })
      return own > callerFailuresMax || all > failuresMax
    },
    note(event, caller) {
      const message = event === 'operator-login' ? 'the operator logged in' : 'the operator logged out'
      log.write({ level: 'info', event, message, fields: { caller: nameOf(caller) } })
    },
    counters: () =>
      [...counts].map(([way, value]) => ({
        name: `${prefix}_operator_refused_total`,
        labels: { way },
        value,
      })),
  }
}
