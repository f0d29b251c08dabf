import { type Anvil, someTimeS, startAnvil } from '../../../../demo/anvil.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import type { Keeper } from '../../../../demo/keeper.ts'
import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import { type Nodes, startNodes } from '../../../../demo/nodes/start.ts'
import { type HostOptions, startHost } from '../../../support/host.ts'
import { type Facts, writeFacts } from './facts.ts'

export const chainId = 10

/** An RPC endpoint and the facts about its chain. */
export interface Side {
  readonly url: string
  readonly facts: Facts
  readonly stop: () => Promise<void>
}

/** Three node clients, like public nodes. */
export const threeMakes: Readonly<Record<string, FaultProfileInput>> = {
  geth: { kind: 'real', name: 'geth' },
  nethermind: { kind: 'real', name: 'nethermind' },
  reth: { kind: 'real', name: 'reth' },
}

/** Two chains with the same history: one used directly, one through the gateway with default settings. */
export async function startPair(keeper: Keeper): Promise<{ chain: Side; gateway: Side }> {
  const genesisS = someTimeS()
  const [chain, gateway] = await Promise.all([
    startChain(keeper, genesisS),
    startGateway(keeper, { genesisS, nodes: threeMakes }),
  ])
  if (chain.facts.block.hash !== gateway.facts.block.hash)
    throw new Error('the two chains have different pasts, so that nothing can be compared')
  return { chain, gateway }
}

/** A chain used directly. Each transaction makes a block, 12 s after the previous one. */
async function startChain(keeper: Keeper, genesisS: number): Promise<Side> {
  const { anvil, facts } = await chainWithFacts(keeper, genesisS)
  return { url: anvil.url, facts: { ...facts, chainUrl: anvil.url, controlUrl: null }, stop: anvil.stop }
}

export interface GatewayOptions {
  readonly genesisS?: number
  readonly nodes: Readonly<Record<string, FaultProfileInput>>
  /** Gateway settings; defaults otherwise. */
  readonly config?: object
  /** Chain settings. */
  readonly chain?: object
}

/** A separate chain, its nodes, and the Node host in front of them. */
export async function startGateway(
  keeper: Keeper,
  { genesisS = someTimeS(), nodes: faultProfiles, config = {}, chain = {} }: GatewayOptions,
): Promise<Side & { readonly nodes: Nodes; readonly signal: (name: NodeJS.Signals) => void }> {
  const { anvil, facts } = await chainWithFacts(keeper, genesisS)
  const wanted = Object.entries(faultProfiles).map(([name, faultProfile]) => ({
    name,
    faultProfile,
    requestsMax: 100,
  }))
  const nodes = await startNodes({ chainUrl: anvil.url, nodes: wanted })
  const listed = nodes.nodes.map(({ name, url }) => ({ name, url }))
  const host = await start(keeper, {
    config: { chains: [{ id: chainId, operatorsMin: 2, nodes: listed, ...chain }], ...config },
  })
  return {
    url: `${host.url}/api/rpc/${chainId}`,
    facts: { ...facts, chainUrl: anvil.url, controlUrl: nodes.controlUrl },
    nodes,
    signal: host.signal,
    async stop() {
      host.signal('SIGKILL')
      await host.ended
      await nodes.stop()
      await anvil.stop()
    },
  }
}

async function start(keeper: Keeper, options: HostOptions) {
  const { host, pid } = await startHost('alone', options)
  keeper.keep(pid)
  void host.ended.then(() => keeper.drop(pid))
  return host
}

async function chainWithFacts(
  keeper: Keeper,
  genesisS: number,
): Promise<{ anvil: Anvil; facts: Omit<Facts, 'chainUrl' | 'controlUrl'> }> {
  const anvil = await startAnvil({ id: chainId, blockTimeS: null, port: 0, genesisS }, keeper)
  const facts = await writeFacts(anvil.url, chainId)
  if (Number(await callNode(anvil.url, 'eth_chainId')) !== chainId)
    throw new Error('not the chain that was started')
  return { anvil, facts }
}
