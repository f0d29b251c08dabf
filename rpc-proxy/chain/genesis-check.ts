import { createGenesis, type Genesis } from '../heads/genesis.ts'
import { readHeader } from '../heads/read-header.ts'
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
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
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

/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

export function createGenesisCheck({
  chainId,
  nodes,
  electorate,
  suspects,
  clock,
}: GenesisCheckOptions): Genesis {
  return createGenesis({
    clock,
    getGenesis: (node, signal) => firstBlockOf(nodes[node] as Node, chainId, signal),
    isMajority(showing) {
      const believed = difference(operatorsOfNodes(electorate, showing), suspects())
      return isQuorum(withMajority(electorate), believed) && countOperators(believed) >= accusersMin
    },
  })
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
