import { createHash } from 'node:crypto'
import type { ResultPeers, ResultPlace, Series } from '#rpc-proxy'
import packageJson from '../../package.json' with { type: 'json' }
import type { Peers } from '../engine/peers.ts'
import { Counter } from '../observe/counter.ts'
import { prefix } from '../public-names.ts'
import { createRedisClient } from './redis-client.ts'
import { inTime, lateFault } from './redis-connection.ts'
import type { Seal } from './sealed-text.ts'
import { createTurns } from './turns.ts'

/** A Redis that was late as often in a row is left alone for a while, so that it costs nothing. */
const lateMax = 5
const restMs = 1_000
/** A longer one is read from nodes again: Redis would be held up by it for others. */
const textCharsMax = 64 * 1024
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

interface Sealed {
  readonly text: string | null
}

export interface RedisResults extends ResultPeers {
  /** What is kept there. */
  readonly find: (place: ResultPlace) => Promise<string | null>
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
  const turns = createTurns(client, { peers, seal, now })
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
  async function replyOf<Reply>(running: Promise<Reply> | null): Promise<Reply | 'late' | 'away'> {
    if (running === null) return 'away'
    const reply = await inTime(running, findMsMax).catch((fault) => (fault === lateFault ? 'late' : 'away'))
    late = reply === 'late' ? late + 1 : 0
    if (late >= lateMax) {
      restUntilMs = now() + restMs
      late = 0
    }
    return reply
  }

  /** What was kept at this place, if that is what was found. */
  function opened(place: readonly string[], found: Sealed | 'late' | 'away'): string | null {
    const sealed = typeof found === 'string' ? null : found.text
    const text = sealed === null ? null : seal.open(place, sealed)
    const why = text === null ? 'forged' : 'found'
    counted.add(typeof found === 'string' ? found : sealed === null ? 'absent' : why)
    return text
  }

  async function find({ chain, key }: ResultPlace): Promise<string | null> {
    const place = placeOf(chain, key)
    return opened(place, await replyOf(run(() => turns.look(keyOf(place)))))
  }

  async function findOrLead(at: ResultPlace, untilMs: number): ReturnType<ResultPeers['findOrLead']> {
    const place = placeOf(at.chain, at.key)
    const key = keyOf(place)
    const listener = turns.listen(key)
    const claiming = run(() => turns.claim(key))
    // Redis may give this process the turn after the call has stopped waiting for it. It ends all the same.
    const onEnd = (textOf: () => string | null) => {
      claiming?.then(
        ({ end }) => end(textOf),
        () => {},
      )
    }
    const claim = await replyOf(claiming)
    const text = opened(place, claim)
    // Only where Redis answers in time is anybody waited for.
    const isElsewhere = typeof claim !== 'string' && claim.isElsewhere
    const awaited = isElsewhere ? await listener.wait(untilMs) : null
    listener.close()
    if (awaited !== null) counted.add('awaited')
    const known = isElsewhere && awaited === null ? await find(at) : text
    return { text: awaited ?? known, isAwaited: awaited !== null, onEnd }
  }

  return {
    find,
    findOrLead,
    keep({ chain, key }, text, ms) {
      if (text.length > textCharsMax) return
      const place = placeOf(chain, key)
      const expiration = { type: 'PX', value: Math.max(1, Math.round(ms)) } as const
      const writing = run(() => client.set(keyOf(place), seal.close(place, text), { expiration }))
      if (writing === null) return
      turns.fill(keyOf(place))
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
