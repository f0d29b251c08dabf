import { Abort, createGateway, type EngineEvent, type GatewayResponse } from '#rpc-proxy'
import { type ClientRequest, createClientRequests, type Entry } from './calls.ts'
import { createChance } from './chance.ts'
import { noteEvent, traceEvent } from './events.ts'
import { planted } from './garbage.ts'
import { type HeadWatch, watchHeads } from './head-watch.ts'
import { judge } from './judge.ts'
import { type JudgedCall, pinnedKey, type Reply, type Report } from './judged-call.ts'
import { createNetwork, type Network, type Sent } from './network.ts'
import type { ParsedCall } from './parsed-call.ts'
import { drawPauses, type PauseWorld, withPauses } from './pauses.ts'
import { readReplies } from './read-replies.ts'
import { drawReset, withReset } from './resets.ts'
import { configOf, createSettings, drawCordons } from './settings.ts'
import { type Soundness, soundnessOf } from './soundness.ts'
import { createTime } from './time.ts'
import { watchTrust } from './trust-watch.ts'
import { createChains, startMs, type WorldChain } from './world.ts'

export interface Breach {
  readonly seed: number
  readonly invariant: string
  readonly detail: string
}

/** The result of one seed. */
export interface Run {
  readonly breaches: readonly Breach[]
  /** The trace, if requested. */
  readonly trace: readonly string[]
}

export interface RunOptions {
  readonly note: (what: string) => void
  readonly isTraced: boolean
}

/** A request in flight. */
interface Open {
  readonly clientRequest: ClientRequest
  readonly startMs: number
  readonly order: number
  readonly controller: Abort
  hasLeft: boolean
}

/** A verdict and the votes it counted. */
interface Settled {
  readonly chainId: number
  readonly method: string
  readonly block: number | null
  readonly counted: readonly { readonly node: string; readonly atMs: number }[]
  readonly isAgreed: boolean
  readonly atMs: number
  readonly order: number
}

/** A chain and its checkers. */
interface Known {
  readonly chain: WorldChain
  readonly soundness: Soundness
  readonly heads: HeadWatch
}

/** In one of this many worlds callers pause for longer than any temporary cache entry lives. */
const longEvery = 32
const longPauseMs = 61_000

/** How long a world continues after the last request. */
const graceMs = 30_000

/** Worlds with a reset or with pauses refuse no calls and keep their quorum. */
const uneventful = { inFlightMax: 1000, costPerMinute: null, deny: [], reload: null, cordons: [] }

