import { type Asked, type BlockRef, keyOf, none } from './asked.ts'
import type { Entry } from './calls.ts'
import type { Bar } from './recount.ts'
import type { Soundness } from './soundness.ts'
import type { Tip } from './universe.ts'
import type { WorldChain } from './world.ts'

/** One call that was answered. */
export interface Answered {
  readonly chain: WorldChain
  readonly entry: Entry
  readonly startMs: number
  readonly endMs: number
  /** The same moments in the network's count. */
  readonly from: number
  readonly to: number
  readonly reply: Reply
  /** The agreed heads as the engine told them, from the last before the call began to its end. */
  readonly heads: readonly Tip[]
  /** All that it has told before the end; of a chain that was reset, since its old head was given up. */
  readonly told: readonly Tip[]
  /** When the head of a chain that has since been reset was given up, before the call began; epoch milliseconds. */
  readonly givenUpMs: number | null
  /** The highest number of a block that was final as it was answered, or that may still have been taken for it. */
  readonly final: number
  /** When the head before the call began was told, in the network's count. */
  readonly orderOfHead: number
  /** A reorg was told while it was under way. */
  readonly isRough: boolean
  /** It ended when the slowest of its batch did. */
  readonly isBatched: boolean
  /** Another call of the same content was under way as well. */
  readonly isCrowded: boolean
  /** When asks for its method and block came to a verdict, in the network's count: the last of them is its own. */
  readonly verdicts: readonly number[]
  /** When asks for its method and block were agreed, since the world began, epoch milliseconds; of a hit alone. */
  readonly agreedMs: readonly number[]
  /** Since when the head that stood as it came in has been the head, epoch milliseconds. */
  readonly headSinceMs: number
  readonly bar: Bar
  readonly soundness: Soundness
}

/** A response object as the caller reads it. */
export interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly block: number | null
  readonly cache: string | null
  readonly agreed: number | null
  readonly needed: number | null
  readonly total: number | null
}

export type Report = (invariant: string, detail: string) => void

/** Where the ask began that brought the answer: one whose block had changed by the verdict was put anew. */
export function startOf({ verdicts, isCrowded, from }: Answered): number {
  return isCrowded ? from : (verdicts.at(-2) ?? from)
}

/** Where it was decided: one more may be heard out before the answer leaves, to check on it. */
export function endOf({ verdicts, reply, isCrowded, to }: Answered): number {
  return isCrowded || reply.cache !== 'miss' ? to : (verdicts.at(-1) ?? to)
}

/** The call as nodes were asked it: at a number, where the caller named a tag. */
export function pinnedKey({ method, subject, block, from }: Asked, number: number | null): string {
  const pin = (ref: BlockRef): BlockRef =>
    ref.kind !== 'tag'
      ? ref
      : ref.tag === 'earliest'
        ? { kind: 'number', number: 0 }
        : number === null
          ? none
          : { kind: 'number', number }
  return keyOf({ method, subject, block: pin(block), from: pin(from) })
}

/** As breaches name them. */
export const list = (operators: ReadonlySet<string>) => `[${[...operators].join(', ')}]`
export const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
