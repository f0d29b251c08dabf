import type { Shape } from './canonical.ts'
import {
  type Codec,
  type CodecContext,
  type Compare,
  type Merging,
  type ReadMembers,
  rowsOf,
} from './codecs.ts'
import { hashOrTransaction, inChainOrder, log, receipt } from './objects.ts'
import { simulatedBlock, simulatedCall, simulatedLog } from './simulated.ts'

/** What has been read of several versions, and what became of them by the first. */
interface MergedMembers {
  readonly ahead: ReadMembers
  readonly merged: WeakMap<object, unknown>
}

/** A list in an answer: the answer itself, or what stands under this name in each object of the list around it. */
interface Level {
  readonly name?: string
  readonly codec: Codec
  readonly order?: Compare
}

const logs: Level = { name: 'logs', codec: log, order: inChainOrder }

/** Where an answer is long it is made of these, the outer before the inner. */
const levels: Partial<Record<Shape, readonly Level[]>> = {
  logs: [{ codec: log, order: inChainOrder }],
  receipt: [logs],
  receipts: [{ codec: receipt, order: inChainOrder }, logs],
  block: [{ name: 'transactions', codec: hashOrTransaction }],
  simulation: [
    { codec: simulatedBlock },
    { name: 'calls', codec: simulatedCall },
    { name: 'logs', codec: simulatedLog },
  ],
}

interface Pace {
  readonly chainId: number
  /** Into how many to cut the answer. */
  readonly slices: number
  readonly pause: () => Promise<void>
}

/**
 * Reads the members of a long answer a slice at a time, inner ones first, and lets the event loop turn in between by
 * `pause`. What it has read is handed to `readAs`, which then has little left to do. A member that is malformed ends it:
 * `readAs` meets it again and says so.
 */
export async function readAhead(shape: Shape, value: unknown, pace: Pace): Promise<ReadMembers> {
  const ahead: ReadMembers = new WeakMap()
  await readInto(ahead, listsOf(shape, value), pace).catch(() => {})
  return ahead
}

/** The same for versions that say the same, where one must be made of them: what it has merged is handed to `compose`. */
export async function mergeAhead(
  shape: Shape,
  values: readonly unknown[],
  { agree, ...pace }: Pace & Pick<Merging, 'agree'>,
): Promise<MergedMembers> {
  const ahead: ReadMembers = new WeakMap()
  for (const value of values) await readInto(ahead, listsOf(shape, value), pace)
  const merged = new WeakMap<object, unknown>()
  const merging = { chainId: pace.chainId, agree, ahead, merged }
  const versions = values.map((value) => listsOf(shape, value, merging))
  for (const [level, { codec, items }] of (versions[0] ?? []).entries())
    await inSlices(items, pace, (item, index) => {
      const same = versions.map((lists) => lists[level]?.items[index])
      if (isObject(item)) merged.set(item, codec.merge(same, merging))
    })
  return { ahead, merged }
}

interface Members {
  readonly codec: Codec
  readonly items: readonly unknown[]
}

async function readInto(ahead: ReadMembers, lists: readonly Members[], pace: Pace): Promise<void> {
  const reading = { chainId: pace.chainId, ahead }
  for (const { codec, items } of lists)
    await inSlices(items, pace, (item) => {
      if (isObject(item)) ahead.set(item, codec.read(item, reading))
    })
}

/** The members of all lists of an answer, the inner before the outer; with `reading`, in the order in which they are compared. */
function listsOf(shape: Shape, value: unknown, reading?: CodecContext): readonly Members[] {
  const found: Members[] = []
  let around: readonly unknown[] = [value]
  for (const { name, codec, order } of levels[shape] ?? []) {
    around = around.flatMap((each) => {
      const items = name === undefined ? each : isObject(each) ? each[name] : null
      if (!Array.isArray(items)) return []
      return reading === undefined ? items : rowsOf(items, codec, { order, reading }).map(({ item }) => item)
    })
    found.unshift({ codec, items: around })
  }
  return found
}

async function inSlices(
  items: readonly unknown[],
  { slices, pause }: Pace,
  each: (item: unknown, index: number) => void,
): Promise<void> {
  const size = Math.max(1, Math.ceil(items.length / slices))
  for (let from = 0; from < items.length; from += size) {
    await pause()
    for (let index = from; index < Math.min(from + size, items.length); index++) each(items[index], index)
  }
  if (items.length > 0) await pause()
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
