import { type Head, staleMsOf } from '../heads/heads.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ChainSnapshot, NodeSnapshot, SignedFinality } from '../ledger/snapshot-types.ts'
import { isQuorum, operatorsOfNodes, weightOf } from '../quorum/electorate.ts'
import { everydayRule, inReachOf, operatorsToLie } from '../quorum/operators-to-lie.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Chain, ServedChain } from './chain.ts'
import { idOf } from './head-evidence.ts'
import { blockAgeMsOf, clockBehindMsOf, isOldBlock } from './head-lag.ts'

/** The state of a chain as an operator may see it: names and numbers, no URL, key or header. */
export function chainSnapshot(chain: ServedChain, ledger: Ledger, nowMs: number): ChainSnapshot {
  const { config, electorate, electorates, heads } = chain
  const head = heads.current()
  const firm = chain.under.protected.heads.current()
  const nodes = chain.nodes.map((_, index) => nodeOf(chain, index, { ledger, agreed: highestOf(head, firm) }))
  const usable = nodes.flatMap(({ state }, index) => (state === 'usable' ? [index as NodeIndex] : []))
  const usableOperators = operatorsOfNodes(electorate, usable)
  const everydayOperators = operatorsOfNodes(
    electorate,
    usable.filter((index) => !chain.nodes[index]?.isReserved()),
  )
  const names = config.nodes.map(({ name }) => name)
  ledger.startCounters(config.id, names)
  const inReach = inReachOf(electorates, { usable: usableOperators, everyday: everydayOperators })
  return {
    chainId: config.id,
    ...statusOf(chain, { nodes, isAble: inReach.everyday, nowMs }),
    head: head && idOf(head.block),
    protectedHead: firm && idOf(firm.block),
    headLagMaxMs: config.headLagMaxMs,
    blockAgeMs: head === null ? null : blockAgeMsOf(head),
    clockBehindMs: head === null ? 0 : clockBehindMsOf(head),
    headAgeMs: head === null ? null : Math.max(0, Math.round(nowMs - head.confirmedMs)),
    safe: heads.current('safe')?.block.number ?? null,
    finalized: heads.current('finalized')?.block.number ?? null,
    signed: chain.history.signed(),
    reorgs: ledger.reorgs(config.id),
    quorum: {
      needed: electorate.needed,
      total: electorate.total,
      usable: weightOf(electorate, usableOperators),
      operatorsMin: electorate.operatorsMin,
      inReach,
    },
    everydayRule: everydayRule(electorates, everydayOperators),
    proofs: ledger.proofs(config.id, names),
    operatorsToLie: operatorsToLie(electorates, everydayOperators),
    nodes,
  }
}

/** What nodes are held against: the highest block that any quorum shows. */
function highestOf(...heads: readonly (Head | null)[]): number | null {
  const numbers = heads.flatMap((head) => (head === null ? [] : [head.block.number]))
  return numbers.length === 0 ? null : Math.max(...numbers)
}

function statusOf(
  { config, electorate, heads, history, replies }: Chain,
  {
    nodes,
    isAble,
    nowMs,
  }: { readonly nodes: readonly NodeSnapshot[]; readonly isAble: boolean; readonly nowMs: number },
): Pick<ChainSnapshot, 'status' | 'why'> {
  const head = heads.current()
  if (!isAble) return { status: 'down', why: 'fewer nodes are usable than a quorum needs' }
  if (head === null) {
    const replied = operatorsOfNodes(electorate, replies.since(nowMs - staleMsOf(config.headMaxAgeMs)))
    if (isQuorum(electorate, replied))
      return { status: 'down', why: 'no quorum of nodes shows the same block' }
    return { status: 'unknown', why: 'no call for this chain has arrived yet' }
  }
  if (head.seenMs - head.confirmedMs > staleMsOf(config.headMaxAgeMs))
    return { status: 'degraded', why: 'no quorum shows the head any more' }
  if (isOldBlock(head, config))
    return {
      status: 'degraded',
      why: `the block that nodes agree on is ${inWords(blockAgeMsOf(head) ?? 0)} old`,
    }
  const unsigned = whyUnsigned(history.signed(), nowMs)
  if (unsigned !== null) return { status: 'degraded', why: unsigned }
  const unusable = nodes.filter(({ role, state }) => role === 'voter' && state !== 'usable')
  const names = unusable.map(({ name }) => name)
  if (names.length === 0) return { status: 'ok', why: null }
  return { status: 'degraded', why: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not usable` }
}

/**
 * Finality takes a quarter of an hour: with an older signed block, the light client stands still.
 *
 * @example
 * const isOld = (ageMs: number) => ageMs > signedAgeMsMax
 */
export const signedAgeMsMax = 3_600_000

/** Why nothing is known to be signed as final now; null where nobody looks for signatures, or has only begun to. */
function whyUnsigned(signed: SignedFinality | null, nowMs: number): string | null {
  if (signed === null) return null
  const { timeMs, faults } = signed
  if (timeMs === null) return faults.length === 0 ? null : 'no block is known to be signed as final'
  const ageMs = nowMs - timeMs
  return ageMs > signedAgeMsMax ? `the last block that was signed as final is ${inWords(ageMs)} old` : null
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

function nodeOf(
  { config, nodes }: Chain,
  index: number,
  { ledger, agreed }: { readonly ledger: Ledger; readonly agreed: number | null },
): NodeSnapshot {
  const node = nodes[index] as (typeof nodes)[number]
  const { name, operator, role, weight, priority, community } = node.options
  const { state, why, untilMs } = node.health.status()
  const height = node.head()
  return {
    name,
    operator,
    role,
    weight,
    priority,
    community,
    state,
    why,
    untilMs,
    cordonedMs: node.health.cordoned()?.sinceMs ?? null,
    head: height,
    lag: lagOf(node.lag(), height, agreed),
    score: node.health.score(),
    inFlight: node.budget.inFlight(),
    leftToday: node.budget.leftToday(),
    plan: node.plan.snapshot(),
    ...ledger.nodeFigures(config.id, name),
  }
}

/** A node may have shown a newer block since its lag was measured, and one that was level is not asked at every block. */
export function lagOf(measured: number | null, height: number | null, agreed: number | null): number | null {
  if (measured === null || height === null || agreed === null) return measured
  return Math.min(measured, Math.max(0, agreed - height))
}
