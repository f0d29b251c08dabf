import type { CallError } from '../runtime/errors.ts'
import type { FaultKind } from '../wire/fault.ts'
import type { IdText } from '../wire/types.ts'
import type { BlockId, Evidence, UpstreamOutcome } from './evidence-types.ts'

/** Why a node is sent something: a head, a fixed read, work that a caller controls, or a transaction. */
export type Purpose = 'head' | 'read' | 'caller-controlled' | 'transaction'

/** The trace that a request belongs to. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string
  readonly isSampled: boolean
}

export type CacheResult = 'hit' | 'miss' | 'shared'

/** One call of a request, as it ended. */
export interface CallRecord {
  readonly id: IdText | undefined
  /** A method of the table, else `_OTHER`. */
  readonly method: string
  readonly startMs: number
  readonly endMs: number
  /** 0 for a result, else the JSON-RPC error code. */
  readonly code: number
  readonly error: CallError | null
  readonly cache: CacheResult | null
  /** What the answer rests on; a hit names the evidence of the request that filled the cache. */
  readonly evidence: Evidence | null
}

/** One HTTP request, as it ended. */
export interface RequestRecord {
  readonly startMs: number
  readonly endMs: number
  readonly chainId: number | null
  readonly batch: boolean
  readonly status: number
  /** The incoming `traceparent`, if it is well-formed. */
  readonly traceparent: string | null
  /** The trace that nodes were told of; null where nothing is traced. */
  readonly trace: TraceContext | null
  readonly calls: readonly CallRecord[]
}

export type NodeState = 'usable' | 'open' | 'half-open' | 'rate-limited' | 'behind' | 'ejected' | 'cordoned'

interface OfChain {
  readonly chainId: number
}

interface OfNode extends OfChain {
  readonly node: string
}

interface OfRound {
  readonly method: string
  /** The id of its evidence. */
  readonly answer: string
}

/** Invariants checked at run time. `S1`: a quorum carries each result. `no surprise`: no unexpected error is thrown. */
export const invariants = ['S1', 'no surprise'] as const
type Invariant = (typeof invariants)[number]

/** What the engine reports, one way. The ledger counts it; `lib/observe` logs and traces it. */
export type EngineEvent =
  | { readonly type: 'request'; readonly request: RequestRecord }
  /** A request to a node has ended, or was cancelled. */
  | (OfNode & {
      readonly type: 'upstream-request'
      readonly method: string
      readonly purpose: Purpose
      readonly outcome: UpstreamOutcome
      readonly fault: FaultKind | null
      readonly durationMs: number
    })
  | (OfNode & { readonly type: 'stall' })
  /** Every verdict of the engine, those on heads included. */
  | { readonly type: 'verdict'; readonly evidence: Evidence }
  | (OfNode & OfRound & { readonly type: 'dissent' })
  /** More than half of all weight refutes the dissent of a node; or it was right, because those who refuted it are distrusted now. */
  | (OfNode & { readonly type: 'dissent-judged'; readonly ended: 'outvoted' | 'vindicated' })
  | (OfChain & OfRound & { readonly type: 'equivocation'; readonly operator: string })
  /** A proof of a node holds. */
  | (OfNode & { readonly type: 'proof' })
  /** A proof, or a code, that does not follow from the agreed block. */
  | (OfNode & OfRound & { readonly type: 'proof-fault' })
  /** An operator has become a suspect: its earlier votes no longer count, and cached results that need them are gone. */
  | (OfChain & { readonly type: 'distrust'; readonly operator: string })
  | (OfChain & { readonly type: 'head'; readonly block: BlockId })
  /** The block of the head is older than `headLagMaxMs` by the system clock, or is so no more. */
  | (OfChain & {
      readonly type: 'head-lag'
      readonly block: BlockId
      readonly blockAgeMs: number
      readonly isOld: boolean
    })
  /** The block of the head is from the future: the system clock is behind the chain's, or is so no more. */
  | (OfChain & {
      readonly type: 'clock-behind'
      readonly block: BlockId
      readonly clockBehindMs: number
      readonly isBehind: boolean
    })
  | (OfNode & { readonly type: 'node-head'; readonly number: number })
  | (OfChain & { readonly type: 'reorg'; readonly from: BlockId; readonly to: BlockId })
  | (OfNode & {
      readonly type: 'node-state'
      readonly from: NodeState
      readonly to: NodeState
      readonly why: string
    })
  | { readonly type: 'shed'; readonly chainId: number | null }
  | { readonly type: 'rate-limited'; readonly chainId: number | null }
  /** An invariant did not hold. The caller got -32603; an operator must look into it. */
  | (OfChain & { readonly type: 'breach'; readonly invariant: Invariant; readonly detail: string })
