import { isAnyQuorum, isQuorum, mayTighten } from './bars.ts'
import { judgeLostEstimate, mayDiffer } from './judge-estimate.ts'
import {
  cut,
  endOf,
  type JudgedCall,
  list,
  pinnedKey,
  type Reply,
  type Report,
  startOf,
} from './judged-call.ts'
import type { Network } from './network.ts'
import { keyOf, none, type ParsedCall } from './parsed-call.ts'
import { contradicting, signedPart, votersFor, votesWithin } from './recount.ts'
import { isHeavy } from './reply.ts'
import { mustFind } from './slow.ts'
import { truthOf } from './truth.ts'
import { tipAt, type WorldChain, type WorldNode, startMs as worldStartMs } from './world.ts'

/** Checks that a failure was necessary: no group could have won any more, or the deadline had passed. */
export function judgeFailure(judged: JudgedCall, network: Network, report: Report): void {
  const { chain, entry, reply, startMs, endMs, bar, soundness, isRough, isCrowded } = judged
  const { code, data } = reply.error as NonNullable<Reply['error']>
  const known = new Set([-32010, -32001, -32000, -32003, -32005, -32602])
  if (entry.agreement === 'broadcast' && !chain.nodes.some(({ writes, isWitness }) => writes && !isWitness)) {
    if (code !== -32601) report('S4', `no node accepts transactions, but the error is ${code}`)
    return
  }
  if (code === -32601) {
    // Fees are derived from a method that nodes are asked for.
    const method = entry.agreement === 'derived' ? 'eth_feeHistory' : (entry.call?.method ?? entry.method)
    if (!isAnyQuorum(chain, judged.bars, network.withoutMethod(chain, method)))
      report('S4', `${entry.text} is reported as an unknown method without a quorum for it`)
    return
  }
  if (code === 4444) {
    if (isQuorum(chain, bar, ableOperators(chain)))
      report('S4', `${entry.text} is reported as pruned without need`)
    return
  }
  if (!known.has(code)) report('S4', `${entry.text}: unexpected ${JSON.stringify(reply.error)}`)
  // A block hash need not exist, and the first node without it may end the call.
  if (
    (soundness.isCalm || (soundness.isCalmAtRest && !isHeavy(entry.call))) &&
    code === -32010 &&
    entry.call?.block.kind !== 'hash' &&
    !isOnItsWay(judged, network) &&
    // A chain of two operators has no result by `bridge`.
    !(judged.isByAll && judged.bars.bridge.operatorsMin > judged.bars.bridge.required.size) &&
    !mayDiffer(judged)
  )
    report('S10', `${entry.text} failed among honest nodes: ${JSON.stringify(data)}`)
  const isOut = startMs < worldStartMs + (chain.outage?.toMs ?? 0)
  if (chain.theme === 'slow' && entry.agreement === 'head' && !judged.isProtected && !isOut)
    report(
      'S10',
      `${entry.text} failed: ${JSON.stringify(data)}, though the nodes that do not hang are a quorum`,
    )
  if (code === -32001) judgeLostBlock(judged, report)
  if (code === -32010 && entry.agreement === 'estimate') judgeLostEstimate(judged, network, report)
  // By which rule it failed, votes do not tell: judge-policy.ts.
  if (judged.isProtected || mayTighten(chain)) return
  if (code !== -32010 || entry.agreement !== 'equality' || entry.call === null || reply.block === null) return
  if (isRough || isCrowded || judged.isBatched || endMs - startMs >= chain.deadlineMs) return
  const key = pinnedKey(entry.call, reply.block)
  const sends = network.sends(chain, key).filter(({ order }) => order >= judged.from && order <= judged.to)
  const votes = votesWithin(network, chain, key, judged.from, judged.to)
  const split = contradicting(votes)
  const voted = new Set(votes.map(({ node }) => node.operator))
  const open = new Set<string>()
  const withOtherGenesis = nodesWithOtherGenesis(chain, network)
  for (const node of chain.nodes) {
    if (voted.has(node.operator) || isBarred(node) || withOtherGenesis.has(node)) continue
    // A node without a known chain id is asked for it first, in a single request. Two in one batch are a batch size trial, which no call waits for.
    const identity = network
      .sends(chain, 'eth_chainId|||')
      .filter((sent) => sent.requests.length === 1 && (sent.endMs ?? endMs) >= startMs)
    const own = [...sends, ...identity].filter((sent) => sent.node === node)
    // It was asked for its chain id without success, and so was not asked the call.
    const isSpent =
      own.every((sent) => identity.includes(sent)) &&
      own.some(({ endMs: endedMs }) => endedMs !== null && endedMs <= endMs)
    // The stall starts with the first request, which may be the one for the chain id.
    const firstMs = Math.min(...own.map(({ atMs }) => atMs))
    // A stalled node with an open breaker is not waited for, and only the engine knows the breaker.
    const isOpen =
      own.length === 0 ||
      own.some(
        (sent) => sent.plan?.ms != null && sent.atMs + sent.plan.ms > endMs && endMs - firstMs < node.stallMs,
      )
    if (isOpen && !isSpent) open.add(node.operator)
  }
  for (const meaning of new Set(['', ...votes.map((vote) => vote.meaning)])) {
    const sure = votes.filter(({ isSure }) => isSure)
    const group = new Set([...votersFor(sure, meaning), ...open])
    for (const operator of split) group.delete(operator)
    if (isQuorum(chain, bar, group))
      report(
        'S10',
        `${entry.text} failed at ${endMs - startMs} ms while ${list(group)} could still agree on ${cut(meaning)}`,
      )
  }
}

