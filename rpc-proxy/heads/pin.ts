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
  /** It asked for a tag, so that one block lower would do as well. */
  readonly isTagged: boolean
}

interface PinOptions {
  /** The head of this request: one batch sees one head. */
  readonly head: () => Promise<Agreed>
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
  const refs = blockRefsOf(rule, params)
  if (refs.length === 0) return { params, block: null, isTagged: false }
  const numbers = new Map<string, number>()
  let isTagged = false
  for (const ref of refs) {
    if ('hash' in ref) continue
    if ('tag' in ref) isTagged = true
    numbers.set(keyOf(ref), await numberOf(ref, heads, options))
  }
  const last = refs.at(-1) as BlockRef
  const number = numbers.get(keyOf(last))
  return {
    params: withBlock(rule, params, (ref) => numbers.get(keyOf(ref))),
    block: number === undefined ? null : { number, hash: heads.hashAt(number) },
    isTagged,
  }
}

/** The same call at another block, where it was pinned by a tag. */
export function repin(rule: Rule, pinned: Pinned, block: PinnedBlock): Pinned {
  const from = pinned.block?.number
  return {
    params: withBlock(rule, pinned.params, (ref) =>
      'number' in ref && ref.number === from ? block.number : undefined,
    ),
    block,
    isTagged: false,
  }
}

async function numberOf(
  ref: Exclude<BlockRef, { hash: string }>,
  heads: Heads,
  { head, finality, waitMs }: PinOptions,
): Promise<number> {
  if ('tag' in ref) {
    if (ref.tag === 'earliest') return 0
    if (ref.tag === 'safe' || ref.tag === 'finalized') return (await finality(ref.tag)).block.number
    return (await head()).block.number
  }
  const { number } = (await head()).block
  if (ref.number <= number) return ref.number
  if (ref.number > number + aheadMax || !(await heads.reach(ref.number, waitMs())))
    throw new CallError('block-not-found')
  return ref.number
}

function keyOf(ref: BlockRef): string {
  return 'hash' in ref ? ref.hash : 'tag' in ref ? ref.tag : String(ref.number)
}
