import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { AskRecord } from '../events.ts'
import type { MemberIndex, OperatorIndex } from '../indexes.ts'
import type { Reply } from '../wire/types.ts'
import type { Electorate } from './electorate.ts'
import type { OperatorSet } from './operator-set.ts'
import type { CanonicalText, ParsedResult, ReplyGroup } from './reply-tally.ts'
import type { Agreed, Strategy, Verdict } from './verdict.ts'

/** A node as the asking sees it. */
export interface Voter {
  readonly name: string
  readonly operator: OperatorIndex
  readonly weight: number
  readonly stallMs: number
  readonly usable: boolean
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
}

export interface Question {
  readonly electorate: Electorate
  /** In the order in which to ask. */
  readonly voters: readonly Voter[]
  readonly strategy: Strategy
  readonly textOf: CanonicalText
  /** Reads a long answer without holding up everybody else; null when it is no JSON. */
  readonly readAhead: (raw: string) => Promise<ParsedResult | null>
  readonly isSuspicious: (value: unknown) => boolean
  /** It may be put again of the block before. */
  readonly mayGoLower: boolean
  readonly deadlineMs: number
  /** Ask one node more than needed and hear it out, so that the fastest do not decide for ever. */
  readonly audit: boolean
  /** The departure of everybody who wanted to know. */
  readonly signal: Signal | null
}

export interface AskPorts {
  readonly clock: Clock
  /** Whether a voter could be asked now, or would have to wait for a place in our queue. */
  readonly hasPlace: (voter: MemberIndex) => boolean
  /** `onSent`: the ask has left our queue. The node's time begins then. */
  readonly send: (voter: MemberIndex, signal: Signal, onSent: () => void) => Promise<Reply>
  readonly onStall: (voter: MemberIndex) => void
  /** An ask was given up: `afterStall` while others, in less time, answered; or without blame. */
  readonly onAbandoned: (voter: MemberIndex, afterStall: boolean, durationMs: number) => void
  readonly onEnd: (voter: MemberIndex, reply: Reply, durationMs: number) => void
  /** Its ballot is outside of what was agreed; told when the last ask has ended. */
  readonly onDissent: (voter: MemberIndex, agreed: Agreed) => void
}

/** An operator with a node that cannot reply: it has no such method, has pruned the block, or takes no range as long as this one. */
export type Unable = { readonly operator: OperatorSet } & (
  | { readonly why: 'method' | 'pruned' }
  /** `takes`: blocks in one range. */
  | { readonly why: 'range'; readonly takes: number }
)

export interface Outcome {
  readonly verdict: Verdict
  readonly startMs: number
  readonly endMs: number
  readonly asks: readonly AskRecord[]
  readonly groups: readonly ReplyGroup[]
  /** Operators that do not have the block yet. */
  readonly behind: OperatorSet
  readonly split: OperatorSet
  readonly unable: readonly Unable[]
}
