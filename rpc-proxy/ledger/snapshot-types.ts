import type { NodeState } from '../events/events.ts'
import type { BlockId } from '../events/evidence-types.ts'
import type { PlanSnapshot } from '../events/plan-types.ts'

/** Counts and sums of one histogram. `counts[i]` is the number of values <= `bounds[i]`; the last is all of them. */
export interface Histogram {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

/** A counter or histogram with its labels, as the ledger keeps it. Names and labels are those of the metrics page. */
export interface Series<Value> {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: Value
}

export interface NodeSnapshot {
  readonly name: string
  readonly operator: string
  /** A witness is sent nothing while all voters are usable and agree. */
  readonly role: 'voter' | 'witness'
  readonly weight: number
  readonly priority: number
  readonly community: boolean
  readonly state: NodeState
  /** Why it is not usable, in words; null when it is. */
  readonly why: string | null
  /** Until when it is not usable, epoch milliseconds; null when that is not known or it is. */
  readonly untilMs: number | null
  /** Since when an operator keeps it out, epoch milliseconds; null while none does. */
  readonly cordonedMs: number | null
  readonly head: number | null
  readonly lag: number | null
  readonly latency: { readonly p50Ms: number; readonly p95Ms: number; readonly p99Ms: number } | null
  readonly score: number
  readonly inFlight: number
  /** Requests left of its UTC day; null where that is not limited. */
  readonly leftToday: number | null
  /** How much of its monthly plan is used, by all processes that share a store; null where it has none. */
  readonly plan: PlanSnapshot | null
  readonly requests: number
  readonly faults: Readonly<Record<string, number>>
  readonly stalls: number
  readonly dissents: number
  readonly votes: number
}

/** The last block that a chain's validators have signed as final, as the host has verified it. */
export interface SignedFinality {
  /** Null while there is none. */
  readonly block: BlockId | null
  /** Its time, epoch milliseconds. */
  readonly timeMs: number | null
  /** What keeps the host from newer ones, for people. */
  readonly faults: readonly string[]
}

export type ChainStatus = 'ok' | 'degraded' | 'down' | 'unknown'

export interface ChainSnapshot {
  readonly chainId: number
  readonly status: ChainStatus
  /** One sentence on why the status is not ok; null when it is. */
  readonly why: string | null
  readonly head: BlockId | null
  /** The head of protected calls, as of the last of them; null where there was none. */
  readonly protectedHead: BlockId | null
  /** How long ago a quorum last showed the head, milliseconds. */
  readonly headAgeMs: number | null
  /** How old its block was then, by the time in its header, milliseconds; null where no quorum tells. */
  readonly blockAgeMs: number | null
  /** How far that time was ahead of this machine's clock, milliseconds: a block cannot be from the future. */
  readonly clockBehindMs: number
  /** The age from which on that is a fault; null where it never is. */
  readonly headLagMaxMs: number | null
  readonly safe: number | null
  readonly finalized: number | null
  /** Null where nobody looks for signatures. */
  readonly signed: SignedFinality | null
  readonly reorgs: number
  readonly quorum: {
    readonly needed: number
    readonly total: number
    readonly usable: number
    readonly operatorsMin: number
    /**
     * Whether the usable nodes, witnesses included, could complete a quorum of each policy now. Null where no nodes could by the
     * configuration, or the chain has no such rounds.
     */
    readonly inReach: {
      readonly everyday: boolean
      readonly tightened: boolean | null
      readonly protected: boolean | null
    }
  }
  /** By which rule an everyday round is decided now: `tightened` while a voter is unusable, `thin` where witnesses cannot complete that. */
  readonly everydayRule: 'everyday' | 'tightened' | 'thin'
  readonly proofs: {
    /** Since the start: calls, those that were proven, requests that these did without, and proofs of nodes that did not hold. */
    readonly calls: number
    readonly proven: number
    readonly saved: number
    readonly forged: number
  }
  /** How many operators would have to tell one lie for it to become a result now; null where there is no quorum at all. */
  readonly operatorsToLie: { readonly everyday: number | null; readonly protected: number | null }
  readonly nodes: readonly NodeSnapshot[]
}

/** The engine's state, frozen: plain JSON, no URL, key or header in it. */
export interface Snapshot {
  readonly version: 1
  readonly atMs: number
  readonly startedMs: number
  readonly draining: boolean
  readonly chains: readonly ChainSnapshot[]
  readonly cache: { readonly entries: number; readonly bytes: number; readonly bytesMax: number }
  readonly inFlight: {
    readonly requests: number
    readonly requestsMax: number
    readonly upstreamRequests: number
  }
  readonly counters: readonly Series<number>[]
  readonly histograms: readonly Series<Histogram>[]
}
