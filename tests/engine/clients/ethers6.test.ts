import {
  Contract,
  FetchRequest,
  type JsonRpcApiProviderOptions,
  JsonRpcProvider,
  type Log,
  Wallet,
} from 'ethers'
import { afterEach, expect, test } from 'vitest'
import { demoAccount, keyOf } from '../../../demo/accounts.ts'
import { accountOf, siteForOneFile, unusedAddress } from './support/site.ts'

/** ethers 6 with its default batching, over a chain whose first node lies. */
const site = siteForOneFile()
const richest = demoAccount(0).address
const tokenAbi = [
  'function symbol() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
]
const open: JsonRpcProvider[] = []
afterEach(async () => {
  for (const provider of open.splice(0)) {
    await provider.removeAllListeners()
    // What waits for its batch is sent with this: destroying the provider earlier would cause an unhandled rejection.
    await provider.getBlockNumber().catch(() => {})
    provider.destroy()
  }
})

function providerAt(url: string, options: JsonRpcApiProviderOptions = {}): JsonRpcProvider {
  const provider = new JsonRpcProvider(new FetchRequest(url), undefined, {
    pollingInterval: 100,
    cacheTimeout: -1,
    ...options,
  })
  open.push(provider)
  return provider
}

const mine = (options?: JsonRpcApiProviderOptions) => providerAt(site().url(), options)
const tokenWith = (runner: JsonRpcProvider | Wallet) => new Contract(site().token, tokenAbi, runner)
const walletOf = (index: number) => new Wallet(keyOf(accountOf(index)), mine())
const payee = unusedAddress(100)

test('reads the same values one by one as in batches', async () => {
  const block = (await mine().getBlockNumber()) - 3
  const asked = (options?: JsonRpcApiProviderOptions) => {
    const provider = mine(options)
    return Promise.all([1, 2, 3].map((back) => provider.getBalance(richest, block - back * 20)))
  }
  expect(await asked({ batchMaxCount: 1 })).toEqual(await asked())
})

test('knows blocks by tag', async () => {
  const provider = mine()
  const [latest, safe, finalized] = await Promise.all(
    ['latest', 'safe', 'finalized'].map(async (tag) => (await provider.getBlock(tag))?.number ?? 0),
  )
  expect(safe).toBeLessThan(latest ?? 0)
  expect(finalized).toBeLessThan(safe ?? 0)
  expect(await provider.getBlock(`0x${'1'.repeat(64)}`)).toBe(null)
  expect(await provider.getTransactionReceipt(`0x${'1'.repeat(64)}`)).toBe(null)
})

test('a revert is a call exception with its data and its name', async () => {
  const token = tokenWith(mine())
  const transfer = token.getFunction('transfer')
  const poor = { from: unusedAddress(1) }
  await expect(transfer.staticCall(richest, 1n, poor)).rejects.toMatchObject({
    code: 'CALL_EXCEPTION',
    revert: { name: 'ERC20InsufficientBalance', args: [unusedAddress(1), 0n, 1n] },
  })
  const thrown = await transfer.estimateGas(richest, 1n, poor).catch((error) => error)
  expect(thrown.code).toBe('CALL_EXCEPTION')
  expect(token.interface.parseError(thrown.data)?.name).toBe('ERC20InsufficientBalance')
})

test('three transactions in a row get three nonces', async () => {
  const wallet = walletOf(1)
  const sent = []
  for (const value of [1n, 2n, 3n]) sent.push(await wallet.sendTransaction({ to: payee, value }))
  const receipts = await Promise.all(sent.map((one) => one.wait(1, 20_000)))
  expect(receipts.map((receipt) => receipt?.status)).toEqual([1, 1, 1])
  const first = sent[0]?.nonce ?? 0
  expect(sent.map(({ nonce }) => nonce)).toEqual([first, first + 1, first + 2])
})

test('listeners get each block and each event once, in order', async () => {
  // Events use their own provider. Without filters, a provider that already listens to blocks may be behind its start
  // block, ask for a range that ends before it starts, and cause an unhandled rejection.
  const [provider, events] = [mine(), mine()]
  const blocks: number[] = []
  const heard: string[] = []
  const token = tokenWith(events)
  await provider.on('block', (number: number) => void blocks.push(number))
  await token.on(
    token.getEvent('Transfer')(null, payee),
    ({ log }: { log: Log }) => void heard.push(log.transactionHash),
  )
  await expect.poll(() => blocks.length).toBeGreaterThan(0)
  const sent: string[] = []
  for (const value of [1n, 2n]) {
    const transfer = await tokenWith(walletOf(2)).getFunction('transfer')(payee, value)
    await transfer.wait(1, 20_000)
    sent.push(transfer.hash)
  }
  await expect.poll(() => new Set(heard).size).toBe(2)
  expect(heard).toEqual(sent)
  expect(blocks).toEqual(blocks.map((_, index) => (blocks[0] ?? 0) + index))
})
