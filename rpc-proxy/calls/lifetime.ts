import type { Chain } from '../chain/chain.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { isQuorum, withMajority } from '../quorum/electorate.ts'
import type { ReadAgreement } from './read.ts'

/** A read on its way. */
export interface Target {
  readonly rule: MethodSpec
  readonly pinned: Pinned
  /** The block that its answer depends on; null where the params name one by hash. */
  readonly anchor: PinnedBlock | null
}

/** How long an answer is kept: until there is another head, or until a time (epoch milliseconds). */
export interface Lifetime {
  readonly head: string | null
  readonly untilMs: number | null
  /** It is kept for so long because more than half of all weight agrees on it. */
  readonly isOfMajority: boolean
}

/**
 * How long what nothing on the chain can change is kept, milliseconds, where less than a strict majority agrees on it and where
 * more does. A quorum may be all liars, and what nobody asks for again nobody refutes: their word must end some time.
 */
export const minorityTtlMs = 60_000
export const majorityTtlMs = 600_000

/**
 * How long an answer is kept; null where it is not. For a time where nothing can change it any more, by a block's hash or in
 * a final block; else until there is another head, for nodes that were on another branch for a moment leave no trace in an
 * answer about state. Operators that are not believed are not behind it.
 */
export function lifetimeOf(
  chain: Chain,
  { rule, pinned, anchor }: Target,
  { result, evidence, operators, isOffChain, namedNumber }: ReadAgreement,
  nowMs: number,
): Lifetime | null {
  if (rule.keep === 'never' || isOffChain || !('raw' in result) || result.raw === 'null') return null
  // A stalled node may have the logs that these nodes lack, or settle a field on which they differ.
  if (evidence.ruleId === 'everybody-agrees' || evidence.ruleId === 'joined') return null
  if (isEmptyList(result.raw) && !isKnownByHash(chain, rule, pinned.params)) return null
  // The nodes were behind or the chain has moved, and it was read at another block than the key says.
  if (evidence.block?.number !== pinned.block?.number || evidence.block?.hash !== pinned.block?.hash)
    return null
  const number =
    rule.keep === 'inclusion' ? (namedNumber ?? Number.POSITIVE_INFINITY) : (anchor?.number ?? null)
  const isSettled = number === null ? !requiresCanonical(pinned.params) : isFinal(chain, number)
  if (isSettled && !evidence.isThin) {
    const isOfMajority =
      isQuorum(withMajority(chain.electorate), operators) || isQuorum(chain.electorates.tightened, operators)
    return { head: null, untilMs: nowMs + (isOfMajority ? majorityTtlMs : minorityTtlMs), isOfMajority }
  }
  const head = chain.heads.current()
  return rule.keep === 'inclusion' || anchor?.hash == null || head === null
    ? null
    : { head: head.block.hash, untilMs: null, isOfMajority: false }
}

/**
 * Nodes that lack a block answer its hash with an empty list, as if it had no logs. Only the agreed header, whose bloom an
 * empty list was held against, tells the two apart.
 */
function isKnownByHash({ heads }: Chain, rule: MethodSpec, params: readonly unknown[]): boolean {
  return blockRefsOf(rule, params).every(
    (ref) => !('hash' in ref) || heads.blockOf(ref.hash)?.logsBloom != null,
  )
}

function isEmptyList(raw: string): boolean {
  return /^\s*\[\s*\]\s*$/.test(raw)
}

/** A block that is named by its hash stays what it is; that it is canonical may end. */
function requiresCanonical(params: readonly unknown[]): boolean {
  return params.some((param) => (param as { requireCanonical?: unknown } | null)?.requireCanonical === true)
}

/** No reorg reaches it. */
function isFinal({ heads }: Chain, number: number): boolean {
  return number <= (heads.current('finalized')?.block.number ?? -1)
}
