import { readHeader } from '../heads/headers.ts'
import { type Checkpoints, isAgainst } from '../methods/agreed-blocks.ts'
import { hexOf } from '../methods/block-ref.ts'
import {
  countOperators,
  difference,
  type Electorate,
  isQuorum,
  type OperatorSet,
  operatorsOfNodes,
  withMajority,
} from '../quorum/electorate.ts'
import { Abort, type Signal } from '../runtime/abort.ts'
import type { Cancel, Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { internalCall } from '../upstreams/errors/error-pattern.ts'
import type { Node } from '../upstreams/node.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'

interface GenesisCheckOptions {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  /** Operators that are not believed. */
  readonly suspects: () => OperatorSet
  readonly clock: Clock
}

const everyMs = 3_600_000
const pollMs = 5_000
/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

export function createGenesisCheck({
  chainId,
  nodes,
  electorate,
  suspects,
  clock,
}: GenesisCheckOptions): Genesis {
  /** More than half of all weight, and enough operators that are believed. */
  function isMajority(showing: readonly NodeIndex[]): boolean {
    const believed = difference(operatorsOfNodes(electorate, showing), suspects())
    return isQuorum(withMajority(electorate), believed) && countOperators(believed) >= accusersMin
  }

  const polledMs = new Map<NodeIndex, number>()
  const hashes = new Map<NodeIndex, string>()
  const onOtherChain = new Set<NodeIndex>()
  const open = new Set<Cancel>()

  function newlyFound(): readonly NodeIndex[] {
    const showing = (hash: string) => [...hashes.keys()].filter((node) => hashes.get(node) === hash)
    const common = [...new Set(hashes.values())].find((hash) => isMajority(showing(hash)))
    if (common === undefined) return []
    const found = [...hashes].flatMap(([node, hash]) =>
      hash === common || onOtherChain.has(node) ? [] : [node],
    )
    for (const node of found) onOtherChain.add(node)
    return found
  }

  return {
    due: (polled) =>
      polled.filter((node) => clock.now() - (polledMs.get(node) ?? Number.NEGATIVE_INFINITY) >= everyMs),
    async check(node) {
      polledMs.set(node, clock.now())
      const controller = new Abort()
      const giveUp = () => controller.abort()
      const cancel = clock.after(pollMs, giveUp)
      open.add(giveUp)
      const hash = await firstBlockOf(nodes[node] as Node, chainId, controller)
      cancel()
      open.delete(giveUp)
      if (hash === null) return []
      hashes.set(node, hash)
      onOtherChain.delete(node)
      return newlyFound()
    },
    forget() {
      const forgiven = [...onOtherChain]
      polledMs.clear()
      hashes.clear()
      onOtherChain.clear()
      return forgiven
    },
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}

export const headerCall = {
  method: 'eth_getBlockByNumber',
  context: internalCall,
  lane: 'head-poll',
} as const

/** The hash of block 0; null where the node has none to show: it may keep recent blocks only. */
async function firstBlockOf(node: Node, chainId: number, signal: Signal): Promise<string | null> {
  const reply = await node.reply({ ...headerCall, params: '["0x0",false]' }, signal)
  const header = reply.kind === 'result' ? readHeader(reply.raw, chainId) : null
  return header?.number === 0 ? header.hash : null
}

/** Asks a node for the blocks at checkpoints: whether it shows another one there. Null where there is no checkpoint. */
type CheckpointCheck = (request: (call: NodeCall) => Promise<Reply>) => Promise<boolean> | null

/** A node that shows no such block may keep recent ones only, which is not held against it. */
export function createCheckpointCheck(chainId: number, checkpoints: Checkpoints): CheckpointCheck {
  return (request) => {
    const known = checkpoints()
    return known.length === 0 ? null : someOf(known.map(({ number }) => isElsewhere(number)))

    async function isElsewhere(number: number): Promise<boolean> {
      const reply = await request({ ...headerCall, params: `["${hexOf(number)}",false]` })
      const header = reply.kind === 'result' ? readHeader(reply.raw, chainId) : null
      return header !== null && isAgainst(checkpoints, header)
    }
  }
}

const someOf = async (all: readonly Promise<boolean>[]) => (await Promise.all(all)).includes(true)

/** Whether all nodes stand on the same first block: a chain id is easily taken, a genesis is not. */
export interface Genesis {
  /** Those of these nodes that have not been asked for an hour. */
  readonly due: (nodes: readonly NodeIndex[]) => readonly NodeIndex[]
  /** Asks a node for its first block. Returns the nodes whose first block differs from that of more than half of all weight, each once. */
  readonly check: (node: NodeIndex) => Promise<readonly NodeIndex[]>
  /** The chain may have another first block now: every node is asked again. Returns the nodes whose first block differed. */
  readonly forget: () => readonly NodeIndex[]
  readonly close: () => void
}
