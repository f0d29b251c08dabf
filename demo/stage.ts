import { type LocalChain, startChains } from './chains.ts'
import { type DemoNode, defaultNodes } from './default-nodes.ts'
import { type DemoChain, demoChains } from './demo-chains.ts'
import type { Keeper } from './keeper.ts'
import { startControl } from './nodes/control.ts'
import { type Row, startRow } from './nodes/start.ts'

export type Scene = Row & Omit<DemoChain, 'blockTimeS'> & { readonly chain: LocalChain }

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
  /** The first of consecutive ports: control, then each chain and its nodes. Free ports by default. */
  readonly portsFrom?: number
  /** The listening address of nodes and control port, 127.0.0.1 by default. */
  readonly host?: string
  readonly keeper?: Keeper
  /** Those of `quorate.config.ts` by default. */
  readonly chains?: readonly DemoChain[]
  readonly nodes?: readonly DemoNode[]
  /** As `proofs` of a chain. */
  readonly proofs?: string
}

/** Starts the stage. After a failure nothing is running. */
export async function startStage({
  portsFrom,
  chains: wanted = demoChains,
  nodes = defaultNodes,
  host = '127.0.0.1',
  proofs,
  ...options
}: StageOptions = {}): Promise<Stage> {
  const portAt = (offset: number) => (portsFrom === undefined ? 0 : portsFrom + offset)
  const chainPort = (index: number) => 1 + index * (1 + nodes.length)
  const chains = await startChains({
    ...options,
    chains: wanted.map(({ facts: { id }, blockTimeS }, index) => ({
      id,
      blockTimeS,
      port: portAt(chainPort(index)),
    })),
  })
  const stops: (() => Promise<void>)[] = [() => chains.stop()]
  const stop = async () => {
    for (const undo of stops.toReversed()) await undo()
  }
  try {
    const scenes: Scene[] = []
    for (const [index, { facts, label }] of wanted.entries()) {
      const chain = chains.chain(facts.id)
      const firstPort = chainPort(index) + 1
      const row = await startRow({
        chainUrl: chain.url,
        nodes: nodes.map((role, index) => ({ ...role, port: portAt(firstPort + index), host })),
      })
      stops.push(() => row.stop())
      scenes.push({ ...row, chain, facts, label })
    }
    const control = await startControl(
      scenes.map(({ chain, nodes }) => ({ chain: chain.id, nodes })),
      { port: portAt(0), host },
    )
    stops.push(() => control.stop())
    return {
      scenes,
      config: configOf(scenes, nodes, proofs),
      controlUrl: control.url,
      failure: chains.failure,
      stop,
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

function configOf(
  scenes: readonly Scene[],
  listed: readonly DemoNode[],
  proofs: string | undefined,
): Stage['config'] & Record<string, unknown> {
  return {
    version: 1,
    chains: scenes.map(({ chain, facts, nodes }) => ({
      ...facts,
      // A wallet that adds the chain uses anvil directly, like a public node.
      publicUrls: [chain.url],
      ...(proofs !== undefined && { proofs }),
      nodes: nodes.map(({ name, url }, index) => ({ name, url, role: listed[index]?.role ?? 'voter' })),
    })),
    rate: null,
  }
}
