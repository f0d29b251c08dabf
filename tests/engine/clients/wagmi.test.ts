import { createWalletClient, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { createConfig, http } from 'wagmi'
import {
  estimateFeesPerGas,
  getBalance,
  getBlock,
  getBlockNumber,
  getTransactionCount,
  getTransactionReceipt,
  multicall,
  readContract,
  readContracts,
  simulateContract,
  waitForTransactionReceipt,
  watchBlockNumber,
  watchBlocks,
  watchContractEvent,
} from 'wagmi/actions'
import { demoAccount } from '../../../demo/accounts.ts'
import { tokenAbi } from '../../../demo/history.ts'
import { accountOf, chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt, writingDown } from './support/viem.ts'

/** wagmi's core, with the settings recommended in docs/clients.md, over a chain whose first node lies. */
const site = siteForOneFile()
const bare = () => viemAt(site().chainUrl)
const richest = demoAccount(0).address

const url = () => site().url()
const token = () => ({ address: site().token, abi: tokenAbi }) as const
const payee = unusedAddress(100)
const configWith = (options = {}) =>
  createConfig({
    chains: [chain],
    transports: { [chain.id]: http(url(), { batch: { wait: 10 }, timeout: 60_000, ...options }) },
    batch: { multicall: { batchSize: 1024, wait: 10 } },
    pollingInterval: 100,
  })
const walletOf = (index: number) =>
  createWalletClient({ account: accountOf(index), chain, transport: http(url()) })

test('reads the same values as from the chain itself', async () => {
  const config = configWith()
  const blockNumber = (await getBlockNumber(config)) - 3n
  const at = { address: richest, blockNumber }
  expect((await getBalance(config, at)).value).toBe(await bare().getBalance(at))
  expect(await getTransactionCount(config, at)).toBe(await bare().getTransactionCount(at))
  expect((await getBlock(config, { blockNumber })).hash).toBe((await bare().getBlock({ blockNumber })).hash)
  const balance = { ...token(), functionName: 'balanceOf', args: [richest], blockNumber } as const
  const own = await bare().readContract(balance)
  expect(await readContract(config, balance)).toBe(own)
  expect(await multicall(config, { contracts: [balance], blockNumber })).toEqual([
    { status: 'success', result: own },
  ])
  const [symbol, total] = await readContracts(config, {
    contracts: [
      { ...token(), functionName: 'symbol' },
      { ...token(), functionName: 'totalSupply' },
    ],
  })
  expect(symbol?.result).toBe('DUSD')
  expect(total?.result).toBeGreaterThan(0n)
  expect((await estimateFeesPerGas(config)).maxFeePerGas).toBeGreaterThan(0n)
})

test('hooks that mount simultaneously make one request', async () => {
  const { posts, options } = writingDown()
  const config = configWith({ batch: { wait: 10 }, ...options })
  await Promise.all([
    readContract(config, { ...token(), functionName: 'symbol' }),
    readContract(config, { ...token(), functionName: 'decimals' }),
    readContract(config, { ...token(), functionName: 'balanceOf', args: [richest] }),
  ])
  expect(posts).toEqual([['eth_call']])
})

test('a revert reaches the caller with its reason', async () => {
  const poor = {
    ...token(),
    functionName: 'transfer',
    args: [richest, 1n],
    account: unusedAddress(1),
  } as const
  await expect(simulateContract(configWith(), poor)).rejects.toThrow('InsufficientBalance')
})

test('watchBlockNumber and watchBlocks report each block once and in order', async () => {
  const numbers: bigint[] = []
  const blocks: bigint[] = []
  const unwatch = [
    watchBlockNumber(configWith(), {
      emitMissed: true,
      onBlockNumber: (number) => void numbers.push(number),
    }),
    watchBlocks(configWith(), { emitMissed: true, onBlock: ({ number }) => void blocks.push(number) }),
  ]
  await expect.poll(() => Math.min(numbers.length, blocks.length)).toBeGreaterThan(3)
  for (const stop of unwatch) stop()
  for (const seen of [numbers, blocks])
    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0n) + BigInt(index)))
})

test('waitForTransactionReceipt and watchContractEvent report what was sent', async () => {
  const { posts, options } = writingDown()
  const reported: Hex[] = []
  const unwatch = watchContractEvent(configWith({ batch: false, ...options }), {
    ...token(),
    eventName: 'Transfer',
    args: { to: payee },
    onLogs: (logs) => void reported.push(...logs.map(({ transactionHash }) => transactionHash)),
  })
  await expect.poll(() => posts.flat()).toContain('eth_newFilter')
  const sent: Hex[] = []
  for (const value of [1n, 2n]) {
    const hash = await walletOf(0).writeContract({
      ...token(),
      functionName: 'transfer',
      args: [payee, value],
    })
    const receipt = await waitForTransactionReceipt(configWith(), { hash, confirmations: 2 })
    expect(receipt.status).toBe('success')
    expect((await getTransactionReceipt(configWith(), { hash })).blockHash).toBe(receipt.blockHash)
    sent.push(hash)
  }
  await expect.poll(() => reported.length).toBeGreaterThanOrEqual(2)
  unwatch()
  expect(reported).toEqual(sent)
})
