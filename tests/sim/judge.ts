import { type Asked, type BlockRef, keyOf, none } from './asked.ts'
import type { Entry } from './calls.ts'
import type { Cast, Network } from './network.ts'
import { type Bar, castsWithin, isQuorum, quorumAtMs, sayers, twoFaced, weightOf } from './recount.ts'
import { wholeBlock } from './reply.ts'
import { meaningOf } from './shapes.ts'
import { unsent } from './signed.ts'
import type { Soundness } from './soundness.ts'
import { shapeOf, truthOf } from './truth.ts'
import { finalDepth, type Tip } from './universe.ts'
import { tipAt, type WorldChain, type WorldNode } from './world.ts'

/** One call that was answered. */
export interface Answered {
  readonly chain: WorldChain
  readonly entry: Entry
  readonly startMs: number
  readonly endMs: number
  /** The same moments in the network's count. */
  readonly from: number
  readonly to: number
  readonly reply: Reply
  /** The agreed heads as the engine told them, from the last before the call began to its end. */
  readonly heads: readonly Tip[]
  /** All that it has told before the end. */
  readonly told: readonly Tip[]
  /** When the head before the call began was told, in the network's count. */
  readonly orderOfHead: number
  /** A reorg was told while it was under way. */
  readonly isRough: boolean
  /** It ended when the slowest of its batch did. */
  readonly isBatched: boolean
  /** Another call of the same content was under way as well. */
  readonly isCrowded: boolean
  /** When asks for its method and block came to a verdict, in the network's count: the last of them is its own. */
  readonly verdicts: readonly number[]
  readonly bar: Bar
  readonly soundness: Soundness
}

/** A response object as the caller reads it. */
export interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly block: number | null
  readonly cache: string | null
  readonly agreed: number | null
  readonly needed: number | null
  readonly total: number | null
}

export type Report = (invariant: string, detail: string) => void

const refusalOf: Readonly<Record<string, string>> = {
  'insufficient funds for gas * price + value': 'refusal insufficient-funds',
  'nonce too low': 'refusal nonce-too-low',
}

/** Judges one answer by what the oracle itself knows: who said what, who weighs how much, what is true. */
export function judge(answered: Answered, network: Network, report: Report): void {
  const { chain, entry, reply, bar, startMs, endMs } = answered
  if (
    reply.total !== null &&
    (reply.total !== chain.total || (!isFreeOfQuorum(answered) && (reply.needed ?? 0) < bar.quorum))
  )
    report(
      'S16',
      `weights ${reply.agreed}/${reply.needed}/${reply.total}, configured ${bar.quorum} of ${chain.total}`,
    )
  if (reply.error?.code === -32603) report('S18', `internal error: ${reply.error.message}`)
  if (endMs - startMs > chain.deadlineMs + 1)
    report('S10', `${entry.method} ended after ${endMs - startMs} ms, deadline ${chain.deadlineMs}`)
  if (entry.code !== null) {
    if (reply.error?.code !== entry.code)
      report('S4', `${entry.text} was answered with ${JSON.stringify(reply)}, not ${entry.code}`)
    return
  }
  if (reply.error !== undefined && !isSaid(reply)) {
    judgeFailure(answered, network, report)
    return
  }
  if (reply.total !== null && (reply.agreed ?? 0) < (reply.needed ?? 0))
    report('S1', `${entry.method} agreed ${reply.agreed} of ${reply.needed}`)
  judgeCache(answered, report)
  judgeFinality(answered, network, report)
  judgeAsks(answered, network, report)
  judgeAnswer(answered, network, report)
}

