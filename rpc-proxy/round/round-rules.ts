import type { MemberIndex } from '../runtime/indexes.ts'
import type { RoundRequest } from './round-request.ts'

/** All requests of a round, in the order in which they were started. */
export interface RoundState<Request> {
  readonly requests: readonly Request[]
  /** The deadline has passed, or the round is being closed: there must be a verdict. */
  readonly isLate: boolean
}

/** Which requests in flight are still listened to after the verdict. */
export type AfterVerdict =
  | 'nothing'
  /** All, until each has stalled. */
  | 'until-stalled'
  /** All, while one of them has neither replied nor stalled. */
  | 'while-awaited'
  | 'everything'

export type Decision<Verdict> =
  | { readonly kind: 'wait' }
  | { readonly kind: 'start'; readonly members: readonly MemberIndex[] }
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly keep: AfterVerdict }

/** What became of a reply: taken in, to be sent once more, or to be taken when it has been read. */
export type TakeResult = 'done' | { readonly againMs: number } | { readonly when: Promise<void> }

/** What is sent in a round, and how it is decided. */
export interface RoundRules<Reply, Request extends RoundRequest<Reply>, Verdict> {
  /** What a request counts as that ends without a reply: a fault of its node. */
  readonly fault: Reply
  readonly start: (member: MemberIndex) => Request
  /** Counts and reports a reply. */
  readonly take: (request: Request, reply: Reply) => TakeResult
  /** Called after the start, each reply, each stall and at the deadline, until there is a verdict. */
  readonly decide: (state: RoundState<Request>) => Decision<Verdict>
  /** Whether the stall of a request that is given up counts against its node. */
  readonly blames: (request: Request, requests: readonly Request[]) => boolean
}
