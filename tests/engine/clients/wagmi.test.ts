import { createWalletClient, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { createConfig, http } from 'wagmi'
import {
  getTransactionReceipt,
  readContract,
  waitForTransactionReceipt,
  watchContractEvent,
} from 'wagmi/actions'
import { demoAccount } from '../../../demo/accounts.ts'
import { tokenAbi } from '../../../demo/history.ts'
import { accountOf, chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { writingDown } from './support/viem.ts'

/** wagmi's core, with the settings recommended in docs/clients.md, over a chain whose first node lies. */
const site = siteForOneFile()
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
    const call = { functionName: 'transfer', args: [payee, value] } as const
    const hash = await walletOf(0).writeContract({ ...token(), ...call })
    const receipt = await waitForTransactionReceipt(configWith(), { hash, confirmations: 2 })
    expect(receipt.status).toBe('success')
    expect((await getTransactionReceipt(configWith(), { hash })).blockHash).toBe(receipt.blockHash)
    sent.push(hash)
  }
  await expect.poll(() => reported.length).toBeGreaterThanOrEqual(2)
  unwatch()
  expect(reported).toEqual(sent)
})