/** A block that is called safe or final is so by more than half of all weight, and by two operators where there are two. */
function judgeFinality({ chain, entry, reply, to }: Answered, network: Network, report: Report): void {
  const ref = entry.asked?.block
  if (ref?.kind !== 'tag' || !finality.has(ref.tag) || reply.block === null || reply.error !== undefined)
    return
  const block = reply.block
  const showing = new Set<string>()
  for (const tag of finality)
    for (const { meaning, node } of castsWithin(network, chain, `eth_getBlockByNumber|false||${tag}`, 0, to))
      if (Number((JSON.parse(meaning) as { number?: string } | null)?.number) >= block)
        showing.add(node.operator)
  const operators = new Set(chain.nodes.map(({ operator }) => operator))
  if (weightOf(chain, showing) * 2 <= chain.total || showing.size < Math.min(2, operators.size))
    report('S1', `${entry.text} was read at ${block}, which only ${list(showing)} call ${ref.tag}`)
}

const finality = new Set(['safe', 'finalized'])

/** Nulls, errors, pending counts and broadcasts are never kept, and what names a block only once it is final (S8). */
function judgeCache({ entry, reply, chain, soundness, endMs }: Answered, report: Report): void {
  if (reply.cache !== 'hit') return
  if (reply.error !== undefined || reply.result === null || entry.agreement === 'highest')
    report('S8', `${entry.text} = ${JSON.stringify(reply.error ?? reply.result)} out of the cache`)
  const { blockNumber } = (reply.result ?? {}) as { blockNumber?: string }
  if (entry.asked?.block.kind !== 'none' || blockNumber === undefined || !soundness.isSound) return
  const final = tipAt(chain, endMs).number - finalDepth
  if (Number(blockNumber) > final)
    report('S8', `${entry.text} of block ${Number(blockNumber)} out of the cache, and ${final} is final`)
}

/** A node is asked once for a verdict, and once more if it did not have the block yet (S13). */
function judgeAsks(answered: Answered, network: Network, report: Report): void {
  const { chain, entry, reply, isRough, isCrowded, to } = answered
  if (reply.cache !== 'miss' || isRough || isCrowded || entry.asked === null || own.has(entry.method)) return
  const key = pinnedKey(entry.asked, reply.block)
  if (answered.verdicts.length > 2)
    report('S13', `${entry.text} was put to the nodes ${answered.verdicts.length} times`)
  const from = startOf(answered)
  const sends = network.sends(chain, key).filter(({ order }) => order >= from && order <= to)
  for (const node of chain.nodes) {
    const times = sends.filter((sent) => sent.node === node)
    if (times.length > (times.some(({ plan }) => plan?.behind) ? 2 : 1))
      report('S13', `${node.name} was asked ${key} ${times.length} times for one call`)
  }
}

/** Where the ask began that brought the answer: one whose block had changed by the verdict was put anew. */
function startOf({ verdicts, isCrowded, from }: Answered): number {
  return isCrowded ? from : (verdicts.at(-2) ?? from)
}

/** Methods that the engine asks for reasons of its own as well. */
const own = new Set([
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  // One that waited for a node to say who it is may go out after its call has ended: S7 counts these.
  'eth_sendRawTransaction',
])

/** A hit rests on what was agreed under the configuration of its time, and a broadcast on the first acceptance. */
function isFreeOfQuorum({ entry, reply }: Answered): boolean {
  return reply.cache === 'hit' || entry.agreement === 'broadcast'
}

function isSaid({ error }: Reply): boolean {
  return error === undefined || error.code === 3 || refusalOf[error.message] !== undefined
}

/** Text by which the oracle compares. */
function meaningIn(entry: Entry, { result, error }: Reply): string {
  if (error?.code === 3) return `revert ${String(error.data)}`
  if (error !== undefined) return refusalOf[error.message] ?? `error ${error.code}`
  return meaningOf(shapeOf[entry.method] ?? 'data', result)
}

function judgeAnswer(answered: Answered, network: Network, report: Report): void {
  const { entry, reply, chain } = answered
  const meaning = meaningIn(entry, reply)
  switch (entry.agreement) {
    case 'here':
      if (meaning !== `"0x${chain.id.toString(16)}"`) report('S5', `${entry.method} says ${meaning}`)
      return
    case 'head':
    case 'derived':
      return
    case 'broadcast':
      judgeBroadcast(answered, network, meaning, report)
      return
    case 'median':
    case 'highest':
      judgeNumber(answered, network, meaning, report)
      return
    default:
      judgeEquality(answered, network, meaning, report)
  }
}

