import type { FieldDifference } from '../wire/difference.ts'
import type { Reply } from '../wire/types.ts'

/** A block: its number, and the hash that a quorum agreed on. */
export interface BlockId {
  readonly number: number
  readonly hash: string
}

/** The block that a call was pinned to; its hash where one has been agreed on. */
export interface PinnedBlock {
  readonly number: number
  readonly hash: string | null
}

/** What became of a request to a node. */
export type UpstreamOutcome = Reply['kind'] | 'cancelled' | 'pending'

/** One request to one node, as it went. Times are epoch milliseconds. */
export interface UpstreamRequestRecord {
  readonly node: string
  readonly operator: string
  readonly weight: number
  /** When it was sent; while it waits in our queue, since when. */
  startMs: number
  endMs: number | null
  /** When its stall passed, if it did. */
  stalledMs: number | null
  outcome: UpstreamOutcome
  /** The fault's kind, the refusal's class, what it cannot do. */
  detail: string | null
  /** Index of the group that it voted with. */
  group: number | null
}

/** Votes that mean the same, as they are shown. */
export interface GroupRecord {
  readonly weight: number
  readonly operators: readonly string[]
  readonly nodes: readonly string[]
  /**
   * The JSON text of what the group said, or a word for a revert or refusal. Of what was not answered, the first 4,096
   * characters: a node that is outvoted must not fill the memory.
   */
  readonly text: string
  /** SHA-256 of the whole in canonical form, hex, where `text` is its beginning only. */
  readonly sha256?: string | undefined
}

/** By which rule a round is decided: `docs/risk.md`. */
export type Policy = 'everyday' | 'tightened' | 'protected' | 'bridge'

/**
 * `thin`: too few can be reached for a protected result. `unproven`: a proof is required, and there is none. `refused`: a quorum
 * refuses the call in the same unknown words. `malformed`: all have replied, and no reply can be read.
 */
export type FailureReason =
  | 'silent'
  | 'disagree'
  | 'heads'
  | 'pruned'
  | 'thin'
  | 'unproven'
  | 'refused'
  | 'malformed'

/** What decided a round. */
export type RuleId =
  | 'quorum'
  | 'quorum-and-one'
  | 'everybody-agrees'
  | 'suspicious'
  | 'object-quorum'
  | 'pending-quorum'
  | 'null-quorum'
  | 'joined'
  | 'parts'
  | 'error-quorum'
  | 'highest-reached'
  | 'between-quorums'
  | 'none-between'
  | 'no-value-between'
  | 'confirmed'
  | 'outcome-quorum'
  | 'too-few-numbers'
  | 'all-but-stalled-replied'
  | 'block-missing'
  | 'no-group-can-win'
  | 'only-stalled-left'
  | 'deadline'
  | 'thin'
  | 'proven'
  | 'unproven'
  | 'head'
  | 'no-head'
  | 'too-few-replies'
  | 'acceptance'
  | 'acceptance-disputed'
  | 'found'
  | 'rejection-quorum'
  | 'no-rejection-quorum'

/** Who may vote, each operator at one place of every list. Sets are bits by place. */
export interface ElectorateRecord {
  readonly operators: readonly string[]
  readonly weights: readonly number[]
  /** Operators without whose vote there is no quorum. */
  readonly required: number
}

/** Why what was proven has no proof: it is too long for one certificate, or the blooms of the blocks say that there are no logs. */
export type ProofAbsence = 'too-long' | 'blooms'

/** What proves the state of accounts, so that anybody can check it: nodes are RLP in hex, keys are digests of addresses and of slots. */
export interface ProofRecord {
  /** What is hashed of the block's header, in order. */
  readonly header: readonly string[]
  readonly accounts: readonly string[]
  /** From the state root to each account, one after the other. */
  readonly nodes: readonly string[]
  /** Of each account in order, from its storage root. */
  readonly slots: readonly {
    readonly account: string
    readonly slot: string
    readonly nodes: readonly string[]
  }[]
  /** Where that is the result; else null. */
  readonly code: string | null
}

/** How a result came about: which nodes were sent the call and when, how they voted, and which rule decided. */
export interface Evidence {
  readonly id: string
  readonly chainId: number
  readonly method: string
  /** As nodes were sent them, JSON; null for a transaction, whose hash is the result. */
  readonly params: string | null
  readonly startMs: number
  readonly endMs: number
  readonly outcome: 'agreed' | 'failed'
  readonly reason: FailureReason | null
  /** The rule that decided, for people. */
  readonly rule: string
  /** The same, for code. */
  readonly ruleId: RuleId
  /** Weights: of the winning group, needed, of all operators. */
  readonly agreed: number
  readonly needed: number
  readonly total: number
  readonly operators: number
  /** Operators that voted otherwise, where that contradicts the answer: honest estimates differ. 0 for a failure. */
  readonly dissenting: number
  /** Voters and witnesses, in operators. */
  readonly operatorsTotal: number
  readonly operatorsMin: number
  /** The rule that it was decided by: weights and operators are those of its electorate. */
  readonly policy: Policy
  /** Too few witnesses could be reached: the voters alone agree, which a lie may too. */
  readonly isThin: boolean
  readonly block: PinnedBlock | null
  readonly electorate: ElectorateRecord
  /** The operators that weigh `agreed`, as bits. */
  readonly supporters: number
  /** The group that is the result, by its index; the text of a result that was derived from several; null for a failure. */
  readonly result: number | string | null
  readonly requests: readonly UpstreamRequestRecord[]
  readonly groups: readonly GroupRecord[]
  /** Where the groups differ, found while there were whole texts; undefined where all that they said is in `groups`. */
  readonly difference?: readonly FieldDifference[] | undefined
  /** Of a head: the last block that the chain's validators have signed as final, from which it descends; undefined where none is known. */
  readonly signed?: BlockId | undefined
  /** Of a proven result. Absent in the cache, where proofs of many results would take too much memory. */
  readonly proof?: ProofRecord | ProofAbsence | undefined
  /** What confirmed an estimate: the weights above are those of the group in which the call succeeds. */
  readonly confirmation?: EstimateConfirmation | undefined
}

/** eth_call with the gas that an estimate tells, at the same block. */
export interface EstimateConfirmation {
  /** Id of the request. */
  readonly id: string
  readonly gas: string
  /** Whether the call succeeds, or what a node said instead, shortened. */
  readonly groups: readonly GroupRecord[]
}
