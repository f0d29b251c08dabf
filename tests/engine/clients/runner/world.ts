import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Anvil, someTimeS, startAnvil } from '../../../../demo/anvil.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import type { Keeper } from '../../../../demo/keeper.ts'
import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import { freePort } from '../../../../demo/ports.ts'
import { startNodes } from '../../../support/demo-nodes.ts'
import { startHost, withDefaults } from '../../../support/host.ts'
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

export interface GatewaySide extends Side {
  /** Takes over a configuration with other values. */
  readonly reload: () => Promise<void>
  /** Ends the host with a signal and starts another one at the same address. */
  readonly restart: (signal: NodeJS.Signals) => Promise<void>
}

/** A separate chain, its nodes, and the Node host in front of them. */
export async function startGateway(
  keeper: Keeper,
  { genesisS = someTimeS(), nodes: faultProfiles, config = {}, chain = {} }: GatewayOptions,
): Promise<GatewaySide> {
  const { anvil, facts } = await chainWithFacts(keeper, genesisS)
  const wanted = Object.entries(faultProfiles).map(([name, faultProfile]) => ({
    name,
    faultProfile,
    requestsMax: 100,
  }))
  const nodes = await startNodes({ chainUrl: anvil.url, nodes: wanted })
  const listed = nodes.nodes.map(({ name, url }) => ({ name, url }))
  const folder = mkdtempSync(join(tmpdir(), 'clients-'))
  const file = join(folder, 'chains.json')
  const configure = (values: object) => {
    const chains = [{ id: chainId, operatorsMin: 2, nodes: listed, ...chain, ...values }]
    writeFileSync(file, JSON.stringify(withDefaults({ chains, ...config })))
  }
  configure({})
  const env = { PORT: String(await freePort()), RPC_CONFIG_FILE: file }
  let host = await start(keeper, env)
  return {
    url: `${host.url}/api/rpc/${chainId}`,
    facts: { ...facts, chainUrl: anvil.url, controlUrl: nodes.controlUrl },
    async reload() {
      configure({ nodes: listed.map((node) => ({ ...node, stallMs: 700 })) })
      host.signal('SIGHUP')
      while (!host.output().includes('configuration taken over')) await pause(50)
    },
    async restart(signal) {
      host.signal(signal)
      await host.ended
      host = await start(keeper, env)
    },
    async stop() {
      host.signal('SIGKILL')
      await host.ended
      await nodes.stop()
      await anvil.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function start(keeper: Keeper, env: Readonly<Record<string, string>>) {
  const host = await startHost('alone', { env })
  keeper.keep(host.pid)
  void host.ended.then(() => keeper.drop(host.pid))
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