/** The call as nodes were asked it: at a number, where the caller named a tag. */
export function pinnedKey({ method, subject, block, from }: Asked, number: number | null): string {
  const pin = (ref: BlockRef): BlockRef =>
    ref.kind !== 'tag'
      ? ref
      : ref.tag === 'earliest'
        ? { kind: 'number', number: 0 }
        : number === null
          ? none
          : { kind: 'number', number }
  return keyOf({ method, subject, block: pin(block), from: pin(from) })
}

function judgeEquality(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, startMs, endMs, isRough } = answered
  const asked = entry.asked as Asked
  const key = pinnedKey(asked, reply.block)
  const isFirst = reply.cache === 'miss'
  const heard = castsWithin(network, chain, key, isFirst ? startOf(answered) : 0, answered.to)
  // Of an agreed block null is no vote.
  const isNoVote = (said: string) => said === 'null' && meaning !== 'null' && wholeBlock.has(entry.method)
  const casts = heard.filter((cast) => !isNoVote(cast.meaning))
  const supporters = sayers(casts, meaning)
  // Votes of another ask of the same call cannot be told from those of this one.
  const isAlone = isFirst && !isRough && !answered.isCrowded
  // Nor can those of a look at heads, which asks for blocks too.
  if (isAlone && entry.method !== 'eth_getBlockByNumber')
    for (const operator of twoFaced(casts)) supporters.delete(operator)
  // A range that a node gave in parts cannot be found among what nodes said of the whole; S2 still judges it.
  const isWhole = entry.agreement !== 'logs' || !network.hasParts(chain, asked, reply.block ?? 0)
  if (isWhole && !isQuorum(chain, bar, supporters))
    report(
      foreign(answered, network, meaning) ? 'S5' : reply.cache === 'hit' ? 'S8' : 'S1',
      `${entry.text} at ${reply.block} (${reply.cache}) = ${cut(meaning)}, said by ${list(supporters)} of weight ${weightOf(chain, supporters)}; needs ${bar.quorum}, ${bar.operatorsMin} operators`,
    )
  judgeTruth(answered, meaning, report)
  if (isAlone) judgeNull(answered, casts, meaning, report)
  // Where nothing but votes decides, the answer leaves with the vote that completes the quorum.
  const isClear = twoFaced(casts).size === 0 && casts.every(({ isSure }) => isSure)
  if (!isAlone || !isClear || answered.isBatched || entry.agreement !== 'equality') return
  const completeMs = quorumAtMs(chain, bar, casts, meaning)
  if (completeMs !== null && endMs > completeMs)
    report(
      'S10',
      `${entry.text} was agreed at ${completeMs - startMs} ms and answered at ${endMs - startMs} ms`,
    )
}

/** The value was said to another call. */
function foreign({ chain, entry }: Answered, network: Network, meaning: string): boolean {
  const key = keyOf(entry.asked as Asked)
  return sayers(network.casts(chain, key), meaning).size === 0 && meaning !== 'null'
}

/** With liars below quorum, what is returned is what an honest node with an agreed head says. */
function judgeTruth(
  { chain, entry, reply, heads, told, soundness }: Answered,
  meaning: string,
  report: Report,
): void {
  if (!soundness.isSound) return
  if ((meaning === 'null' || entry.agreement === 'logs') && !soundness.isComplete) return
  const asked = entry.asked as Asked
  const pin = (ref: BlockRef): BlockRef =>
    ref.kind === 'tag' && ref.tag !== 'earliest' && reply.block !== null
      ? { kind: 'number', number: reply.block }
      : ref
  const atBlock: Asked = { ...asked, block: pin(asked.block), from: pin(asked.from) }
  // What is kept by a block's hash stays true of that block, though a reorg has taken it from the chain.
  const isKeptByHash = reply.cache === 'hit' && asked.block.kind === 'hash'
  for (const tip of isKeptByHash ? [...told, ...heads] : heads) {
    const truth = truthOf(chain.id, tip, atBlock)
    if (truth.kind !== 'behind' && truth.meaning === meaning) return
  }
  report(
    'S2',
    `${entry.text} at ${reply.block} (${reply.cache}) = ${cut(meaning)}, which is not true on any of ${heads.length} heads`,
  )
}

