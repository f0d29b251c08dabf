import { arbitrum, mainnet, polygon } from 'viem/chains'
import { type LocalChain, startChains } from './chains.ts'
import { type DemoNode, defaultNodes } from './default-nodes.ts'
import type { Keeper } from './keeper.ts'
import { startControl } from './nodes/control.ts'
import { type Row, startRow } from './nodes/start.ts'

const known = [polygon, mainnet, arbitrum]

export type Scene = Row & { readonly chain: LocalChain; readonly label: string }

/** Everything below the app in the demo: chains, their nodes, and one control port. */
export type Stage = {
  readonly scenes: readonly Scene[]
  /** The value of `RPC_CONFIG` for these nodes. */
  readonly config: { readonly chains: readonly { readonly id: number }[] }
  readonly controlUrl: string
  /** Rejects when a chain exits unexpectedly. */
  readonly failure: Promise<never>
  stop(): Promise<void>
}

export type StageOptions = {
  /** Seconds between blocks on every chain. The default is close to the real chains. */
  readonly blockTimeS?: number
  /** The first of consecutive ports: control, three chains, then their nodes. Free ports by default. */
  readonly portsFrom?: number
  /** The listening address of nodes and control port, 127.0.0.1 by default. */
  readonly host?: string
  readonly keeper?: Keeper
  /** The nodes of each chain. */
  readonly nodes?: readonly DemoNode[]
}

/** Starts the stage. After a failure nothing is running. */
export async function startStage({
  portsFrom,
  nodes = defaultNodes,
  host = '127.0.0.1',
  ...options
}: StageOptions = {}): Promise<Stage> {
  const portAt = (offset: number) => (portsFrom === undefined ? 0 : portsFrom + offset)
  const chains = await startChains({
    ...options,
    chains: known.map(({ id }, index) => ({ id, blockTimeS: blockTimes[id] ?? 1, port: portAt(1 + index) })),
  })
  const stops: (() => Promise<void>)[] = [() => chains.stop()]
  const stop = async () => {
    for (const undo of stops.toReversed()) await undo()
  }
  try {
    const scenes: Scene[] = []
    for (const [index, chain] of chains.chains.entries()) {
      const firstPort = 1 + chains.chains.length + index * nodes.length
      const row = await startRow({
        chainUrl: chain.url,
        nodes: nodes.map((role, index) => ({ ...role, port: portAt(firstPort + index), host, requestsMax })),
      })
      stops.push(() => row.stop())
      scenes.push({ ...row, chain, label: known[index]?.name ?? `Chain ${chain.id}` })
    }
    const control = await startControl(
      scenes.map(({ chain, nodes }) => ({ chain: chain.id, nodes })),
      { port: portAt(0), host },
    )
    stops.push(() => control.stop())
    return { scenes, config: configOf(scenes, nodes), controlUrl: control.url, failure: chains.failure, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** A demo may run for days, and its records are not read. */
const requestsMax = 100

const blockTimes: Readonly<Record<number, number>> = { 137: 2, 1: 12, 42161: 0.25 }

function configOf(
  scenes: readonly Scene[],
  listed: readonly DemoNode[],
): Stage['config'] & Record<string, unknown> {
  return {
    version: 1,
    chains: scenes.map(({ chain, nodes }) => {
      const facts = known.find(({ id }) => id === chain.id)
      return {
        id: chain.id,
        name: facts?.name ?? null,
        currency: facts?.nativeCurrency ?? null,
        explorer: facts?.blockExplorers.default.url ?? null,
        // A wallet that adds the chain uses anvil directly, like a public node.
        publicUrls: [chain.url],
        nodes: nodes.map(({ name, url }, index) => ({ name, url, role: listed[index]?.role ?? 'voter' })),
      }
    }),
    rate: null,
  }
}
