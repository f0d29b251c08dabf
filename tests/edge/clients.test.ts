import { Contract, JsonRpcProvider as Ethers6, Network, Wallet as Wallet6 } from 'ethers'
import { ethers as ethers5 } from 'ethers-v5'
import { createPublicClient, createWalletClient, fallback, http, type PublicClient, parseEther } from 'viem'
import { polygon } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoAccount } from '../../demo/accounts.ts'
import { tokenAbi } from '../../demo/history.ts'
import { type Nodes, startNodes } from '../../demo/nodes/start.ts'
import { localChains } from '../support/chains.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile, startBoth } from '../support/hosts.ts'

/** Unmodified client libraries over a chain with one lying node. */
const chains = localChains({ chains: [{ id: 137 }] })
const start = hostsForOneFile()
const stallMs = 300
let hosts: ReadonlyMap<string, Host>
let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes({
    chainUrl: chains().chain(137).url,
    nodes: [{ name: 'liar', faultProfile: 'lying' }, { name: 'a' }, { name: 'b' }, { name: 'c' }],
  })
  const config = {
    chains: [
      {
        id: 137,
        headMaxAgeMs: 250,
        quorum: 2,
        nodes: nodes.nodes.map(({ name, url }, place) => ({ name, url, priority: place, stallMs })),
      },
    ],
    rate: null,
  }
  hosts = await startBoth(start, { config })
})
afterEach(() => nodes.node('a').setFaultProfile('honest'))
afterAll(() => nodes.stop())

describe.each(bothHosts)('%s', (kind) => {
  const url = () => `${hosts.get(kind)?.url}/api/rpc/137`
  const bare = () => createPublicClient({ chain: polygon, transport: http(chains().chain(137).url) })
  const to = `0x${'c0ffee'.padStart(40, kind === 'node' ? '1' : '2')}` as const
  const token = () => chains().chain(137).token
  const richest = demoAccount(0)

  describe('viem', () => {
    const client = () =>
      createPublicClient({
        chain: polygon,
        transport: http(url(), { batch: true }),
        pollingInterval: 100,
      }) as PublicClient

    test('reads the same values as from the chain itself', async () => {
      const [mine, own] = [client(), bare()]
      const blockNumber = await mine.getBlockNumber()
      const at = { blockNumber: blockNumber - 5n }
      expect(await mine.getChainId()).toBe(137)
      expect(await mine.getBalance({ address: richest.address, ...at })).toBe(
        await own.getBalance({ address: richest.address, ...at }),
      )
      expect(await mine.getBlock(at)).toMatchObject({ hash: (await own.getBlock(at)).hash })
      const transfers = { address: token(), fromBlock: 0n, toBlock: at.blockNumber } as const
      const logs = await mine.getLogs(transfers)
      expect(logs.length).toBeGreaterThan(0)
      expect(logs.map(({ data, logIndex, blockHash }) => [data, logIndex, blockHash])).toEqual(
        (await own.getLogs(transfers)).map(({ data, logIndex, blockHash }) => [data, logIndex, blockHash]),
      )
      const hash = logs[0]?.transactionHash ?? '0x'
      expect((await mine.getTransactionReceipt({ hash })).logs).toHaveLength(
        (await own.getTransactionReceipt({ hash })).logs.length,
      )
      expect((await mine.getTransaction({ hash })).input).toBe((await own.getTransaction({ hash })).input)
    })

    test('batches reads through multicall3', async () => {
      const contract = { address: token(), abi: tokenAbi } as const
      const [name, decimals, balance] = await client().multicall({
        contracts: [
          { ...contract, functionName: 'name' },
          { ...contract, functionName: 'decimals' },
          { ...contract, functionName: 'balanceOf', args: [richest.address] },
        ],
        allowFailure: false,
      })
      expect([name, decimals]).toEqual(['Demo Dollar', 6])
      expect(balance).toBe(
        await bare().readContract({ ...contract, functionName: 'balanceOf', args: [richest.address] }),
      )
    })

    test('sees a revert as a revert, with its reason', async () => {
      const transfer = client().simulateContract({
        address: token(),
        abi: tokenAbi,
        functionName: 'transfer',
        args: [richest.address, 1n],
        account: to,
      })
      await expect(transfer).rejects.toThrow(/InsufficientBalance/)
    })

    test('watches blocks, each one once and in order', async () => {
      const seen: bigint[] = []
      const unwatch = client().watchBlocks({
        emitMissed: true,
        onBlock: (block) => void seen.push(block.number ?? 0n),
      })
      await expect.poll(() => seen.length, { timeout: 15_000 }).toBeGreaterThan(4)
      unwatch()
      expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0n) + BigInt(index)))
    })

    test('falls back from an unreachable endpoint', async () => {
      const transport = fallback([http('http://127.0.0.1:1'), http(url())])
      expect(await createPublicClient({ chain: polygon, transport }).getChainId()).toBe(137)
    })

    test('sends a transaction and sees it mined', async () => {
      const wallet = createWalletClient({ account: demoAccount(1), chain: polygon, transport: http(url()) })
      const hash = await wallet.sendTransaction({ to, value: parseEther('1.5') })
      const receipt = await client().waitForTransactionReceipt({ hash, timeout: 20_000 })
      expect(receipt.status).toBe('success')
      expect(await client().getBalance({ address: to })).toBeGreaterThanOrEqual(parseEther('1.5'))
    })
  })

  test('ethers v6 reads, sends and waits', async () => {
    // A plain network: for Polygon, ethers would ask a gas station on the internet before it sends.
    const provider = new Ethers6(url(), new Network('local', 137), { pollingInterval: 100 })
    const block = (await provider.getBlockNumber()) - 5
    expect((await provider.getNetwork()).chainId).toBe(137n)
    expect(await provider.getBalance(richest.address, block)).toBe(
      await bare().getBalance({ address: richest.address, blockNumber: BigInt(block) }),
    )
    expect((await provider.getBlock(block))?.number).toBe(block)
    const contract = new Contract(token(), ['function symbol() view returns (string)'], provider)
    expect(await contract.getFunction('symbol')()).toBe('DUSD')
    expect(
      (await provider.getLogs({ address: token(), fromBlock: 0, toBlock: block })).length,
    ).toBeGreaterThan(0)
    const wallet = new Wallet6(keyOf(2), provider)
    const sent = await wallet.sendTransaction({ to, value: 1n })
    expect((await sent.wait(1, 20_000))?.status).toBe(1)
    await provider.removeAllListeners()
    // After the last receipt poll: a provider destroyed during a poll causes an unhandled rejection.
    await provider.getBlockNumber()
    provider.destroy()
  })

  test('ethers v5 reads, sends and waits', async () => {
    const provider = new ethers5.providers.JsonRpcProvider(url())
    provider.pollingInterval = 100
    const block = (await provider.getBlockNumber()) - 5
    expect((await provider.getNetwork()).chainId).toBe(137)
    expect((await provider.getBalance(richest.address, block)).toBigInt()).toBe(
      await bare().getBalance({ address: richest.address, blockNumber: BigInt(block) }),
    )
    expect((await provider.getBlock(block)).number).toBe(block)
    const wallet = new ethers5.Wallet(keyOf(3), provider)
    const sent = await wallet.sendTransaction({ to, value: 1 })
    expect((await provider.waitForTransaction(sent.hash, 1, 20_000)).status).toBe(1)
    provider.removeAllListeners()
  })
})

/** Keys of the demo accounts as text. */
function keyOf(index: number): string {
  const key = demoAccount(index).getHdKey().privateKey
  return `0x${Buffer.from(key ?? []).toString('hex')}`
}