/** "I do not have it" never wins against a quorum of two that has it, in a block that is agreed. */
function judgeNull(
  { chain, entry, bar, soundness, told }: Answered,
  casts: readonly Cast[],
  meaning: string,
  report: Report,
): void {
  const asked = entry.asked as Asked
  const { kind } = asked.block
  if (meaning !== 'null' || !soundness.isSound || kind === 'number' || kind === 'tag') return
  const tip = told.at(-1)
  const truth = tip === undefined ? null : truthOf(chain.id, tip, asked)
  if (truth === null || truth.kind !== 'result' || truth.value === null) return
  const { blockNumber, number } = truth.value as { blockNumber?: string; number?: string }
  const home = Number(blockNumber ?? number)
  const owners = sayers(casts, truth.meaning)
  if (owners.size > 1 && isQuorum(chain, bar, owners) && told.some((agreed) => agreed.number === home))
    report('S1', `${entry.text} = null although ${list(owners)} had it in block ${home}, which is agreed`)
}

function judgeNumber(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, reply, bar, isRough } = answered
  const key =
    entry.agreement === 'highest' ? keyOf(entry.asked as Asked) : pinnedKey(entry.asked as Asked, reply.block)
  const isFirst = reply.cache === 'miss'
  // What hangs on the head alone is known for as long as that is the head.
  const since = isFirst
    ? startOf(answered)
    : reply.cache === 'hit' && entry.asked?.block.kind === 'none'
      ? answered.orderOfHead
      : 0
  const casts = castsWithin(network, chain, key, since, answered.to)
  const isAlone = isFirst && !isRough && !answered.isCrowded
  const split = isAlone ? twoFaced(casts) : new Set<string>()
  if (!meaning.startsWith('"0x')) {
    const supporters = sayers(casts, meaning)
    for (const operator of split) supporters.delete(operator)
    if (!isQuorum(chain, bar, supporters))
      report('S1', `${entry.text} = ${meaning}, said by ${list(supporters)} only`)
    return
  }
  const value = BigInt(JSON.parse(meaning) as string)
  const numbers = casts.filter((cast) => cast.meaning.startsWith('"0x') && !split.has(cast.node.operator))
  const numberOf = (cast: Cast) => BigInt(JSON.parse(cast.meaning) as string)
  const voters = new Set(numbers.map(({ node }) => node.operator))
  const operators = new Set(chain.nodes.map(({ operator }) => operator))
  if (isAlone && answered.soundness.isCalm && entry.agreement === 'median' && voters.size < operators.size)
    report('S1', `${entry.text} = ${value}, by ${list(voters)} alone, and all of them are well`)
  if (!isQuorum(chain, bar, voters))
    report('S1', `${entry.text} = ${value}, a median of ${list(voters)} only`)
  if (entry.agreement === 'highest') {
    const reaching = new Set(
      numbers.filter((cast) => numberOf(cast) >= value).map(({ node }) => node.operator),
    )
    if (
      !isQuorum(chain, bar, reaching) &&
      !isOwnNonce(chain, value) &&
      !isLatestNonce(answered, network, meaning)
    )
      report('S1', `${entry.text} = ${value}, reached by ${list(reaching)} only`)
    return
  }
  const honest = numbers.filter(({ node }) => node.phases.every(({ character }) => character.kind !== 'liar'))
  const liars = new Set(numbers.filter((cast) => !honest.includes(cast)).map(({ node }) => node.operator))
  // Where several asks of the same were on their way, this one may have heard a quorum of them and no more.
  const heard = isAlone ? weightOf(chain, voters) : Math.min(bar.quorum, weightOf(chain, voters))
  if (weightOf(chain, liars) * 2 >= heard || honest.length === 0) return
  const values = honest.map(numberOf).sort((a, b) => (a < b ? -1 : 1))
  const [low, high] = [values[0] as bigint, values.at(-1) as bigint]
  if (value < low || value > high)
    report('S1', `${entry.text} = ${value}, honest nodes said ${low} to ${high}`)
}

