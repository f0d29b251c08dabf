import type { Address } from 'viem'
import { setup } from '../contracts/setup.ts'
import { type DeployedContract, recordDeployments } from '../scripts/contracts/deployments.ts'
import { setUpLocal } from '../scripts/contracts/local.ts'
import { someTimeS, startAnvil } from './anvil.ts'
import { demoChains } from './demo-chains.ts'
import { historyS, writeHistory } from './history.ts'
import { callNode } from './json-rpc.ts'
import { type Keeper, startKeeper } from './keeper.ts'
import { placeTokens } from './tokens.ts'

/** One running chain: a plain anvil with Multicall3, the tokens of `tokens.json`, one of the demo's own, a short history and the contracts of `contracts/setup.ts`. */
export type LocalChain = {
  readonly id: number
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly blockTimeS: number
  readonly token: Address
  readonly contracts: readonly DeployedContract[]
}

export type ChainOptions = {
  readonly id: number
  /** Seconds between blocks. The default is close to that of the real chain. */
  readonly blockTimeS?: number
  /** 0, the default, picks a free port. */
  readonly port?: number
  /** Number of the first block, 0 by default. */
  readonly firstBlock?: number
}

export type ChainsOptions = {
  readonly chains?: readonly ChainOptions[]
  /** Block time of all chains. Tests use 0.25. */
  readonly blockTimeS?: number
  readonly keeper?: Keeper
}

export type LocalChains = {
  readonly chains: readonly LocalChain[]
  /** The chain with this id. Throws if it was not started. */
  chain(id: number): LocalChain
  /** Rejects when a chain exits unexpectedly. Never resolves. */
  readonly failure: Promise<never>
  /** Stops all processes. Safe to call twice. */
  stop(): Promise<void>
}

/** Starts local chains in parallel and returns when all have their history. After a failure none is running. */
export async function startChains(options: ChainsOptions = {}): Promise<LocalChains> {
  const wanted: readonly ChainOptions[] =
    options.chains ?? demoChains.map(({ facts: { id }, blockTimeS }) => ({ id, blockTimeS }))
  const keeper = options.keeper ?? startKeeper()
  const started = await Promise.allSettled(
    wanted.map((chain) => startChain(chain, options.blockTimeS ?? chain.blockTimeS ?? 1, keeper)),
  )
  const running = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const stop = async () => {
    await Promise.all(running.map((chain) => chain.stop()))
    if (options.keeper === undefined) keeper.close()
  }
  const failed = started.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const chains = running.map(({ chain }) => chain)
  recordDeployments(chains.flatMap(({ contracts }) => contracts))
  const failure = Promise.race(running.map((chain) => chain.failure))
  failure.catch(() => {})
  return {
    chains,
    chain(id) {
      const found = chains.find((chain) => chain.id === id)
      if (found === undefined) throw new Error(`no local chain ${id} was started`)
      return found
    },
    failure,
    stop,
  }
}

async function startChain(
  { id, port = 0, firstBlock = 0 }: ChainOptions,
  blockTimeS: number,
  keeper: Keeper,
): Promise<{ chain: LocalChain; failure: Promise<never>; stop(): Promise<void> }> {
  const genesisS = someTimeS() - historyS(blockTimeS)
  const anvil = await startAnvil({ id, port, blockTimeS, firstBlock, genesisS }, keeper)
  try {
    const accounts = await callNode<readonly Address[]>(anvil.url, 'eth_accounts')
    await placeTokens(anvil.url, { id, accounts })
    const token = await writeHistory(anvil.url, blockTimeS)
    const contracts = await setUpLocal({
      id,
      demoToken: token,
      deployer: accounts.at(-1) ?? token,
      setup,
      callNode: (method, params) => callNode(anvil.url, method, params),
    })
    return {
      chain: { id, url: anvil.url, port: anvil.port, pid: anvil.pid, blockTimeS, token, contracts },
      failure: anvil.failure,
      stop: anvil.stop,
    }
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}
