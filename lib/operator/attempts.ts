import { z } from 'zod'
import { callerKey } from '#rpc-proxy'
import type { Peers } from '../engine/peers.ts'
import { createWindowCount } from '../limits/window-count.ts'
import type { HostCounts } from '../observe/host-counts.ts'
import type { LogWriter } from '../observe/line.ts'
import { createPseudonyms } from '../observe/pseudonym.ts'
import { createThrottledLog } from '../observe/throttle.ts'

const failure = z.object({ caller: z.string().nullable(), way: z.enum(['bearer', 'login', 'key']) })

/** How a token was presented; `key` for the key of a caller. */
export type Way = 'bearer' | 'login' | 'key'

/** Wrong tokens per window, and wrong keys, of one caller and of all, that get 401. Further ones get 429. */
const failuresMax = { windowMs: 60_000, perCallerMax: 5, perSiteMax: 50 }
const lineEveryMs = 1000

export const retryAfterS = failuresMax.windowMs / 1000

export type Attempts = ReturnType<typeof createAttempts>

/**
 * Logs the operator's logins and log-outs; logs, counts and limits wrong tokens and wrong keys of callers, each by themselves.
 *
 * A valid token is never refused. Otherwise, where callers cannot be told apart, anybody could lock the operator out with wrong
 * ones. The token's length prevents guessing; this makes attempts visible.
 */
export function createAttempts(
  log: LogWriter,
  {
    now,
    counts,
    peers = null,
  }: {
    readonly now: () => number
    readonly counts: Pick<HostCounts, 'counter'>
    readonly peers?: Peers | null
  },
) {
  const count = counts.counter<Way>('operator_refused_total', 'way')
  const write = createThrottledLog(log, { everyMs: lineEveryMs, now })
  const tokens = createWindowCount(failuresMax, now)
  const keys = createWindowCount(failuresMax, now)
  const windowOf = (way: Way) => (way === 'key' ? keys : tokens)
  const pseudonym = createPseudonyms()
  // Attempts at other processes count too: one limit for all of them.
  peers?.on('wrong-token', (value) => {
    const { data } = failure.safeParse(value)
    if (data !== undefined) windowOf(data.way).count(data.caller)
  })
  const nameOf = (caller: string | null) => caller && pseudonym(callerKey(caller))

  return {
    /** Counts a wrong token. True when its caller, or all callers together, sent too many. */
    fail(way: Way, caller: string | null): boolean {
      count(way)
      const { isOver, all } = windowOf(way).count(caller)
      const isTooMany = isOver || all > failuresMax.perSiteMax
      // Over the limit, nothing is sent: the other replicas refuse the caller already, and a stranger cannot flood Redis.
      if (!isTooMany) peers?.send('wrong-token', { caller, way })
      const [event, message] =
        way === 'key'
          ? ['key-refused', 'an unknown or ended key']
          : ['operator-refused', 'a wrong operator token']
      write(way, { level: 'warn', event, message, fields: { way, caller: nameOf(caller), failures: all } })
      return isTooMany
    },
    note(event: 'operator-login' | 'operator-logout', caller: string | null): void {
      const message = event === 'operator-login' ? 'the operator logged in' : 'the operator logged out'
      log.write({ level: 'info', event, message, fields: { caller: nameOf(caller) } })
    },
  }
}
