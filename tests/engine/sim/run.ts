import { createGateway, type Gateway } from '#rpc-proxy'
import { createChance } from '../../support/chance.ts'
import { Callers } from './callers.ts'
import { type EventWatch, watchEvents } from './chain-watch.ts'
import { drawWorld } from './draw-world.ts'
import { createNetwork, type Network, type Sent } from './network.ts'
import { OpenRequests, ownMethods } from './open-requests.ts'
import { label, type RunContext } from './run-context.ts'
import { checkBroadcast } from './sent-checks.ts'
import { configOf } from './settings.ts'
import { shutDown } from './shutdown.ts'
import { createTime } from './time.ts'
import { startMs, type WorldChain } from './world.ts'

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

export type RunOptions = Pick<RunContext, 'note' | 'isTraced'>

/** How long a world continues after the last request. */
const graceMs = 30_000

/** Builds the world of a seed, runs the engine in it, and checks all invariants. */
export function runSeed(seed: number, options: RunOptions): Run {
  const world = drawWorld(seed)
  const time = createTime(startMs)
  const breaches: Breach[] = []
  const trace: string[] = []
  const log = (line: string) => {
    if (options.isTraced) trace.push(`${(time.now() - startMs).toFixed(0).padStart(6)} ${line}`)
  }
  const report = (invariant: string, detail: string) => {
    breaches.push({ seed, invariant, detail })
    log(`BREACH ${invariant}: ${detail}`)
  }
  const engine = startEngine({ world, time, report, log, ...options })
  schedule(engine)
  time.settle()
  time.run(startMs + world.lengthMs + graceMs)
  checkEnd(engine)
  engine.end()
  time.run(startMs + world.lengthMs + 2 * graceMs)
  return { breaches, trace }
}

type EngineOptions = Omit<RunContext, 'network' | 'requests'>

interface RunningEngine {
  readonly context: RunContext
  readonly gateway: Gateway
  readonly watch: EventWatch
  readonly callers: Callers
  /** Nothing may be sent any more. */
  readonly end: () => void
}

function startEngine(options: EngineOptions): RunningEngine {
  const { world, time, report, log } = options
  const { seed, chains, settings } = world
  const requests = new OpenRequests(settings)
  let isOver = false
  let callers: Callers | null = null
  const network: Network = createNetwork(chains, {
    time,
    chance: createChance(seed ^ 0x5bd1e995),
    ignoresAbort: settings.ignoresAbort,
    onSend(sent) {
      log(`  -> ${label(sent)} ${sent.keys.join(' & ')}`)
      if (isOver) report('S14', `${label(sent)} is sent after the end: ${sent.keys.join(' & ')}`)
      checkSent(context, sent)
      callers?.sent(sent.chain)
    },
    onReply: (sent) => log(`  <- ${label(sent)} ${sent.plan?.text.slice(0, 200)}`),
  })
  const context: RunContext = { ...options, network, requests }
  const watch = watchEvents(context)
  const engineChance = createChance(seed ^ 0x1b873593)
  const gateway = createGateway(configOf(chains, settings), {
    clock: time,
    random: settings.hasAudits ? engineChance.next : () => 0.01 + engineChance.next() * 0.99,
    send: network.send,
    emit: watch.emit,
  })
  callers = new Callers(context, { gateway, watch })
  const end = () => {
    isOver = true
  }
  return { context, gateway, watch, callers, end }
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

/** All that happens to the gateway from outside. */
function schedule({ context, gateway, watch, callers }: RunningEngine): void {
  const { world, time, note, log } = context
  const { chance, chains, settings, clientRequests } = world
  const { reload, cordons, end } = settings
  const at = (ms: number, run: () => void) => time.at(startMs + ms, chance.next(), run)
  for (const clientRequest of clientRequests) at(clientRequest.atMs, () => callers.begin(clientRequest))
  if (reload !== null)
    at(reload.atMs, () => {
      callers.reloaded()
      note('configuration: reloaded')
      log(`RELOAD quorum ${reload.quorum}`)
      gateway.reload(configOf(chains, settings, reload.quorum))
      for (const { everyday, guarded } of watch.chains.values())
        for (const { heads } of [everyday, guarded]) heads.reloaded()
    })
  for (const { atMs, node, isOut } of cordons)
    at(atMs, () => {
      log(`${isOut ? 'CORDON' : 'UNCORDON'} ${node}`)
      gateway.cordon((chains[0] as WorldChain).id, node, isOut)
    })
  if (end !== null) at(end.atMs, () => shutDown(context, gateway, end.kind))
}

/** Every request has ended, and nothing is left. */
function checkEnd({ context, gateway }: RunningEngine): void {
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
