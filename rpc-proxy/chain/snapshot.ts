import { type Head, staleMsOf } from '../heads/heads.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ChainSnapshot, ChainStatus, NodeSnapshot, Snapshot } from '../ledger/snapshot-types.ts'
import { operatorsOfNodes, weightOf } from '../quorum/electorate.ts'
import { everydayRule, inReachOf, operatorsToLie } from '../quorum/operators-to-lie.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Chain } from './chain.ts'
import { idOf } from './head-evidence.ts'
import { blockAgeMsOf, clockBehindMsOf, isOldBlock } from './head-lag.ts'

interface Parts {
  readonly nowMs: number
  readonly startedMs: number
  readonly isDraining: boolean
  readonly chains: readonly Chain[]
  readonly ledger: Ledger
  readonly cache: Snapshot['cache']
  readonly requests: number
  readonly requestsMax: number
}

/** The engine's state as an operator may see it: names and numbers, no URL, key or header. */
export function snapshotOf({
  nowMs,
  startedMs,
  isDraining,
  chains,
  ledger,
  cache,
  requests,
  requestsMax,
}: Parts): Snapshot {
  return {
    version: 1,
    atMs: nowMs,
    startedMs,
    draining: isDraining,
    chains: chains.map((chain) => chainOf(chain, ledger, nowMs)),
    cache,
    inFlight: {
      requests,
      requestsMax,
      upstreamRequests: chains.reduce(
        (sum, { nodes }) => sum + nodes.reduce((count, node) => count + node.budget.inFlight(), 0),
        0,
      ),
    },
    counters: ledger.counters(),
    histograms: ledger.histograms(),
  }
}

function chainOf(chain: Chain, ledger: Ledger, nowMs: number): ChainSnapshot {
  const { config, electorate, electorates, heads } = chain
  const head = heads.current()
  const firm = chain.forProtected.heads.current()
  const nodes = chain.nodes.map((_, index) => nodeOf(chain, index, { ledger, agreed: highestOf(head, firm) }))
  const usable = nodes.flatMap(({ state }, index) => (state === 'usable' ? [index as NodeIndex] : []))
  const usableOperators = operatorsOfNodes(electorate, usable)
  const everydayOperators = operatorsOfNodes(
    electorate,
    usable.filter((index) => !chain.nodes[index]?.isReserved()),
  )
  const inReach = inReachOf(electorates, { usable: usableOperators, everyday: everydayOperators })
  const { status, why } = statusOf({
    isSeen: head !== null,
    isVisible: head === null || head.seenMs - head.confirmedMs <= staleMsOf(config.headMaxAgeMs),
    oldMs: head !== null && isOldBlock(head, config) ? blockAgeMsOf(head) : null,
    isAble: inReach.everyday,
    voters: nodes.filter(({ role }) => role === 'voter'),
  })
  return {
    chainId: config.id,
    status,
    why,
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
    proofs: ledger.proofs(
      config.id,
      config.nodes.map(({ name }) => name),
    ),
    operatorsToLie: operatorsToLie(electorates, everydayOperators),
    nodes,
  }
}

/** What nodes are held against: the highest block that any quorum shows. */
function highestOf(...heads: readonly (Head | null)[]): number | null {
  const numbers = heads.flatMap((head) => (head === null ? [] : [head.block.number]))
  return numbers.length === 0 ? null : Math.max(...numbers)
}

interface Condition {
  readonly isSeen: boolean
  /** A quorum has shown the head not long before the last poll. */
  readonly isVisible: boolean
  /** The age of its block, where that is too old. */
  readonly oldMs: number | null
  readonly isAble: boolean
  readonly voters: readonly NodeSnapshot[]
}

function statusOf({ isSeen, isVisible, oldMs, isAble, voters }: Condition): {
  status: ChainStatus
  why: string | null
} {
  if (!isAble) return { status: 'down', why: 'fewer nodes are usable than a quorum needs' }
  if (!isSeen) return { status: 'unknown', why: 'nobody has asked for this chain yet' }
  if (!isVisible) return { status: 'degraded', why: 'no quorum shows the head any more' }
  if (oldMs !== null)
    return { status: 'degraded', why: `the block that nodes agree on is ${inWords(oldMs)} old` }
  const names = voters.filter(({ state }) => state !== 'usable').map(({ name }) => name)
  if (names.length === 0) return { status: 'ok', why: null }
  return { status: 'degraded', why: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not usable` }
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