/** One more than a broadcast of ours that was accepted. */
function isOwnNonce({ id }: WorldChain, value: bigint): boolean {
  return (unsent.get(id) ?? []).some(({ nonce }) => BigInt(nonce + 1) === value)
}

/** What a quorum says of an agreed block, or of the one below it where a quorum lacks that: a pending nonce is never below it. */
function isLatestNonce(
  { chain, entry, bar, told, to }: Answered,
  network: Network,
  meaning: string,
): boolean {
  return told
    .flatMap(({ number }) => [number, number - 1])
    .some((number) => {
      const key = keyOf({ ...(entry.asked as Asked), block: { kind: 'number', number } })
      return isQuorum(chain, bar, sayers(castsWithin(network, chain, key, 0, to), meaning))
    })
}

function judgeBroadcast(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { chain, entry, bar } = answered
  const raw = (entry.asked as Asked).subject
  const signed = (unsent.get(chain.id) ?? []).find((candidate) => candidate.raw === raw)
  const casts = castsWithin(network, chain, keyOf(entry.asked as Asked), 0, answered.to)
  if (meaning.startsWith('"')) {
    if (meaning !== `"${signed?.hash}"`) report('S2', `sent ${signed?.hash}, answered ${meaning}`)
    const found = keyOf({
      ...(entry.asked as Asked),
      method: 'eth_getTransactionByHash',
      subject: signed?.hash ?? '',
    })
    if (sayers(casts, 'accepted').size === 0 && network.casts(chain, found).length === 0)
      report('S1', `${entry.method} answered ${meaning} although nobody accepted it`)
    return
  }
  // Nobody else could refuse it: where all that take transactions weigh less than a quorum, all of them are enough.
  const writers = new Set(chain.nodes.filter(({ writes }) => writes).map(({ operator }) => operator))
  const own: Bar = {
    quorum: Math.min(bar.quorum, weightOf(chain, writers)),
    operatorsMin: Math.min(bar.operatorsMin, writers.size),
  }
  const refusing = sayers(casts, meaning)
  if (!isQuorum(chain, own, refusing))
    report('S1', `${entry.method} = ${meaning}, said by ${list(refusing)} only`)
}

