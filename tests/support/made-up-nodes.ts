import { type Nodes, startNodes } from './demo-nodes.ts'
import { type Script, scripted } from './scripted.ts'
import { blockAt, hex } from './scripted-chain.ts'

type Methods = Exclude<Script, (...given: never) => unknown>

/** The head of the made-up chain. */
export const headNumber = 1000

/** An honest node of a chain without new blocks. `more` adds or overrides methods. */
export function honestly(more: Methods = {}, chainId = 137): Script {
  return {
    eth_chainId: { result: hex(chainId) },
    net_version: { result: String(chainId) },
    eth_blockNumber: { result: hex(headNumber) },
    eth_getBlockByNumber: ({ params }) => ({ result: blockAt(numberOf(params[0])) }),
    eth_getBlockByHash: { result: blockAt(headNumber) },
    eth_getBalance: { result: '0x10' },
    eth_getTransactionCount: { result: '0x1' },
    eth_gasPrice: { result: '0x7' },
    ...more,
  }
}

/** Two honest nodes and one with another balance. */
export function startMadeUpNodes(more: Methods = {}): Promise<Nodes> {
  const script = (own: Methods) => scripted(honestly({ ...more, ...own }))
  return startNodes({
    nodes: [
      { name: 'a', faultProfile: script({}) },
      { name: 'b', faultProfile: script({}) },
      { name: 'liar', faultProfile: script({ eth_getBalance: { result: '0x99' } }) },
    ],
  })
}

/** A configuration for these nodes, without rate limits. */
export function configOf(nodes: Nodes, more: object = {}): Record<string, unknown> {
  return {
    version: 1,
    chains: [
      {
        id: 137,
        name: 'Made up',
        currency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
        explorer: 'https://explorer.example',
        // Its blocks are of 2023.
        headLagMaxMs: null,
        // All three are asked in this order, and two always agree.
        nodes: nodes.nodes.map(({ name, url }, place) => ({ name, url, priority: place + 1 })),
      },
    ],
    rate: null,
    ...more,
  }
}

function numberOf(reference: unknown): number {
  const text = String(reference)
  if (text.startsWith('0x')) return Number(text)
  return text === 'latest' ? headNumber : headNumber - 64
}
