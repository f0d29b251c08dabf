import { type Bar, type Bars, isQuorum } from './bars.ts'
import type { Entry } from './calls.ts'
import { type BlockRef, keyOf, none, type ParsedCall } from './parsed-call.ts'
import type { Soundness } from './soundness.ts'
import type { Tip } from './universe.ts'
import type { WorldChain } from './world.ts'

/** One call that was answered. */
export interface JudgedCall {
  readonly chain: WorldChain
  readonly entry: Entry
  readonly startMs: number
  readonly endMs: number
  /** The same moments as sequence numbers of the network. */
  readonly from: number
  readonly to: number
  readonly reply: Reply
  /** The heads that the engine reported, from the last one before the call to its end. */
  readonly heads: readonly Tip[]
  /** All heads that it reported before the end. After a reset only those since the old head was given up. */
  readonly reported: readonly Tip[]
  /** When the head of a reset chain was given up, if that was before the call; epoch milliseconds. */
  readonly givenUpMs: number | null
  /** The highest block number that was final at the answer, or may still have been considered final. */
  readonly final: number
  /** When the head before the call was reported, as a sequence number. */
  readonly orderOfHead: number
  /** A reorg was reported during the call. */
  readonly isRough: boolean
  /** It was part of a batch, so it ended with the slowest call of it. */
  readonly isBatched: boolean
  /** Another call with the same content was in flight. */
  readonly isCrowded: boolean
  /** When asks for its method and block reached a verdict, as sequence numbers. The last one is its own. */
  readonly verdicts: readonly number[]
  /** When asks for its method and block were agreed, epoch milliseconds. Only for a cache hit. */
  readonly agreedMs: readonly number[]
  /** Since when the head at the start of the call had been the head, epoch milliseconds. */
  readonly headSinceMs: number
  /** What its result takes. */
  readonly bar: Bar
  readonly bars: Bars
  /** The caller or the configuration wants it protected. */
  readonly isProtected: boolean
  /** All operators must agree on it. */
  readonly isByAll: boolean
  /** Since when a voter has been unusable without a break, epoch milliseconds. */
  readonly voterDownMs: number
  /** From its beginning to its end a voter was unusable. */
  readonly isVoterDown: boolean
  /** Tips of the chain itself at which it may be true. */
  readonly trueTips: readonly Tip[]
  readonly soundness: Soundness
}

/** A response object as the caller gets it. */
export interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** Id of its evidence. */
  readonly answer: string | null
  readonly block: number | null
  readonly cache: string | null
  readonly agreed: number | null
  readonly needed: number | null
  readonly total: number | null
  /** Null without evidence. */
  readonly policy: string | null
  /** The voters alone agree: marked as thin. */
  readonly isThin: boolean
}

export type Report = (invariant: string, detail: string) => void

/** The liars are too few for the bar of its result, so that it must be true. */
export function isSoundFor({ chain, bar, soundness }: JudgedCall): boolean {
  return !isQuorum(chain, bar, soundness.liars)
}

/** The same, with an outdated null counted as a lie. */
export function isCompleteFor({ chain, bar, soundness }: JudgedCall): boolean {
  return !isQuorum(chain, bar, soundness.ignorant)
}

/** Start of the request that gave the answer. If the block changed before the verdict, the call was asked again. */
export function startOf({ verdicts, isCrowded, from }: JudgedCall): number {
  return isCrowded ? from : (verdicts.at(-2) ?? from)
}

/** Moment of the verdict. An audit may delay the answer after it. */
export function endOf({ verdicts, reply, isCrowded, to }: JudgedCall): number {
  return isCrowded || reply.cache !== 'miss' ? to : (verdicts.at(-1) ?? to)
}

/** The call as nodes were asked: with a number in place of a tag. */
export function pinnedKey({ method, subject, block, from }: ParsedCall, number: number | null): string {
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

/** Format for breach messages. */
export const list = (operators: ReadonlySet<string>) => `[${[...operators].join(', ')}]`
export const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