/** A failure must be one: no camp could have won any more, or time was up. */
function judgeFailure(answered: Answered, network: Network, report: Report): void {
  const { chain, entry, reply, startMs, endMs, bar, soundness, isRough, isCrowded } = answered
  const { code, data } = reply.error as NonNullable<Reply['error']>
  const known = new Set([-32010, -32001, -32000, -32003, -32005, -32602])
  if (entry.agreement === 'broadcast' && !chain.nodes.some(({ writes }) => writes)) {
    if (code !== -32601) report('S4', `nobody takes transactions, and the answer is ${code}`)
    return
  }
  if (!known.has(code)) report('S4', `${entry.text}: unexpected ${JSON.stringify(reply.error)}`)
  // A block that is named by a hash need not be anywhere, and the first who lacks it may end the question.
  if (
    soundness.isCalm &&
    code === -32010 &&
    entry.asked?.block.kind !== 'hash' &&
    !isOnItsWay(answered, network)
  )
    report('S10', `${entry.text} failed among honest nodes: ${JSON.stringify(data)}`)
  if (code !== -32010 || entry.agreement !== 'equality' || entry.asked === null || reply.block === null)
    return
  if (isRough || isCrowded || answered.isBatched || endMs - startMs >= chain.deadlineMs) return
  const key = pinnedKey(entry.asked, reply.block)
  const sends = network
    .sends(chain, key)
    .filter(({ order }) => order >= answered.from && order <= answered.to)
  const casts = castsWithin(network, chain, key, answered.from, answered.to)
  const split = twoFaced(casts)
  const voted = new Set(casts.map(({ node }) => node.operator))
  const open = new Set<string>()
  const strangers = strangersIn(chain, network)
  for (const node of chain.nodes) {
    if (voted.has(node.operator) || isBarred(node) || strangers.has(node)) continue
    // Whoever has not said yet which chain it serves is asked that first.
    const identity = network.sends(chain, 'eth_chainId|||').filter((sent) => (sent.endMs ?? endMs) >= startMs)
    const own = [...sends, ...identity].filter((sent) => sent.node === node)
    // It was asked for its chain, did not say it, and has not been asked the call itself.
    const isSpent =
      own.every((sent) => identity.includes(sent)) &&
      own.some(({ endMs: saidMs }) => saidMs !== null && saidMs <= endMs)
    // The stall begins with the asking, and that with the node's chain where it has not said it.
    const firstMs = Math.min(...own.map(({ atMs }) => atMs))
    // A stalled node whose breaker is open is waited for by nobody, and only the engine knows of its breaker.
    const isOpen =
      own.length === 0 ||
      own.some(
        (sent) => sent.plan?.ms != null && sent.atMs + sent.plan.ms > endMs && endMs - firstMs < node.stallMs,
      )
    if (isOpen && !isSpent) open.add(node.operator)
  }
  for (const meaning of new Set(['', ...casts.map((cast) => cast.meaning)])) {
    const sure = casts.filter(({ isSure }) => isSure)
    const camp = new Set([...sayers(sure, meaning), ...open])
    for (const operator of split) camp.delete(operator)
    if (isQuorum(chain, bar, camp))
      report(
        'S10',
        `${entry.text} failed at ${endMs - startMs} ms while ${list(camp)} could still agree on ${cut(meaning)}`,
      )
  }
}

/** Some have it already and some have not: where a quorum takes more than half, it may be that neither are one. */
function isOnItsWay({ chain, entry, bar, from, to }: Answered, network: Network): boolean {
  const operators = new Set(chain.nodes.map(({ operator }) => operator)).size
  if (entry.asked === null || (bar.quorum * 2 <= chain.total && bar.operatorsMin * 2 <= operators))
    return false
  const said = castsWithin(network, chain, keyOf(entry.asked), from, to).map(({ meaning }) => meaning)
  return said.includes('null') && new Set(said).size === 2
}

/** Nodes that have shown another first block than the chain's: the engine may have taken them for another chain's. */
function strangersIn(chain: WorldChain, network: Network): ReadonlySet<WorldNode> {
  const genesis: Asked = {
    method: 'eth_getBlockByNumber',
    subject: 'false',
    block: { kind: 'number', number: 0 },
    from: none,
  }
  const truth = truthOf(chain.id, tipAt(chain, 0), genesis)
  const meaning = truth.kind === 'result' ? truth.meaning : null
  return new Set(
    network
      .casts(chain, keyOf(genesis))
      .filter((cast) => cast.meaning !== meaning)
      .map(({ node }) => node),
  )
}

/** It may be that the engine cannot ask it: it serves another chain, or its budget is small. */
function isBarred({ phases, inFlightMax, perSecond }: WorldNode): boolean {
  return (
    inFlightMax < 64 || perSecond !== null || phases.some(({ character }) => character.kind === 'wrong-chain')
  )
}

const list = (operators: ReadonlySet<string>) => `[${[...operators].join(', ')}]`
const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
