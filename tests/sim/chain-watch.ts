import type { EngineEvent } from '#rpc-proxy'
import { noteEvent, traceEvent } from './events.ts'
import { type HeadWatch, watchHeads } from './head-watch.ts'
import type { RunContext } from './run-context.ts'
import { type Soundness, soundnessOf } from './soundness.ts'
import { type TrustWatch, watchTrust } from './trust-watch.ts'
import { VerdictLog } from './verdict-log.ts'
import type { WorldChain } from './world.ts'

/** A chain and its checkers. */
export interface WatchedChain {
  readonly chain: WorldChain
  readonly soundness: Soundness
  readonly heads: HeadWatch
}

/** What checks the events of the engine, and what they tell for the judges. */
export interface EventWatch {
  readonly chains: ReadonlyMap<number, WatchedChain>
  readonly trust: TrustWatch
  readonly verdicts: VerdictLog
  readonly emit: (event: EngineEvent) => void
}

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

  function emit(event: EngineEvent): void {
    noteEvent(event, note)
    if (isTraced) traceEvent(event, log)
    switch (event.type) {
      case 'breach':
        report('S18', `${event.invariant}: ${event.detail}`)
        return
      case 'node-state':
        checkState(event)
        return
      case 'head':
        chains.get(event.chainId)?.heads.head(event.block)
        return
      case 'reorg':
        chains.get(event.chainId)?.heads.reorg()
        return
      case 'distrust':
        chains.get(event.chainId)?.heads.distrusted()
        trust.distrusted(event)
        return
      case 'verdict':
        trust.agreed(event.evidence)
        for (const node of verdicts.add(event.evidence, time.now()))
          report('S6', `${node} is in a group on ${event.evidence.method} without a vote`)
        return
      default:
    }
  }

  return { chains, trust, verdicts, emit }
}

function watchChain({ world, time, network, report }: RunContext, chain: WorldChain): WatchedChain {
  const { isCalm, isCalmAtRest, ...rest } = soundnessOf(chain, chain.quorum)
  const isTouched = world.settings.cordons.length > 0 && chain === world.chains[0]
  const soundness = {
    ...rest,
    isTouched,
    isCalm: isCalm && !isTouched,
    isCalmAtRest: isCalmAtRest && !isTouched,
  }
  const ports = { now: time.now, tick: network.tick, soundness, report }
  return { chain, soundness, heads: watchHeads(chain, ports) }
}
