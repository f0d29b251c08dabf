import type { EngineEvent, Evidence } from '#rpc-proxy'
import { type Bar, barsOf, mayTighten } from './bars.ts'
import { noteEvent, traceEvent } from './events.ts'
import { type HeadWatch, watchHeads } from './head-watch.ts'
import { type DownSince, noteState } from './node-states.ts'
import type { RunContext } from './run-context.ts'
import { type Soundness, soundnessOf } from './soundness.ts'
import { type TrustWatch, watchTrust } from './trust-watch.ts'
import { VerdictLog } from './verdict-log.ts'
import type { WorldChain } from './world.ts'

/** A chain as calls of one kind see it, and its checkers. */
interface ChainSide {
  readonly soundness: Soundness
  readonly heads: HeadWatch
}

export interface WatchedChain {
  readonly chain: WorldChain
  readonly everyday: ChainSide
  /** Protected calls have heads of their own. */
  readonly guarded: ChainSide
  readonly downSince: DownSince
}

/** What checks the events of the engine, and what they tell for the judges. */
export interface EventWatch {
  readonly chains: ReadonlyMap<number, WatchedChain>
  readonly trust: TrustWatch
  readonly verdicts: VerdictLog
  readonly emit: (event: EngineEvent) => void
}

type UpstreamEvent = Extract<EngineEvent, { type: 'upstream-request' }>

export function watchEvents(context: RunContext): EventWatch {
  const { time, network, note, isTraced, report, log } = context
  const chains = new Map(context.world.chains.map((chain) => [chain.id, watchChain(context, chain)]))
  const trust = watchTrust({ now: time.now, tick: network.tick, note, report })
  const verdicts = new VerdictLog(network)

  /** With honest nodes and heavy work from callers, no node may change its state (S19). */
  function checkState({ chainId, node, from, to, why }: Extract<EngineEvent, { type: 'node-state' }>): void {
    if (chains.get(chainId)?.chain.theme !== 'heavy work' || [from, to].includes('cordoned')) return
    report('S19', `${chainId}/${node} went from ${from} to ${to} because of what callers chose: ${why}`)
  }

  /** The node whose reply has just closed its breaker. */
  let answering: string | null = null

  /** What closes a breaker is a head poll, or a read whose work no caller chooses (S19). */
  function checkAnswer({ chainId, node, purpose, method }: UpstreamEvent): void {
    const isChosen = purpose === 'caller-controlled' || purpose === 'transaction'
    if (answering === `${chainId}/${node}` && isChosen)
      report('S19', `${answering} was open, and is usable because it answered ${method}`)
    answering = null
  }

  const sidesOf = (chainId: number): readonly ChainSide[] => {
    const { everyday, guarded } = chains.get(chainId) as WatchedChain
    return [everyday, guarded]
  }

  /** A head of protected calls is known by its evidence alone. */
  function noteGuardedHead({ chainId, method, policy, outcome, block }: Evidence): void {
    if (method !== 'eth_blockNumber' || policy !== 'protected' || outcome !== 'agreed') return
    if (block?.hash != null)
      chains.get(chainId)?.guarded.heads.head({ number: block.number, hash: block.hash })
  }

  function noteOutvoted({ chainId, node }: Extract<EngineEvent, { type: 'dissent' }>): void {
    const found = chains.get(chainId)?.chain.nodes.find(({ name }) => name === node)
    if (found?.isWitness) note('witness: outvoted')
  }

  function emit(event: EngineEvent): void {
    noteEvent(event, note)
    if (isTraced) traceEvent(event, log)
    switch (event.type) {
      case 'breach':
        report('S18', `${event.invariant}: ${event.detail}`)
        return
      case 'node-state':
        checkState(event)
        if (event.why === 'it answers') answering = `${event.chainId}/${event.node}`
        noteState((chains.get(event.chainId) as WatchedChain).downSince, event, time.now())
        if (event.to === 'usable') for (const { down } of context.requests.list()) down.delete(event.node)
        return
      case 'upstream-request':
        checkAnswer(event)
        return
      case 'dissent':
        noteOutvoted(event)
        return
      case 'head':
        chains.get(event.chainId)?.everyday.heads.head(event.block)
        return
      case 'reorg':
        chains.get(event.chainId)?.everyday.heads.reorg()
        return
      case 'distrust':
        for (const { heads } of sidesOf(event.chainId)) heads.distrusted()
        trust.distrusted(event)
        return
      case 'verdict':
        trust.agreed(event.evidence)
        noteGuardedHead(event.evidence)
        for (const node of verdicts.add(event.evidence, time.now()))
          report('S6', `${node} is in a group on ${event.evidence.method} without a vote`)
        return
      default:
    }
  }

  return { chains, trust, verdicts, emit }
}

function watchChain({ world, time, network, report }: RunContext, chain: WorldChain): WatchedChain {
  const isTouched = world.settings.cordons.length > 0 && chain === world.chains[0]
  const bars = barsOf(chain)
  const sideOf = (own: readonly Bar[]): ChainSide => {
    const soundness = soundnessOf(chain, { bars: own, isTouched })
    const ports = { now: time.now, tick: network.tick, soundness, bars: own, report }
    return { soundness, heads: watchHeads(chain, ports) }
  }
  const everyday = mayTighten(chain) ? [bars.everyday, bars.tightened, bars.thin] : [bars.everyday]
  return { chain, everyday: sideOf(everyday), guarded: sideOf([bars.protected]), downSince: new Map() }
}
