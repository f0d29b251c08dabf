import type { Signal } from './abort.ts'
import type { Clock } from './clock.ts'
import type { EngineEvent } from './events.ts'
import { readHeader } from './heads/read-header.ts'
import type { Header } from './heads/views.ts'
import type { NodeIndex } from './indexes.ts'
import { ofOurOwn } from './upstreams/errors/rule.ts'
import type { Node } from './upstreams/node.ts'
import type { Reply } from './wire/types.ts'

interface HeaderAskOptions {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
}

/** Asks nodes for headers on the engine's own behalf, and tells their health and the observers what came of it. */
export interface HeaderAsks {
  /** Null for anything that is not a header. */
  readonly header: (voter: NodeIndex, block: string, signal: Signal) => Promise<Header | null>
  /** The hash of block 0; null where the node has none to show: it may keep recent blocks only. */
  readonly genesis: (voter: NodeIndex, signal: Signal) => Promise<string | null>
  /** An ask was given up after its stall, while others answered. */
  readonly silent: (voter: NodeIndex, signal: Signal) => void
  /** Voters that have answered an ask, with a header or with having none, since then. */
  readonly answeringSince: (ms: number) => readonly NodeIndex[]
}

export const headerCall = {
  method: 'eth_getBlockByNumber',
  context: ofOurOwn,
  lane: 'look',
} as const

export function createHeaderAsks({ chainId, nodes, clock, emit }: HeaderAskOptions): HeaderAsks {
  /** When each voter last answered. */
  const answeredMs = new Map<NodeIndex, number>()
  /** Asks that have gone out, by their signal. */
  const sent = new WeakSet<Signal>()

  function tell(node: Node, reply: Reply, durationMs: number): void {
    node.record(headerCall.method, reply, durationMs, 'look')
    emit({
      type: 'ask',
      chainId,
      method: headerCall.method,
      node: node.options.name,
      outcome: reply.kind,
      fault: reply.kind === 'fault' ? reply.fault : null,
      durationMs,
    })
  }

  async function header(voter: NodeIndex, block: string, signal: Signal): Promise<Header | null> {
    const node = nodes[voter] as Node
    const startMs = clock.now()
    const reply = await node.ask(
      { ...headerCall, params: `["${block}",false]`, onWait: () => sent.delete(signal) },
      signal,
      () => {
        sent.add(signal)
      },
    )
    // Given up; some transports deliver all the same.
    if (signal.aborted) return null
    const found = reply.kind === 'answer' ? readHeader(reply.raw) : null
    const judged = reply.kind === 'answer' && found === null ? noHeader(reply.raw) : reply
    if (judged.kind !== 'fault') answeredMs.set(voter, clock.now())
    tell(node, judged, clock.now() - startMs)
    return found
  }

  return {
    header,
    async genesis(voter, signal) {
      const reply = await (nodes[voter] as Node).ask({ ...headerCall, params: '["0x0",false]' }, signal)
      const found = reply.kind === 'answer' ? readHeader(reply.raw) : null
      return found?.number === 0 ? found.hash : null
    },
    silent(voter, signal) {
      // An ask that still waited for a place was never sent.
      const node = nodes[voter] as Node
      if (sent.has(signal)) tell(node, { kind: 'fault', fault: 'timeout' }, node.options.stallMs)
    },
    answeringSince: (ms) => [...answeredMs].filter(([, atMs]) => atMs >= ms).map(([voter]) => voter),
  }
}

/** No such block is no fault: the node is behind, or knows no finality. */
function noHeader(raw: string): Reply {
  return raw === 'null' ? { kind: 'behind' } : { kind: 'fault', fault: 'malformed' }
}
