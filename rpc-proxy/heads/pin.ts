import { CallError } from '../errors.ts'
import type { PinnedBlock } from '../events.ts'
import { type BlockRef, blockRefsOf, withBlock } from '../methods/block-ref.ts'
import type { Rule } from '../methods/rule.ts'
import type { Agreed, Heads } from './heads.ts'

/** A call whose tags have become numbers. */
export interface Pinned {
  readonly params: readonly unknown[]
  /** The block whose state it reads, or where its range ends; null where it names none by number. */
  readonly block: PinnedBlock | null
  /** The same call at another block, for one that asked for a tag there; null where none but the named one will do. */
  readonly at: ((block: PinnedBlock) => Pinned) | null
}

interface PinOptions {
  /** The head of this request: one batch sees one head. */
  readonly head: () => Agreed | Promise<Agreed>
  /** How long a number just above the head is waited for, ms. */
  readonly waitMs: () => number
  readonly finality: (tag: 'safe' | 'finalized') => Promise<Agreed>
}

const aheadMax = 2

/** `latest`, `safe`, `finalized` and a missing tag become agreed numbers; numbers and hashes stay. A block too far ahead is -32001. */
export async function pin(
  rule: Rule,
  params: readonly unknown[],
  heads: Heads,
  options: PinOptions,
): Promise<Pinned> {
  const numbers = new Map<string, number>()
  let last: BlockRef | null = null
  for (const ref of blockRefsOf(rule, params)) {
    last = ref
    if ('hash' in ref) continue
    const number = numberOf(ref, heads, options)
    numbers.set(keyOf(ref), typeof number === 'number' ? number : await number)
  }
  if (last === null || 'hash' in last) return { params, block: null, at: null }
  const key = keyOf(last)
  const pinned = (block: PinnedBlock, at: Pinned['at']): Pinned => ({
    params: withBlock(rule, params, (ref) => (keyOf(ref) === key ? block.number : numbers.get(keyOf(ref)))),
    block,
    at,
  })
  const number = numbers.get(key) as number
  const isMovable = 'tag' in last && last.tag !== 'earliest'
  return pinned(
    { number, hash: heads.hashAt(number) },
    isMovable ? (block) => forwards(rule, pinned(block, null)) : null,
  )
}

/** A range that begins where nobody is yet is not there, rather than wrong. */
function forwards(rule: Rule, pinned: Pinned): Pinned {
  const [from, to] = blockRefsOf(rule, pinned.params)
  if (from !== undefined && to !== undefined && 'number' in from && 'number' in to && from.number > to.number)
    throw new CallError('block-not-found')
  return pinned
}

/** No promise where the head is known. */
function numberOf(
  ref: Exclude<BlockRef, { hash: string }>,
  heads: Heads,
  { head, finality, waitMs }: PinOptions,
): number | Promise<number> {
  if ('tag' in ref) {
    if (ref.tag === 'earliest') return 0
    if (ref.tag === 'safe' || ref.tag === 'finalized') return finality(ref.tag).then(heightOf)
    const now = head()
    return now instanceof Promise ? now.then(heightOf) : heightOf(now)
  }
  const now = head()
  return now instanceof Promise || ref.number > heightOf(now)
    ? numberBy(ref.number, now, heads, waitMs)
    : ref.number
}

/** A number that is there, or comes within the wait. */
async function numberBy(
  number: number,
  now: Agreed | Promise<Agreed>,
  heads: Heads,
  waitMs: () => number,
): Promise<number> {
  const height = heightOf(await now)
  if (number <= height) return number
  if (number > height + aheadMax || !(await heads.reach(number, waitMs())))
    throw new CallError('block-not-found')
  return number
}

const heightOf = ({ block }: Agreed): number => block.number

function keyOf(ref: BlockRef): string {
  return 'hash' in ref ? ref.hash : 'tag' in ref ? ref.tag : String(ref.number)
}
