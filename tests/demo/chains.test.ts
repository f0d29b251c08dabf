import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { arbitrum, mainnet, polygon } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { demoAccount } from '../../demo/accounts.ts'
import { startChains } from '../../demo/chains.ts'
import artifacts from '../../demo/contracts/artifacts.json' with { type: 'json' }
import { compileContracts } from '../../demo/contracts/compile.ts'
import { demoToken, multicall3Address, tokenAbi } from '../../demo/history.ts'
import { freePort } from '../../demo/ports.ts'
import { localChains } from '../support/chains.ts'
import { isGone } from '../support/processes.ts'
import { until } from '../support/until.ts'

const chains = localChains()
const known = [polygon, mainnet, arbitrum]
const clientOf = (id: number) =>
  createPublicClient({
    chain: known.find((chain) => chain.id === id) ?? polygon,
    transport: http(chains().chain(id).url),
    pollingInterval: 20,
  })

describe.each([137, 1, 42161])('chain %i', (id) => {
  test('reports its own id and mines blocks', async () => {
    const client = clientOf(id)
    expect(await client.getChainId()).toBe(id)
    const head = await client.getBlockNumber({ cacheTime: 0 })
    await until(async () => (await client.getBlockNumber({ cacheTime: 0 })) > head)
  })

  test('has enough history for safe and finalized, up to the present', async () => {
    const client = clientOf(id)
    const [latest, safe, finalized] = await Promise.all([
      client.getBlock(),
      client.getBlock({ blockTag: 'safe' }),
      client.getBlock({ blockTag: 'finalized' }),
    ])
    expect(finalized.number).toBeGreaterThan(0n)
    expect(safe.number).toBeGreaterThan(finalized.number)
    expect(latest.number).toBeGreaterThan(safe.number)
    expect(Math.abs(Number(latest.timestamp) - Date.now() / 1000)).toBeLessThan(30)
  })

  test('has Multicall3 at its standard address', async () => {
    const client = clientOf(id)
    const { token } = chains().chain(id)
    const of = { address: token, abi: tokenAbi } as const
    const [name, decimals, rich, failed] = await client.multicall({
      multicallAddress: multicall3Address,
      contracts: [
        { ...of, functionName: 'name' },
        { ...of, functionName: 'decimals' },
        { ...of, functionName: 'balanceOf', args: [demoAccount(9).address] },
        { ...of, functionName: 'transfer', args: [demoAccount(1).address, 1n] },
      ],
    })
    expect([name.result, decimals.result, rich.result]).toEqual([
      demoToken.name,
      demoToken.decimals,
      demoToken.each,
    ])
    expect(failed.status).toBe('failure')
  })

  test('has token transfers and coin transfers', async () => {
    const client = clientOf(id)
    const transfers = await client.getContractEvents({
      address: chains().chain(id).token,
      abi: tokenAbi,
      eventName: 'Transfer',
      fromBlock: 0n,
    })
    expect(transfers.length).toBe(16)
    expect(await client.getBalance({ address: demoAccount(4).address })).toBeGreaterThan(parseEther('10002'))
  })
})

test('the token supports transfer, approve and transferFrom, with revert reasons', async () => {
  const client = clientOf(137)
  const wallet = (index: number) =>
    createWalletClient({
      account: demoAccount(index),
      chain: polygon,
      transport: http(chains().chain(137).url),
    })
  const of = { address: chains().chain(137).token, abi: tokenAbi } as const
  const [owner, spender, fresh] = [
    demoAccount(5),
    demoAccount(6),
    '0x00000000000000000000000000000000000000f5',
  ] as const
  const mined = async (hash: Promise<`0x${string}`>) =>
    expect((await client.waitForTransactionReceipt({ hash: await hash })).status).toBe('success')
  const balance = (account: `0x${string}`) =>
    client.readContract({ ...of, functionName: 'balanceOf', args: [account] })
  const supply = await client.readContract({ ...of, functionName: 'totalSupply' })

  await mined(wallet(5).writeContract({ ...of, functionName: 'faucet' }))
  expect(await client.readContract({ ...of, functionName: 'totalSupply' })).toBe(supply + 1_000_000_000n)
  await mined(wallet(5).writeContract({ ...of, functionName: 'transfer', args: [fresh, 3n] }))
  await mined(wallet(5).writeContract({ ...of, functionName: 'approve', args: [spender.address, 5n] }))
  await mined(
    wallet(6).writeContract({ ...of, functionName: 'transferFrom', args: [owner.address, fresh, 4n] }),
  )
  expect(await balance(fresh)).toBe(7n)
  expect(
    await client.readContract({ ...of, functionName: 'allowance', args: [owner.address, spender.address] }),
  ).toBe(1n)

  const tooMuch = {
    ...of,
    functionName: 'transferFrom',
    args: [owner.address, fresh, 2n],
    account: spender,
  } as const
  await expect(client.simulateContract(tooMuch)).rejects.toThrow('InsufficientAllowance')
  const more = { ...of, functionName: 'transfer', args: [fresh, 10n ** 18n], account: owner } as const
  await expect(client.simulateContract(more)).rejects.toThrow('InsufficientBalance')
})

test('the stored artifacts match their sources', () => {
  expect(artifacts).toEqual(compileContracts())
})

describe('no process survives', () => {
  test('after stop, called twice', async () => {
    const own = await startChains({ chains: [{ id: 10 }, { id: 11 }], blockTimeS: 0.25 })
    await own.stop()
    await own.stop()
    expect(own.chains.map(({ pid }) => isGone(pid))).toEqual([true, true])
  })

  test('when one chain cannot start', async () => {
    const port = await freePort()
    const first = await startChains({ chains: [{ id: 10, port }], blockTimeS: 0.25 })
    await expect(startChains({ chains: [{ id: 11 }, { id: 10, port }], blockTimeS: 0.25 })).rejects.toThrow(
      `anvil of chain 10 ended`,
    )
    expect(await clientAt(first.chain(10).url).getChainId()).toBe(10)
    await first.stop()
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('when their parent dies of %s', async (signal) => {
    const script = `
      const { startChains } = await import(${JSON.stringify(new URL('../../demo/chains.ts', import.meta.url).href)})
      const { chains } = await startChains({ chains: [{ id: 10 }], blockTimeS: 0.25 })
      console.log(chains[0].pid)
      setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(starter.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    expect(isGone(pid)).toBe(false)
    starter.kill(signal)
    await until(() => isGone(pid))
  })
})

function clientAt(url: string) {
  return createPublicClient({ transport: http(url) })
}
