import { createGateway, type Gateway } from '#rpc-proxy'
import { Callers } from './callers.ts'
import { type EventWatch, watchEvents } from './chain-watch.ts'
import { createChance } from './chance.ts'
import { drawWorld, type World } from './draw-world.ts'
import { startFilterCaller } from './filter-caller.ts'
import { createNetwork, type Network, type NetworkRecord, type Sent } from './network.ts'
import { OpenRequests, ownMethods } from './open-requests.ts'
import { type Breach, createRecorder } from './recorder.ts'
import { label, type RunContext } from './run-context.ts'
import { checkBroadcast } from './sent-checks.ts'
import { configOf } from './settings.ts'
import { shareAll } from './share-all.ts'
import { createSharedMemory, type SharedMemory } from './shared-memory.ts'
import { shutDown } from './shutdown.ts'
import { createTime, type Time } from './time.ts'
import { startMs, type WorldChain } from './world.ts'

/** The result of one seed. */
export interface Run {
  readonly breaches: readonly Breach[]
  /** The trace, if requested. */
  readonly trace: readonly string[]
}

export interface RunOptions {
  readonly note: (what: string) => void
  readonly isTraced: boolean
  /** Engines that share a memory which lies, lags, forgets and splits; one that is alone by default. */
  readonly replicas?: number
}

/** As the host bounds it. */
const polledMsMin = 250
/** How long a world continues after the last request. */
const graceMs = 30_000

/** Builds the world of a seed, runs the engine in it, or several that share what replicas share, and checks all invariants. */
export function runSeed(seed: number, options: RunOptions): Run {
  const world = drawWorld(seed)
  const time = createTime(startMs, () => {})
  const recorder = createRecorder({ seed, time, isTraced: options.isTraced })
  const count = options.replicas ?? 1
  const shared: Shared = {
    world,
    time,
    recorder,
    options,
    record: { votes: new Map(), headReplies: count > 1 ? new Map() : null, ticks: 0 },
    together: { verdicts: [], evidences: new Map(), heads: count > 1 ? new Map() : null },
    memory:
      count > 1
        ? createSharedMemory(seed, {
            ...{ time, note: options.note, log: recorder.log },
            calmMs: startMs + world.lengthMs,
          })
        : null,
  }
  const replicas = Array.from({ length: count }, (_, index) => startReplica(shared, index))
  schedule(world, time, replicas)
  if (shared.memory !== null) startFilterCaller({ replicas, calmMs: startMs + world.lengthMs })
  time.settle()
  time.run(startMs + world.lengthMs + graceMs)
  checkCordons(replicas)
  for (const replica of replicas) checkEnd(replica)
  for (const replica of replicas) replica.end()
  time.run(startMs + world.lengthMs + 2 * graceMs)
  return recorder
}

interface Shared extends Pick<RunContext, 'world' | 'time' | 'together'> {
  readonly recorder: ReturnType<typeof createRecorder>
  readonly options: RunOptions
  readonly record: NetworkRecord
  readonly memory: SharedMemory | null
}

interface Replica {
  readonly context: RunContext
  readonly gateway: Gateway
  readonly watch: EventWatch
  readonly callers: Callers
  /** At all replicas, by way of this one. */
  readonly cordon: Gateway['cordon']
  /** Nothing may be sent any more. */
  readonly end: () => void
}

/** One engine with its own connections to the nodes. The first one draws what it would draw alone. */
function startReplica(shared: Shared, index: number): Replica {
  const { world, time, together, record, memory, recorder, options } = shared
  const { seed, chains, settings } = world
  const { report, log } = recorder
  const own = Math.imul(index, 0x9e3779b1)
  const requests = new OpenRequests(settings)
  let isOver = false
  let callers: Callers | null = null
  const network: Network = createNetwork(chains, {
    time,
    record,
    chance: createChance(seed ^ 0x5bd1e995 ^ own),
    ignoresAbort: settings.ignoresAbort,
    onSend(sent) {
      log(`  -> ${label(sent)} ${sent.keys.join(' & ')}`)
      if (isOver) report('S14', `${label(sent)} is sent after the end: ${sent.keys.join(' & ')}`)
      checkSent(context, sent)
      callers?.sent(sent.chain)
    },
    onReply: (sent) => log(`  <- ${label(sent)} ${sent.plan?.text.slice(0, 200)}`),
  })
  const { note, isTraced } = options
  const context: RunContext = { world, time, network, requests, together, note, isTraced, report, log }
  const watch = watchEvents(context)
  const engineChance = createChance(seed ^ 0x1b873593 ^ own)
  const sharing = memory && shareAll(memory.peersOf(index), { world, time, network, note })
  const gateway = createGateway(configOf(chains, settings), {
    clock: time,
    random: settings.hasAudits ? engineChance.next : () => 0.01 + engineChance.next() * 0.99,
    send: sharing?.send ?? network.send,
    emit: watch.emit,
    ...memory?.portsOf(index),
    ...sharing?.ports,
  })
  sharing?.onPolled((id, tag) => gateway.refreshHead(id, tag, polledMsMin))
  const cordon = sharing === null ? gateway.cordon.bind(gateway) : sharing.cordons(gateway)
  callers = new Callers(context, { gateway, watch })
  const end = () => {
    isOver = true
  }
  return { context, gateway, watch, callers, cordon, end }
}