/** The call waited for a block above the head. A block far above the head is refused at once, which in a batch is not seen. */
function judgeLostBlock(judged: JudgedCall, report: Report): void {
  const { chain, entry, startMs, endMs, bars, isBatched } = judged
  const ref = entry.call?.block
  if (chain.theme !== 'slow' || ref?.kind !== 'number' || endMs === startMs || isBatched) return
  const { everyday, tightened, protected: protectedBar } = bars
  if (mustFind(chain, ref.number, { beganMs: startMs, bars: [everyday, tightened, protectedBar] }))
    report('S10', `${entry.text} waited ${endMs - startMs} ms for a block that a quorum had`)
}

/**
 * Some nodes have the object already and some do not, so there may be no quorum for either. Against nulls it takes two
 * operators that have it. A call that joined another request was answered by earlier votes.
 */
function isOnItsWay(judged: JudgedCall, network: Network): boolean {
  const { chain, entry, bar } = judged
  if (entry.call === null) return false
  const key = keyOf(entry.call)
  const operators = new Set(chain.nodes.map(({ operator }) => operator)).size
  const several = { ...bar, operatorsMin: Math.max(bar.operatorsMin, Math.min(2, operators)) }
  return [startOf(judged), 0].some((from) => {
    const votes = votesWithin(network, chain, key, from, endOf(judged))
    const having = votes.filter(({ meaning }) => meaning !== 'null')
    return (
      new Set(having.map(({ meaning }) => signedPart(meaning))).size === 1 &&
      having.length < votes.length &&
      !isQuorum(chain, bar, votersFor(votes, 'null')) &&
      !isQuorum(chain, several, new Set(having.map(({ node }) => node.operator)))
    )
  })
}

/** Nodes that have shown another genesis block, which the engine may consider to be on another chain. */
function nodesWithOtherGenesis(chain: WorldChain, network: Network): ReadonlySet<WorldNode> {
  const genesis: ParsedCall = {
    method: 'eth_getBlockByNumber',
    subject: 'false',
    block: { kind: 'number', number: 0 },
    from: none,
  }
  const meanings = [0, Number.POSITIVE_INFINITY].map((atMs) => {
    const truth = truthOf(chain.id, tipAt(chain, atMs), genesis)
    return truth.kind === 'result' ? truth.meaning : null
  })
  return new Set(
    network
      .votes(chain, keyOf(genesis))
      .filter((vote) => meanings.some((meaning) => vote.meaning !== meaning))
      .map(({ node }) => node),
  )
}

/** Operators without a node that ever says that it has pruned the block or lacks the method. */
function ableOperators({ nodes }: WorldChain): ReadonlySet<string> {
  const isUnable = ({ phases }: WorldNode) =>
    phases.some(({ behavior }) => behavior.kind === 'unable' && behavior.style % 4 < 2)
  const unable = new Set(nodes.filter(isUnable).map(({ operator }) => operator))
  return new Set(nodes.map(({ operator }) => operator).filter((operator) => !unable.has(operator)))
}

/** The engine may be unable to ask this node: it is on another chain, or its budget is small. */
function isBarred({ phases, inFlightMax, perSecond }: WorldNode): boolean {
  return (
    inFlightMax < 64 || perSecond !== null || phases.some(({ behavior }) => behavior.kind === 'wrong-chain')
  )
}
