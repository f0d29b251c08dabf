import { createHash } from 'node:crypto'
import type { ResultPeers, ResultPlace, Series } from '#rpc-proxy'
import packageJson from '../../package.json' with { type: 'json' }
import type { Peers } from '../engine/peers.ts'
import { Counter } from '../observe/counter.ts'
import { prefix } from '../public-names.ts'
import { createRedisClient } from './redis-client.ts'
import type { Seal } from './sealed-text.ts'
import { createTurns } from './turns.ts'

/** A Redis that was late as often in a row is left alone for a while, so that it costs nothing. */
const lateMax = 5
const restMs = 1_000
/** A longer one is read from nodes again: Redis would be held up by it for others. */
const textCharsMax = 64 * 1024
/** More is nothing of ours, and not fetched: who can write to Redis could fill a process's memory with it. */
const fetchBytesMax = 4 * textCharsMax
const inFlightMax = 512

type Outcome = 'found' | 'awaited' | 'absent' | 'late' | 'away' | 'forged'
const outcomes: readonly Outcome[] = ['found', 'awaited', 'absent', 'late', 'away', 'forged']

interface ResultsOptions {
  readonly peers: Peers
  readonly seal: Seal
  readonly now: () => number
  /** How long a call may wait for Redis; after that it goes to nodes. */
  readonly findMsMax?: number
}

interface Found {
  readonly text: string | null
  readonly why: Outcome
}

export interface RedisResults extends ResultPeers {
  readonly series: () => readonly Series<number>[]
  readonly close: () => void
}

/** Results of all processes of one version, sealed for their chain and key. */
export function createRedisResults(
  url: string,
  { peers, seal, now, findMsMax = 4 }: ResultsOptions,
): RedisResults {
  const counted = new Counter<Outcome>('shared_results_total', 'outcome', outcomes)
  const client = createRedisClient(url)
  client.on('error', () => {})
  void client.connect().catch(() => {})
  const turns = createTurns(client, peers, now)
  let late = 0
  let restUntilMs = 0
  let inFlight = 0

  const isUsable = () => client.isReady && inFlight < inFlightMax && now() >= restUntilMs

  async function get(key: string): Promise<string | null> {
    inFlight += 1
    try {
      return (await client.getRange(key, 0, fetchBytesMax)) || null
    } finally {
      inFlight -= 1
    }
  }

  /** The sealed text, or why there is none. */
  async function read(key: string): Promise<string | Outcome> {
    if (!isUsable()) return 'away'
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<'late'>((resolve) => {
      // If the event loop was late, a reply that has already arrived is read first.
      timer = setTimeout(() => setImmediate(resolve, 'late'), findMsMax)
    })
    const found = await Promise.race([
      get(key).then(
        (text) => text ?? 'absent',
        () => 'away' as const,
      ),
      timeout,
    ])
    clearTimeout(timer)
    late = found === 'late' ? late + 1 : 0
    if (late >= lateMax) {
      restUntilMs = now() + restMs
      late = 0
    }
    return found
  }

  async function find({ chain, key }: ResultPlace): Promise<Found> {
    const place = placeOf(chain, key)
    const found = await read(keyOf(place))
    const text = isOutcome(found) ? null : seal.open(place, found)
    const why = isOutcome(found) ? found : text === null ? 'forged' : 'found'
    counted.add(why)
    return { text, why }
  }

  async function findOrLead(place: ResultPlace, untilMs: number): ReturnType<ResultPeers['findOrLead']> {
    const key = `${keyOf(placeOf(place.chain, place.key))}:turn`
    const listener = turns.listen(key)
    // Before the look: what an earlier leader kept is then found, and the lock's reply is there first.
    const turn = isUsable() ? turns.claim(key) : Promise.resolve('unknown' as const)
    const leading = turn.then((whose) => (whose === 'own' ? turns.lead(key) : null))
    const onEnd = (text: string | null) => void leading.then((end) => end?.(text))
    const { text, why } = await find(place)
    // Only where Redis answers in time is anybody waited for.
    const isElsewhere = why === 'absent' && (await turn) === 'other'
    const awaited = isElsewhere ? await listener.wait(untilMs) : null
    listener.close()
    if (awaited !== null) counted.add('awaited')
    return { text: awaited ?? (isElsewhere ? (await find(place)).text : text), onEnd }
  }

  return {
    find: async (place) => (await find(place)).text,
    findOrLead,
    keep({ chain, key }, text, ms) {
      if (!isUsable() || text.length > textCharsMax) return
      const place = placeOf(chain, key)
      const expiration = { type: 'PX', value: Math.max(1, Math.round(ms)) } as const
      inFlight += 1
      client
        .set(keyOf(place), seal.close(place, text), { expiration })
        // A full Redis takes nothing more; the results that it has go on to serve.
        .catch(() => {})
        .finally(() => {
          inFlight -= 1
        })
    },
    series: () => counted.series(),
    close: () => client.destroy(),
  }
}

/** Evidence of another version may have another form. */
const placeOf = (chain: string, key: string) => ['result', packageJson.version, chain, key]

const isOutcome = (text: string): text is Outcome => outcomes.includes(text as Outcome)

/** Keys have params in them, of any length. */
function keyOf(place: readonly string[]): string {
  return `${prefix}:result:${createHash('sha256').update(JSON.stringify(place)).digest('base64url')}`
}