function checkSent(context: RunContext, sent: Sent): void {
  const { world, requests, note, report } = context
  const isCall = sent.requests.some(({ call }) => call === null || !ownMethods.has(call.method))
  note(`sent: ${isCall ? 'a call' : 'a head poll'}`)
  if (sent.node.isWitness) note(`witness: sent ${isCall ? 'a call' : 'a head poll'}`)
  if (!world.settings.hasAudits && !requests.isWanted(sent))
    report('S14', `${label(sent)} is sent without a caller: ${sent.keys.join(' & ')}`)
  checkBroadcast(context, sent)
}

/** All that happens to the gateways from outside: callers reach them in turn, operators all of them. */
function schedule(world: World, time: Time, replicas: readonly Replica[]): void {
  const { chance, chains, settings, clientRequests } = world
  const at = (ms: number, run: () => void) => time.at(startMs + ms, chance.next(), run)
  for (const [index, clientRequest] of clientRequests.entries())
    at(clientRequest.atMs, () => replicas[index % replicas.length]?.callers.begin(clientRequest))
  const { reload, cordons, end } = settings
  for (const [index, { context, gateway, watch, callers, cordon }] of replicas.entries()) {
    const { note, log } = context
    if (reload !== null)
      at(reload.atMs, () => {
        callers.reloaded()
        note('configuration: reloaded')
        log(`RELOAD quorum ${reload.quorum}`)
        gateway.reload(configOf(chains, settings, reload.quorum))
        for (const { everyday, guarded } of watch.chains.values())
          for (const { heads } of [everyday, guarded]) heads.reloaded()
      })
    for (const [turn, { atMs, node, isOut }] of cordons.entries())
      if (turn % replicas.length === index)
        at(atMs, () => {
          log(`${isOut ? 'CORDON' : 'UNCORDON'} ${node}`)
          cordon((chains[0] as WorldChain).id, node, isOut)
        })
    if (end !== null) at(end.atMs, () => shutDown(context, gateway, end.kind))
  }
}

/** Once they hear each other, the last word on a node holds at all replicas (R1). */
function checkCordons(replicas: readonly Replica[]): void {
  const [first, ...others] = replicas.map(({ gateway }) =>
    gateway
      .snapshot()
      .chains.flatMap(({ chainId, nodes }) =>
        nodes.flatMap(({ name, cordonedMs }) => (cordonedMs === null ? [] : [`${chainId}/${name}`])),
      ),
  )
  for (const other of others)
    if (String(other) !== String(first))
      replicas[0]?.context.report('R1', `cordoned are ${first} at one replica, ${other} at another`)
}

/** Every request has ended, and nothing is left. */
function checkEnd({ context, gateway }: Replica): void {
  const { world, time, network, requests: open, report } = context
  for (const { clientRequest } of open.list()) report('S10', `never ended: ${clientRequest.body}`)
  const { requests, upstreamRequests } = gateway.snapshot().inFlight
  if (requests !== 0) report('S11', `${requests} requests are left`)
  if (upstreamRequests !== 0 && !world.settings.ignoresAbort)
    report('S11', `${upstreamRequests} upstream requests are left`)
  gateway.close()
  time.settle()
  if (time.timers() > 0) report('S11', `${time.timers()} timers are left after close()`)
  for (const sent of network.outstanding())
    if (!sent.signal.aborted)
      report('S11', `${label(sent)} is still sent after close(): ${sent.keys.join(' & ')}`)
}
