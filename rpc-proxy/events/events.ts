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

/** What the engine tells of itself, one way, out. The ledger counts it; `lib/observe` logs and traces it. */
export type EngineEvent =
  | { readonly type: 'request'; readonly request: RequestRecord }
  /** A request to a node has ended, or was cancelled. */
  | {
      readonly type: 'upstream-request'
      readonly chainId: number
      readonly method: string
      readonly node: string
      readonly purpose: Purpose
      readonly outcome: UpstreamOutcome
      readonly fault: FaultKind | null
      readonly durationMs: number
    }
  | { readonly type: 'stall'; readonly chainId: number; readonly node: string }
  /** Every verdict of the engine, those on heads included. */
  | { readonly type: 'verdict'; readonly evidence: Evidence }
  | {
      readonly type: 'dissent'
      readonly chainId: number
      readonly node: string
      readonly method: string
      readonly answer: string
    }
  /** More than half of all weight refutes the dissent of a node; or it was right, because those who refuted it are distrusted now. */
  | {
      readonly type: 'dissent-judged'
      readonly chainId: number
      readonly node: string
      readonly ended: 'outvoted' | 'vindicated'
    }
  | {
      readonly type: 'equivocation'
      readonly chainId: number
      readonly operator: string
      readonly method: string
      readonly answer: string
    }
  /** A proof of a node holds. */
  | { readonly type: 'proof'; readonly chainId: number; readonly node: string }
  /** A proof, or a code, that does not follow from the agreed block. */
  | {
      readonly type: 'proof-fault'
      readonly chainId: number
      readonly node: string
      readonly method: string
      readonly answer: string
    }
  /** An operator has become a suspect: what it said before counts no more, and what was kept on its word is gone. */
  | { readonly type: 'distrust'; readonly chainId: number; readonly operator: string }
  | { readonly type: 'head'; readonly chainId: number; readonly block: BlockId }
  /** The block of the head is older than `headLagMaxMs` by the system clock, or is so no more. */
  | {
      readonly type: 'head-lag'
      readonly chainId: number
      readonly block: BlockId
      readonly blockAgeMs: number
      readonly isOld: boolean
    }
  /** The block of the head is from the future: the system clock is behind the chain's, or is so no more. */
  | {
      readonly type: 'clock-behind'
      readonly chainId: number
      readonly block: BlockId
      readonly clockBehindMs: number
      readonly isBehind: boolean
    }
  | { readonly type: 'node-head'; readonly chainId: number; readonly node: string; readonly number: number }
  | { readonly type: 'reorg'; readonly chainId: number; readonly from: BlockId; readonly to: BlockId }
  | {
      readonly type: 'node-state'
      readonly chainId: number
      readonly node: string
      readonly from: NodeState
      readonly to: NodeState
      readonly why: string
    }
  | { readonly type: 'shed'; readonly chainId: number | null }
  | { readonly type: 'rate-limited'; readonly chainId: number | null }
  /** An invariant did not hold. The caller got -32603; an operator must look into it. */
  | { readonly type: 'breach'; readonly chainId: number; readonly invariant: string; readonly detail: string }
