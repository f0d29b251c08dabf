import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoAccount, keyOf } from '../../../../demo/accounts.ts'
import { someTimeS, startAnvil } from '../../../../demo/anvil.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import type { Keeper } from '../../../../demo/keeper.ts'
import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import { freePort } from '../../../../demo/ports.ts'
import { startNodes } from '../../../support/demo-nodes.ts'
import { startHost, withDefaults } from '../../../support/host.ts'
import { type Facts, writeFacts } from './facts.ts'

export const chainId = 10

/** An RPC endpoint, the facts about its chain, and the variables by which drivers find both. */
export type Side = ReturnType<Awaited<ReturnType<typeof startChain>>['sideAt']>

/** Three node clients, like public nodes. */
export const threeMakes: Readonly<Record<string, FaultProfileInput>> = {
  geth: { kind: 'real', name: 'geth' },
  nethermind: { kind: 'real', name: 'nethermind' },
  reth: { kind: 'real', name: 'reth' },
}

/** Two chains with the same history: one used directly, one through the gateway with default settings. */
export async function startPair(keeper: Keeper): Promise<{ chain: Side; gateway: Side }> {
  const genesisS = someTimeS()
  const [{ anvil, sideAt }, gateway] = await Promise.all([
    startChain(keeper, genesisS),
    startGateway(keeper, { genesisS, nodes: threeMakes }),
  ])
  const chain = sideAt(anvil.url, null)
  if (chain.facts.block.hash !== gateway.facts.block.hash)
    throw new Error('the two chains have different pasts, so that nothing can be compared')
  return { chain, gateway }
}

/** A chain. Each transaction makes a block, 12 s after the previous one. */
async function startChain(keeper: Keeper, genesisS: number) {
  const anvil = await startAnvil({ id: chainId, blockTimeS: null, port: 0, genesisS }, keeper)
  const own = await writeFacts(anvil.url, chainId)
  if (Number(await callNode(anvil.url, 'eth_chainId')) !== chainId)
    throw new Error('not the chain that was started')
  const folder = mkdtempSync(join(tmpdir(), 'clients-'))
  /** The chain as drivers see it at this url. */
  const sideAt = (url: string, controlUrl: string | null) => {
    const facts: Facts = { ...own, chainUrl: anvil.url, controlUrl }
    const FACTS = join(folder, 'facts.json')
    writeFileSync(FACTS, JSON.stringify(facts))
    return {
      url,
      facts,
      env: { RPC_URL: url, CHAIN_ID: String(chainId), PRIVATE_KEY: keyOf(demoAccount(9)), FACTS },
      async stop() {
        rmSync(folder, { recursive: true })
        await anvil.stop()
      },
    }
  }
  return { anvil, folder, sideAt }
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
  const { anvil, folder, sideAt } = await startChain(keeper, genesisS)
  const wanted = Object.entries(faultProfiles).map(([name, faultProfile]) => ({
    name,
    faultProfile,
    requestsMax: 100,
  }))
  const nodes = await startNodes({ chainUrl: anvil.url, nodes: wanted })
  const listed = nodes.nodes.map(({ name, url }) => ({ name, url }))
  const file = join(folder, 'chains.json')
  const configure = (values: object) => {
    const chains = [{ id: chainId, operatorsMin: 2, nodes: listed, ...chain, ...values }]
    writeFileSync(file, JSON.stringify(withDefaults({ chains, ...config })))
  }
  configure({})
  const env = { PORT: String(await freePort()), RPC_CONFIG_FILE: file }
  let host = await start(keeper, env)
  const side = sideAt(`${host.url}/api/rpc/${chainId}`, nodes.controlUrl)
  return {
    ...side,
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
      await side.stop()
    },
  }
}

async function start(keeper: Keeper, env: Readonly<Record<string, string>>) {
  const host = await startHost('alone', { env })
  keeper.keep(host.pid)
  void host.ended.then(() => keeper.drop(host.pid))
  return host
}
