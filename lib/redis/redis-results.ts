import { createHash } from 'node:crypto'
import type { ResultPeers, ResultPlace, Series } from '#rpc-proxy'
import packageJson from '../../package.json' with { type: 'json' }
import { Counter } from '../observe/counter.ts'
import { prefix } from '../public-names.ts'
import { textAt } from './bounded-text.ts'
import { createRedisClient } from './redis-client.ts'
import { inTime, lateFault } from './redis-connection.ts'
import type { Seal } from './sealed-text.ts'

/** A Redis that was late as often in a row is left alone for a while, so that it costs nothing. */
const lateMax = 5
const restMs = 1_000
/** A longer one is read from nodes again: Redis would be held up by it for others. */
const textCharsMax = 64 * 1024
const inFlightMax = 512

/** More than that is no result, and not fetched. */
const fetchBytesMax = 256 * 1024

type Outcome = 'found' | 'absent' | 'late' | 'away' | 'forged'
const outcomes: readonly Outcome[] = ['found', 'absent', 'late', 'away', 'forged']

interface ResultsOptions {
  readonly seal: Seal
  readonly now: () => number
  /** How long a call may wait for Redis; after that it goes to nodes. */
  readonly findMsMax?: number
}

export interface RedisResults extends ResultPeers {
  readonly series: () => readonly Series<number>[]
  readonly close: () => void
}

/** Results of all processes of one version, sealed for their chain and key. */
export function createRedisResults(url: string, { seal, now, findMsMax = 4 }: ResultsOptions): RedisResults {
  const counted = new Counter<Outcome>('shared_results_total', 'outcome', outcomes)
  const client = createRedisClient(url)
  client.on('error', () => {})
  void client.connect().catch(() => {})
  let late = 0
  let restUntilMs = 0
  let inFlight = 0

  const isUsable = () => client.isReady && inFlight < inFlightMax && now() >= restUntilMs

  /** Null where Redis is to be left alone. */
  function run<Reply>(command: () => Promise<Reply>): Promise<Reply> | null {
    if (!isUsable()) return null
    inFlight += 1
    return command().finally(() => {
      inFlight -= 1
    })
  }

  /** What Redis replies, or why there is nothing. */
  async function replyOf(running: Promise<string> | null): Promise<string> {
    if (running === null) return 'away'
    const reply = await inTime(running, findMsMax).catch((fault) => (fault === lateFault ? 'late' : 'away'))
    late = reply === 'late' ? late + 1 : 0
    if (late >= lateMax) {
      restUntilMs = now() + restMs
      late = 0
    }
    return reply
  }

  /** What was kept at this place. */
  async function find({ chain, key }: ResultPlace): Promise<string | null> {
    const place = placeOf(chain, key)
    const sealed = await replyOf(run(() => textAt(client, keyOf(place), fetchBytesMax)))
    if (sealed === 'late' || sealed === 'away' || sealed === '') {
      counted.add(sealed === '' ? 'absent' : sealed)
      return null
    }
    const text = seal.open(place, sealed)
    counted.add(text === null ? 'forged' : 'found')
    return text
  }

  return {
    find,
    keep({ chain, key }, text, ms) {
      if (text.length > textCharsMax) return
      const place = placeOf(chain, key)
      const expiration = { type: 'PX', value: Math.max(1, Math.round(ms)) } as const
      const writing = run(() => client.set(keyOf(place), seal.close(place, text), { expiration }))
      if (writing === null) return
      // A full Redis takes nothing more; the results that it has go on to serve.
      writing.catch(() => {})
    },
    series: () => counted.series(),
    close: () => client.destroy(),
  }
}

/** Evidence of another version may have another form. */
const placeOf = (chain: string, key: string) => ['result', packageJson.version, chain, key]

/** Keys have params in them, of any length. */
function keyOf(place: readonly string[]): string {
  return `${prefix}:result:${createHash('sha256').update(JSON.stringify(place)).digest('base64url')}`
}
