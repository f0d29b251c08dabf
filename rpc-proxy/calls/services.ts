import type { Admission } from '../admission/admission.ts'
import type { BatchTurns } from '../admission/batch-turns.ts'
import type { Cache } from '../cache/cache.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
import type { ReadPorts } from '../chain/send-read.ts'
import type { CacheResult, TraceContext } from '../events/events.ts'
import type { Evidence, PinnedBlock } from '../events/evidence-types.ts'
import type { Filters } from '../filters/filters.ts'
import type { Head } from '../heads/heads.ts'
import type { GatheredProofs } from '../proving/gathered-proofs.ts'
import type { OperatorSet } from '../quorum/electorate.ts'
import type { ReadQuestion } from '../quorum/read-round.ts'
import type { Signal } from '../runtime/abort.ts'
import type { ErrorObject } from '../runtime/errors.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import type { RejectionClass } from '../wire/rejections.ts'
import type { Writes } from '../writes/writes.ts'

/** What a read needs beside its chain. */
export interface ReadServices extends ReadPorts {
  readonly admission: Admission
  readonly cache: Cache
  /** Reads in flight by chain. A reload that changes a chain creates another one, so no read is shared across it. */
  readonly singleFlight: (chain: Chain) => SingleFlight<ReadAgreement>
  readonly gathered: GatheredProofs
  /** The proof in an earlier certificate, for as long as that is kept. */
  readonly proofOf: (id: string) => Evidence['proof']
}

/** What a transaction needs, and the nonce that follows it. */
export interface WriteServices extends ReadServices {
  readonly writes: Writes
}

/** What filters and subscriptions need; null where the host has none. */
export interface FilterServices extends ReadServices {
  readonly filters: Filters | null
  readonly subscriptions: Subscriptions | null
}

/** What one engine consists of beside its chains. */
export interface Services extends WriteServices, FilterServices {
  readonly batchTurns: BatchTurns
  /** Null where nothing is traced. */
  readonly traceOf: ((traceparent: string | null) => TraceContext) | null
}

/** What the calls of one request have in common, as far as a read needs it. */
export interface ReadScope {
  readonly chain: Chain
  /** Key of the caller; null where callers cannot be told apart. */
  readonly caller: string | null
  readonly trace: TraceContext | null
  /** `protected` or `bridge` where the caller, or the configuration of the chain, asks for it. */
  readonly policy: ReadQuestion['policy']
  /** When the request must have been answered, epoch milliseconds. */
  readonly endMs: number
  /** The caller's departure. */
  readonly signal: () => Signal
  /** One head for all of them. */
  readonly head: () => Head | Promise<Head>
}

/** The end of a call: a result's JSON text or an error, and what it rests on. */
export interface CallResult {
  readonly outcome: { readonly raw: string } | { readonly error: ErrorObject }
  readonly evidence: Evidence | null
  readonly block: PinnedBlock | null
  readonly cache: CacheResult | null
  /** Set where the caller asked at `pending` and was answered at the agreed head. */
  readonly pending?: 'latest'
  /** Called where the answer does not reach its caller: it is too large for what is left of the response. */
  readonly onUndelivered?: (() => void) | undefined
}

/** What a quorum said: a result's JSON text, or the chain's refusal to give one. */
export type ReadResult =
  | { readonly raw: string }
  | { readonly reverted: string }
  | { readonly rejected: RejectionClass }

/** A read that came to an agreement. */
export interface ReadAgreement {
  readonly result: ReadResult
  readonly evidence: Evidence
  /** Operators behind it. */
  readonly operators: OperatorSet
  /** Operators each of whom it needs, because it is composed of their replies. Empty where all sent the same bytes. */
  readonly indispensable: OperatorSet
  /** It names a block at whose number we have agreed on another hash. */
  readonly isOffChain: boolean
  /** Number of the agreed block, or of the one that an agreed transaction or receipt is in; null for everything else. */
  readonly namedNumber: number | null
  /** The proof of the evidence, which is cached without it. */
  readonly proof?: Evidence['proof']
}