/** Builds the world of a seed, runs the engine in it and checks all invariants. */
export function runSeed(seed: number, { note, isTraced }: RunOptions): Run {
  const chance = createChance(seed)
  const reset = drawReset(seed)
  const pauses = reset === null ? drawPauses(seed) : null
  const pauseMs = seed % longEvery === 0 && reset === null && pauses === null ? longPauseMs : 0
  const lengthMs = reset?.lengthMs ?? pauses?.lengthMs ?? chance.pick([300, 2000, 5000, 9000]) + pauseMs
  const drawn = createChains(chance, lengthMs)
  const isPlain = reset === null && pauses === null
  const chains = isPlain
    ? drawn
    : drawn
        .slice(0, 1)
        .map((chain) => (reset !== null ? withReset(chain, reset) : withPauses(chain, pauses as PauseWorld)))
  const clientRequests = createClientRequests(chance, chains, lengthMs, pauseMs)
  const drawnSettings = createSettings(chance, chains, lengthMs)
  const cordons = [...drawnSettings.cordons, ...drawCordons(seed, chains[0] as WorldChain, lengthMs)]
  const settings = { ...drawnSettings, cordons, ...(!isPlain && uneventful) }
  const breaches: Breach[] = []
  const trace: string[] = []
  const opens = new Set<Open>()
  const verdicts: Settled[] = []
  const finished: { readonly open: Open; readonly order: number }[] = []
  let reloadedAt = Number.POSITIVE_INFINITY
  const endMs = settings.end === null ? Number.POSITIVE_INFINITY : startMs + settings.end.atMs
  let isOver = false

  const report: Report = (invariant, detail) => {
    breaches.push({ seed, invariant, detail })
    log(`BREACH ${invariant}: ${detail}`)
  }
  const log = (line: string) => {
    if (isTraced) trace.push(`${(time.now() - startMs).toFixed(0).padStart(6)} ${line}`)
  }
  const time = createTime(startMs, () => {})
  const network: Network = createNetwork(chains, {
    time,
    chance: createChance(seed ^ 0x5bd1e995),
    ignoresAbort: settings.ignoresAbort,
    onSend(sent) {
      note(
        `sent: ${sent.requests.some(({ call }) => call === null || !own.has(call.method)) ? 'a call' : 'a head poll'}`,
      )
      log(`  -> ${label(sent)} ${sent.keys.join(' & ')}`)
      if (isOver) report('S14', `${label(sent)} is asked after the end: ${sent.keys.join(' & ')}`)
      if (!settings.hasAudits && !isWanted(sent))
        report('S14', `${label(sent)} is asked without a caller: ${sent.keys.join(' & ')}`)
      checkBroadcast(sent)
    },
    onReply: (sent) => log(`  <- ${label(sent)} ${sent.plan?.text.slice(0, 200)}`),
  })
  const known = new Map(
    chains.map((chain): [number, Known] => {
      const { isCalm, isCalmAtRest, ...rest } = soundnessOf(chain, chain.quorum)
      const isTouched = settings.cordons.length > 0 && chain === chains[0]
      const soundness = {
        ...rest,
        isTouched,
        isCalm: isCalm && !isTouched,
        isCalmAtRest: isCalmAtRest && !isTouched,
      }
      const watchPorts = { now: time.now, tick: network.tick, soundness, report }
      return [chain.id, { chain, soundness, heads: watchHeads(chain, watchPorts) }]
    }),
  )
  const trust = watchTrust({ now: time.now, tick: network.tick, note, report })
  const engineChance = createChance(seed ^ 0x1b873593)
  const gateway = createGateway(configOf(chains, settings), {
    clock: time,
    random: settings.hasAudits ? engineChance.next : () => 0.01 + engineChance.next() * 0.99,
    send: network.send,
    emit,
  })

  function emit(event: EngineEvent): void {
    noteEvent(event, note)
    if (isTraced) traceEvent(event, log)
    if (event.type === 'breach') report('S18', `${event.invariant}: ${event.detail}`)
    if (event.type === 'node-state') checkState(event)
    if (event.type === 'head') known.get(event.chainId)?.heads.head(event.block)
    if (event.type === 'reorg') known.get(event.chainId)?.heads.reorg()
    if (event.type === 'distrust') {
      known.get(event.chainId)?.heads.distrusted()
      trust.distrusted(event)
    }
    if (event.type !== 'verdict') return
    trust.agreed(event.evidence)
    const { chainId, method, block, requests, outcome } = event.evidence
    const counted = requests.flatMap(({ node, group, endMs: heardMs }) =>
      group === null || heardMs === null ? [] : [{ node, atMs: heardMs }],
    )
    verdicts.push({
      chainId,
      method,
      block: block?.number ?? null,
      counted,
      isAgreed: outcome === 'agreed',
      atMs: time.now(),
      order: network.tick(),
    })
    // Every member of a group must have cast a vote (S6).
    for (const vote of counted)
      if (!network.count({ chainId, method, block: block?.number ?? null, ...vote }))
        report('S6', `${vote.node} is in a group on ${method} without a vote`)
  }

  /** With honest nodes and heavy work from callers, no node may change its state (S19). */
  function checkState({ chainId, node, from, to, why }: Extract<EngineEvent, { type: 'node-state' }>): void {
    if (known.get(chainId)?.chain.theme !== 'heavy work' || [from, to].includes('cordoned')) return
    report('S19', `${chainId}/${node} went from ${from} to ${to} because of what callers chose: ${why}`)
  }

  function begin(clientRequest: ClientRequest): void {
    const open: Open = {
      clientRequest,
      startMs: time.now(),
      order: network.tick(),
      controller: new Abort(),
      hasLeft: false,
    }
    const { malformed } = clientRequest
    opens.add(open)
    log(`CALL chain ${clientRequest.chain.id} ${malformed?.what ?? clientRequest.body}`)
    if (clientRequest.leavesMs !== null)
      time.at(time.now() + clientRequest.leavesMs, chance.next(), () => leave(open))
    void gateway
      .handle({
        method: malformed?.method ?? 'POST',
        path: malformed?.path ?? `/api/rpc/${clientRequest.chain.id}`,
        header(name) {
          if (name === 'content-type') return malformed === null ? 'application/json' : malformed.contentType
          return name === 'x-quorate-explain' && clientRequest.explained ? '1' : null
        },
        body: () => Promise.resolve(malformed?.body ?? { text: clientRequest.body }),
        caller: settings.costPerMinute === null ? `192.0.2.${open.order % 3}` : 'caller',
        origin: null,
        signal: open.controller,
      })
      .then(
        (response) => end(open, response),
        (error: unknown) => report('S4', `handle() rejected: ${String(error)}`),
      )
  }

  function leave(open: Open): void {
    if (!opens.has(open)) return
    open.hasLeft = true
    note('caller: left')
    log(`LEAVES ${open.clientRequest.body}`)
    open.controller.abort()
    time.settle()
    checkOrphans()
  }

  function end(open: Open, response: GatewayResponse): void {
    opens.delete(open)
    const { clientRequest } = open
    log(`ENDS ${response.status} ${response.body.slice(0, 400)} ${JSON.stringify(response.headers)}`)
    if (response.body.includes(planted)) report('S15', `a secret left: ${response.body.slice(0, 300)}`)
    finished.push({ open, order: network.tick() })
    if (open.hasLeft) return
    if (isRefused(open, response)) return
    if (clientRequest.malformed !== null) {
      const { what, status, code } = clientRequest.malformed
      note(`error: ${code}`)
      if (response.status !== status || !response.body.includes(`"code":${code},`))
        report('S4', `${what} was answered with ${response.status} ${response.body.slice(0, 200)}`)
      return
    }
    if (time.now() >= endMs) return
    for (const [entry, reply] of readReplies(clientRequest, response, report) ?? [])
      settle(open, entry, reply)
    // Events of the same millisecond may still belong to the answer.
    time.at(time.now(), 0, checkOrphans)
  }

  /** Refused by a limit, a spent budget or a closing gateway. It must come at once (S12). */
  function isRefused(open: Open, { status, body }: GatewayResponse): boolean {
    if (status !== 503 && status !== 429) return false
    const isDue =
      status === 429
        ? settings.costPerMinute !== null || settings.inFlightMax <= 4 * opens.size
        : open.startMs >= endMs || settings.inFlightMax <= opens.size
    note('error: -32005')
    if (!isDue) report('S12', `refused without need: ${body}`)
    if (time.now() !== open.startMs && status === 503) report('S12', 'refused late')
    return true
  }

  function settle(open: Open, entry: Entry, reply: Reply): void {
    const { chain, soundness, heads } = known.get(open.clientRequest.chain.id) as Known
    const nowMs = time.now()
    noteOutcome(entry, reply)
    if (settings.deny.includes(entry.method)) {
      if (reply.error?.code !== -32601 && reply.error?.code !== entry.code)
        report('S4', `${entry.method} is denied, and answered ${JSON.stringify(reply)}`)
      return
    }
    if (reply.error?.code === -32005 && settings.costPerMinute !== null) return
    const isReloaded = chain === chains[0] && open.order > reloadedAt
    const judged: JudgedCall = {
      chain,
      entry,
      reply,
      soundness,
      startMs: open.startMs,
      endMs: nowMs,
      from: open.order,
      to: network.tick(),
      heads: heads.tipsWithin(open.startMs, nowMs, reply.cache === 'miss' ? 0 : chain.deadlineMs),
      reported: heads.reported(open.startMs),
      givenUpMs: heads.givenUpMs(open.startMs),
      final: heads.final(open.startMs, nowMs),
      orderOfHead: heads.orderOfHeads(open.startMs, nowMs),
      isRough:
        heads.hasReorgSince(open.startMs) ||
        heads.hasDistrustSince(open.startMs) ||
        (chain.hasReorg && nowMs > open.startMs + 2000),
      isBatched: open.clientRequest.isBatch,
      isCrowded: isCrowded(open, entry),
      verdicts: verdictsFor(open, entry, reply),
      agreedMs: reply.cache === 'hit' ? agreedMs(open, entry, reply) : [],
      headSinceMs: heads.headSinceMs(open.startMs),
      bar: {
        quorum: isReloaded ? (settings.reload?.quorum ?? 0) : chain.quorum,
        operatorsMin: chain.operatorsMin,
      },
    }
    judge(judged, network, report)
    trust.judge(judged)
    if (entry.agreement === 'head' && reply.error === undefined)
      heads.served(Number(reply.result), open.startMs)
    if (isLatest(entry) && reply.error === undefined && reply.block !== null)
      heads.pinned(reply.block, open.startMs)
  }

  function noteOutcome({ agreement }: Entry, { error, cache, agreed, total }: Reply): void {
    note(`outcome: ${agreement} ${error === undefined ? 'result' : error.code}`)
    if (error !== undefined) note(`error: ${error.code}`)
    if (error?.code === -32010) note(`failed: ${(error.data as { reason?: string } | undefined)?.reason}`)
    if (cache !== null) note(`cache: ${cache}`)
    if (cache === 'hit' && agreed !== null && total !== null && agreed * 2 <= total)
      note('cache: hit of a minority')
  }

  /** When its asks reached a verdict. There are two if its block hash had changed by the first one. */
  function verdictsFor(open: Open, entry: Entry, reply: Reply): readonly number[] {
    return settledOf(open, entry, reply)
      .filter((settled) => settled.order > open.order)
      .map(({ order }) => order)
  }

  /** When asks for the same call were agreed, for any caller. */
  function agreedMs(open: Open, entry: Entry, reply: Reply): readonly number[] {
    return settledOf(open, entry, reply)
      .filter(({ isAgreed }) => isAgreed)
      .map(({ atMs }) => atMs)
  }

  function settledOf(open: Open, { call }: Entry, { block }: Reply): readonly Settled[] {
    if (call === null) return []
    const { chain } = open.clientRequest
    const votes = network.votes(chain, pinnedKey(call, block))
    const isOurs = ({ node, atMs }: Settled['counted'][number]) =>
      votes.some((vote) => vote.node.name === node && vote.atMs === atMs)
    return verdicts.filter(
      (settled) =>
        settled.chainId === chain.id &&
        settled.method === call.method &&
        settled.counted.length > 0 &&
        settled.counted.every(isOurs),
    )
  }

  /** Whether another call of this method was in flight, so that its asks cannot be attributed. */
  function isCrowded(open: Open, { method }: Entry): boolean {
    const { chain, entries } = open.clientRequest
    const isAsked = (entry: Entry) => entry.method === method || beside[entry.agreement] === method
    const asksToo = ({ clientRequest }: Open) =>
      clientRequest.chain === chain && clientRequest.entries.some(isAsked)
    return (
      entries.filter(isAsked).length > 1 ||
      [...opens].some(asksToo) ||
      // An audit continues after its call was answered.
      finished.some(
        (other) =>
          (settings.hasAudits || other.order > open.order) && other.open !== open && asksToo(other.open),
      )
    )
  }

  /** Asks without a waiting caller must have been aborted (S14). */
  function checkOrphans(): void {
    if (settings.hasAudits) return
    for (const sent of network.outstanding())
      if (!sent.signal.aborted && !isWanted(sent))
        report('S14', `${label(sent)} is still asked without a caller: ${sent.keys.join(' & ')}`)
  }

  function isWanted({ chain, requests }: Sent): boolean {
    return requests.some(({ call }) => {
      if (call === null || own.has(call.method)) return true
      for (const { clientRequest, hasLeft } of opens)
        if (
          !hasLeft &&
          clientRequest.chain === chain &&
          clientRequest.entries.some((entry) => wants(entry, call.method, call.subject))
        )
          return true
      return false
    })
  }

  /** A transaction is sent unchanged, only to write nodes, and once per node and request (S7). */
  function checkBroadcast(sent: Sent): void {
    for (const { call } of sent.requests) {
      if (call?.method !== broadcast) continue
      const requests = clientRequests.filter(
        ({ chain, atMs, entries, malformed }) =>
          chain === sent.chain &&
          malformed === null &&
          startMs + atMs <= time.now() &&
          entries.some((entry) => entry.call?.subject === call.subject && entry.agreement === 'broadcast'),
      )
      const times = network
        .sends(sent.chain, `eth_sendRawTransaction|${call.subject}||`)
        .filter(({ node }) => node === sent.node).length
      const entries = requests.flatMap((clientRequest) => clientRequest.entries)
      const most = entries.filter((entry) => entry.call?.subject === call.subject).length
      if (requests.length === 0)
        report('S7', `${label(sent)} was sent an unknown transaction: ${call.subject}`)
      else if (times > most)
        report('S7', `${label(sent)} is sent ${call.subject.slice(0, 40)}… ${times} times`)
      if (!sent.node.writes) report('S7', `${label(sent)} is no write node but was sent a transaction`)
    }
  }

  function stop(kind: 'drain' | 'close'): void {
    note(`end: ${kind}`)
    log(kind.toUpperCase())
    if (kind === 'close') {
      gateway.close()
      return
    }
    let isDrained = false
    const inFlight = opens.size
    void gateway.drain().then(() => {
      isDrained = true
      log('DRAINED')
      // The last answer may come in the same millisecond.
      time.at(time.now(), 0, () => {
        if (opens.size > 0) report('S4', `drained with ${opens.size} requests in flight`)
      })
      for (const sent of network.outstanding())
        if (!sent.signal.aborted && sent.requests.some(({ call }) => isStillSent(call, sent)))
          report('S7', `drained while ${label(sent)} is being sent a transaction`)
    })
    time.settle()
    const sentUntil = broadcastsEndMs()
    if (inFlight === 0 && !isDrained && sentUntil <= time.now())
      report('S4', 'nothing is in flight but the drain waits')
    if (inFlight === 0 && sentUntil > time.now())
      time.at(sentUntil + 1, 0, () => {
        time.settle()
        if (!isDrained) report('S10', 'no transaction is in flight but the drain waits')
      })
  }

  /** After its deadline a transaction may be in flight only because it shares a POST with others. */
  function isStillSent(call: ParsedCall | null, sent: Sent): boolean {
    const isOver = ({ atMs, chain, entries }: ClientRequest) =>
      startMs + atMs <= sent.atMs &&
      startMs + atMs + chain.deadlineMs <= time.now() &&
      entries.some((entry) => entry.call?.subject === call?.subject)
    return call?.method === broadcast && !clientRequests.some(isOver)
  }

  /** When every transaction so far has been sent to all nodes or aborted. */
  function broadcastsEndMs(): number {
    const ends = clientRequests
      .filter(({ atMs, entries }) => startMs + atMs <= time.now() && entries.some(isBroadcast))
      .map(({ atMs, chain }) => startMs + atMs + chain.deadlineMs)
    return Math.max(Number.NEGATIVE_INFINITY, ...ends)
  }

  for (const clientRequest of clientRequests)
    time.at(startMs + clientRequest.atMs, chance.next(), () => begin(clientRequest))
  const { reload, end: ending } = settings
  if (reload !== null)
    time.at(startMs + reload.atMs, chance.next(), () => {
      reloadedAt = network.tick()
      note('configuration: reloaded')
      log(`RELOAD quorum ${reload.quorum}`)
      gateway.reload(configOf(chains, settings, reload.quorum))
      for (const { heads } of known.values()) heads.reloaded()
    })
  for (const { atMs, node, isOut } of settings.cordons)
    time.at(startMs + atMs, chance.next(), () => {
      log(`${isOut ? 'CORDON' : 'UNCORDON'} ${node}`)
      gateway.cordon((chains[0] as WorldChain).id, node, isOut)
    })
  if (ending !== null) time.at(endMs, chance.next(), () => stop(ending.kind))

  time.settle()
  time.run(startMs + lengthMs + graceMs)
  for (const { clientRequest } of opens) report('S10', `never answered: ${clientRequest.body}`)
  const { requests, upstreamRequests } = gateway.snapshot().inFlight
  if (requests !== 0) report('S11', `${requests} requests are left`)
  if (upstreamRequests !== 0 && !settings.ignoresAbort)
    report('S11', `${upstreamRequests} upstream requests are left`)
  gateway.close()
  time.settle()
  if (time.timers() > 0) report('S11', `${time.timers()} timers are left after close()`)
  for (const sent of network.outstanding())
    if (!sent.signal.aborted)
      report('S11', `${label(sent)} is still asked after close(): ${sent.keys.join(' & ')}`)
  isOver = true
  time.run(startMs + lengthMs + 2 * graceMs)
  return { breaches, trace }
}

const broadcast = 'eth_sendRawTransaction'
const isBroadcast = ({ agreement }: Entry) => agreement === 'broadcast'

/** Methods that nodes are asked to answer another method. */
const beside: Readonly<Partial<Record<Entry['agreement'], string>>> = {
  derived: 'eth_feeHistory',
  estimate: 'eth_call',
  broadcast: 'eth_getTransactionByHash',
}

/** Methods that the engine asks for itself (head polls, chain ids), and methods that continue after the caller disconnects. */
const own = new Set([
  'eth_getBlockByNumber',
  'eth_chainId',
  'eth_sendRawTransaction',
  'eth_getTransactionByHash',
])

function isLatest({ call }: Entry): boolean {
  return call?.block.kind === 'tag' && call.block.tag === 'latest'
}

function wants({ method, agreement, call }: Entry, sent: string, subject: string): boolean {
  if (agreement === 'derived') return sent === 'eth_feeHistory'
  if (agreement === 'estimate' && sent === 'eth_call') return subject.startsWith(`${call?.subject},`)
  return method === sent && call?.subject === subject
}

const label = ({ chain, node }: Sent) => `${chain.id}/${node.name}`
