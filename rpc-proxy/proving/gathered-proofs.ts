import type { FlightScope } from '../cache/single-flight.ts'
import type { ProvenState } from '../methods/proves.ts'
import { gone, whenAllLeft } from '../runtime/abort.ts'
import { type Clock, deferOf } from '../runtime/clock.ts'
import { RoundCallers } from '../runtime/fair-slots.ts'
import { slotsMax } from './proof-record.ts'
import type { Proven } from './proof-round.ts'

/** The slots of one request, and everybody who waits for it. */
interface Gathered extends FlightScope {
  readonly slots: readonly string[]
  /** The earliest deadline of the reads, epoch milliseconds. */
  readonly endMs: number
}

interface Waiting extends Gathered {
  readonly settle: (proven: Promise<ProvenSlots>) => void
}

interface ProvenSlots {
  readonly proven: Proven
  /** In the order in which they were proven. */
  readonly slots: readonly string[]
}

/** Reads of one account and block that are made in one turn of the event loop share a request, up to the slots that one certificate shows. */
export class GatheredProofs {
  readonly #defer: (run: () => void) => void
  readonly #open = new Map<string, Waiting[]>()

  constructor(clock: Pick<Clock, 'defer'>) {
    this.#defer = deferOf(clock)
  }

  /** What `prove` proves of these slots, and of those that others with this key want; of several such functions the first is called. */
  async join(
    key: string,
    wanted: Gathered,
    prove: (gathered: Gathered) => Promise<Proven>,
  ): Promise<{ readonly proven: Proven; readonly isFirst: boolean }> {
    const open = this.#open.get(key)
    const isFirst = open === undefined || slotsOf([...open, wanted]).length > slotsMax
    const { proven, slots } = await new Promise<ProvenSlots>((settle) => {
      if (!isFirst) return void open.push({ ...wanted, settle })
      const waiting = [{ ...wanted, settle }]
      this.#open.set(key, waiting)
      this.#defer(() => {
        if (this.#open.get(key) === waiting) this.#open.delete(key)
        const all = proveAll(waiting, prove)
        for (const each of waiting) each.settle(all)
      })
    })
    return { proven: partOf(proven, slots, wanted.slots), isFirst }
  }
}

async function proveAll(
  waiting: readonly Waiting[],
  prove: (gathered: Gathered) => Promise<Proven>,
): Promise<ProvenSlots> {
  const signal = whenAllLeft(waiting)
  if (signal.aborted) throw gone
  const slots = slotsOf(waiting)
  const endMs = Math.min(...waiting.map((each) => each.endMs))
  return { proven: await prove({ slots, endMs, signal, callers: callersOf(waiting) }), slots }
}

const slotsOf = (waiting: readonly Pick<Gathered, 'slots'>[]) => [
  ...new Set(waiting.flatMap(({ slots }) => slots)),
]

function callersOf(waiting: readonly Gathered[]): RoundCallers {
  const [first = null, ...others] = waiting.flatMap(({ callers }) => callers.keys())
  const all = new RoundCallers(first)
  const join = (key: string) => all.join(key)
  others.forEach(join)
  for (const { callers } of waiting) callers.onJoin(join)
  return all
}

/** What is proven of some of the slots. */
function partOf({ raw, evidence }: Proven, order: readonly string[], wanted: readonly string[]): Proven {
  const { account, slots } = JSON.parse(raw) as ProvenState
  const part: ProvenState = { account, slots: wanted.map((slot) => slots[order.indexOf(slot)] as string) }
  return { raw: JSON.stringify(part), evidence }
}
