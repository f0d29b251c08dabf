import { createSeal } from '#lib/redis/sealed-text.ts'
import type { BudgetPeers, ResultPeers, ResultPlace } from '#rpc-proxy'
import { createChance } from './chance.ts'
import { createSharedMessages, type SharedMessages } from './shared-messages.ts'
import type { Time } from './time.ts'

/** What replicas share, as a Redis that cannot be relied on: it lags, forgets, says something else than was kept, and splits in two. */
export interface SharedMemory {
  readonly portsOf: (replica: number) => {
    readonly resultPeers: ResultPeers
    readonly budgetPeers: BudgetPeers
  }
  readonly peersOf: SharedMessages['peersOf']
}

interface MemoryPorts {
  readonly time: Time
  /** From then on it can be relied on, and a second later replicas hear each other; epoch milliseconds. */
  readonly calmMs: number
  readonly note: (what: string) => void
  readonly log: (line: string) => void
}

/** As the host bounds a look. */
const findMsMax = 4

/** One of the two halves that a split makes of the memory. */
interface Half {
  /** The sealed texts that were ever kept under a key, the newest last. */
  readonly kept: Map<string, string[]>
}

export function createSharedMemory(seed: number, { time, calmMs, note, log }: MemoryPorts): SharedMemory {
  const chance = createChance(seed ^ 0x27d4eb2f)
  const seal = createSeal('a secret of the simulation')
  const [liesShare, forgetsShare] = [chance.pick([0, 0.3]), chance.pick([0, 0.2])]
  const lagMsMax = chance.pick([0, 20, 400])
  const splitMs = chance.roll(0.3) ? time.now() + chance.int(5_000) : Number.POSITIVE_INFINITY
  const mendMs = splitMs + chance.int(5_000)
  const halves = [0, 1].map((): Half => ({ kept: new Map() }))
  const takes: ((key: string, cost: number) => void)[] = []
  const isCalm = () => time.now() >= calmMs
  const isSplit = () => time.now() >= splitMs && time.now() < mendMs && !isCalm()
  const halfOf = (replica: number) => (isSplit() && replica % 2 === 1 ? 1 : 0)
  const lies = () => !isCalm() && chance.roll(liesShare)
  const forgets = () => !isCalm() && chance.roll(forgetsShare)
  const after = (ms: number, run: () => void) => time.at(time.now() + ms, 0.5, run)
  const lag = () => chance.int(lagMsMax + 1)
  const messages = createSharedMessages({
    seal,
    time,
    note,
    faults: { chance, lies, forgets, lagMs: lag, halfOf },
  })
  if (mendMs < calmMs) after(mendMs - time.now(), messages.join)
  after(calmMs + 1_000 - time.now(), messages.join)
  const late = <Value>(value: Value) =>
    new Promise<Value>((resolve) => after(Math.min(lag(), findMsMax), () => resolve(value)))

  /** What somebody put there: another key's text, an older one of this key, or one that was changed. */
  function lie(half: Half, texts: readonly string[]): string | undefined {
    note('shared: a lie')
    const text = texts.at(-1) ?? ''
    return chance.pick([
      chance.pick([...half.kept.values()].flat()),
      texts[0],
      text.replace('"raw":"', '"raw":"0x1'),
      text.slice(0, chance.int(text.length + 1)),
    ])
  }

  function look(replica: number, { chain, key }: ResultPlace): string | null {
    const half = halves[halfOf(replica)] as Half
    const texts = half.kept.get(`${chain} ${key}`) ?? []
    const sealed = half.kept.size > 0 && lies() ? lie(half, texts) : texts.at(-1)
    if (sealed === undefined || forgets()) return null
    const text = seal.open(['result', chain, key], sealed)
    if (text !== null) note('shared: found')
    return text
  }

  return {
    peersOf: messages.peersOf,
    portsOf: (replica) => ({
      resultPeers: {
        find: (place) => late(look(replica, place)),
        keep(place, text) {
          const half = halfOf(replica)
          const sealed = seal.close(['result', place.chain, place.key], text)
          log(`KEEP ${replica} ${place.key}`)
          if (!forgets())
            after(lag(), () => keep(halves[half] as Half, `${place.chain} ${place.key}`, sealed))
        },
      },
      budgetPeers: {
        spent(key, cost) {
          for (const [other, take] of takes.entries())
            if (other !== replica && halfOf(other) === halfOf(replica) && !forgets())
              after(lag(), () => take(key, cost))
        },
        listen(take) {
          takes[replica] = take
        },
      },
    }),
  }
}

function keep({ kept }: Half, key: string, sealed: string): void {
  kept.set(key, [...(kept.get(key) ?? []), sealed])
}
