import { setTimeout as pause } from 'node:timers/promises'
import type { Scripted } from '../../demo/nodes/node.ts'
import { type Nodes, startNodes } from './demo-nodes.ts'
import { says } from './replies.ts'
import { blockAt, hex } from './scripted-chain.ts'
import { createNode, delayOf, repliesOf, type Script, wholeOf } from './world.ts'

/** A node over HTTP that replies from a script, as those of `worldOf` do. */
function scripted(script: Script, chainId: number): Scripted {
  const node = createNode(script, chainId)
  return {
    kind: 'scripted',
    async behave({ body, respond }) {
      const parsed = JSON.parse(body.toString())
      const replies = repliesOf(node, [parsed].flat())
      await pause(delayOf(replies), undefined, { ref: false })
      const whole = wholeOf(replies, Array.isArray(parsed))
      if (!('fault' in whole)) respond({ status: whole.status, body: Buffer.from(whole.body) })
    },
  }
}

/** An honest node of a chain without new blocks, whose head is block 1000. `on` adds or overrides methods. */
export function honest(on: Script['on'] = {}, chainId = 137): Scripted {
  const methods = {
    net_version: says(String(chainId)),
    eth_blockNumber: says(hex(1000)),
    eth_getBlockByHash: says(blockAt(1000)),
    eth_getBalance: says('0x10'),
    eth_getTransactionCount: says('0x1'),
    eth_gasPrice: says('0x7'),
  }
  return scripted({ safe: 936, finalized: 936, on: { ...methods, ...on } }, chainId)
}

/** Nodes of these names that reply so. */
export const startAlike = (names: readonly string[], faultProfile: Scripted): Promise<Nodes> =>
  startNodes({ nodes: names.map((name) => ({ name, faultProfile })) })

/** Two honest nodes and one with another balance. */
export async function startMadeUpNodes(on: Script['on'] = {}): Promise<Nodes> {
  const nodes = await startAlike(['a', 'b', 'liar'], honest(on))
  await nodes.node('liar').setFaultProfile(honest({ ...on, eth_getBalance: says('0x99') }))
  return nodes
}

/** A chain with these nodes, which have `ofEach` in common. */
export const chainOf = ({ nodes }: Nodes, ofEach: object = {}) => ({
  id: 137,
  name: 'Made up',
  currency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  explorer: 'https://explorer.example',
  // Its blocks are of 2023.
  headLagMaxMs: null,
  // All three are asked in this order, and two always agree.
  nodes: nodes.map(({ name, url }, place) => ({ name, url, priority: place + 1, ...ofEach })),
})

/** A configuration for these nodes, without rate limits. */
export const configOf = (nodes: Nodes, more: object = {}) => ({
  version: 1,
  chains: [chainOf(nodes)],
  rate: null,
  ...more,
})
