import { ErrorReply, MultiErrorReply } from '@redis/client'
import type { HostCounts } from '../observe/host-counts.ts'
import type { LogWriter } from '../observe/line.ts'
import { createThrottledLog } from '../observe/throttle.ts'

/** What Redis says first when it refuses a command; any other word is `other`. */
const words = [
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'ERR',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'WRONGPASS',
  'other',
] as const
type Word = (typeof words)[number]

/** This is not, or no longer, the Redis to talk to: the connection ends, so that the name is looked up again. */
const ending: ReadonlySet<Word> = new Set(['READONLY', 'MOVED', 'LOADING', 'MASTERDOWN', 'NOAUTH'])
const lineEveryMs = 60_000

/** The first word of a refusal; null for what is none. That a key holds something else is about the key alone. */
function wordOf(cause: unknown): Word | null {
  const error = cause instanceof MultiErrorReply ? [...cause.errors()][0] : cause
  if (!(error instanceof ErrorReply)) return null
  const [first = ''] = error.message.split(' ', 1)
  if (first === 'WRONGTYPE') return null
  return words.find((word) => word === first) ?? 'other'
}

export const endsConnection = (cause: unknown): boolean => ending.has(wordOf(cause) ?? 'other')

/** Commands that Redis refused while it answers: counted by the refusal's first word, and one line a minute for each word. */
export function createRefusals(
  log: Pick<LogWriter, 'write'>,
  { now, counts }: { readonly now: () => number; readonly counts: Pick<HostCounts, 'counter'> },
): (cause: unknown) => void {
  const count = counts.counter<Word>('redis_refusals_total', 'word', words)
  const write = createThrottledLog(log, { everyMs: lineEveryMs, now })
  return (cause) => {
    const word = wordOf(cause)
    if (word === null) return
    count(word)
    const message = `Redis refuses commands: ${word}`
    write(word, { level: 'error', event: 'redis-refused', message, fields: {} })
  }
}
