import { ethers } from 'ethers-v5'
import { afterEach, describe, expect, test } from 'vitest'
import { demoAccount, keyOf } from '../../demo/accounts.ts'
import { hostsOfEngine } from '../support/hosts.ts'
import { accountOf, chainId, siteForOneFile, unusedAddress } from './support/site.ts'

/** ethers 5 over a chain whose first node lies. */
const site = siteForOneFile({ hosts: hostsOfEngine })
const richest = demoAccount(0).address
const defer = { timeout: 20_000 }
const tokenAbi = [
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'error InsufficientBalance(address from, uint256 balance, uint256 needed)',
]
const { JsonRpcBatchProvider, JsonRpcProvider } = ethers.providers
type Provider = ethers.providers.JsonRpcProvider
const open: Provider[] = []
afterEach(() => {
  for (const provider of open.splice(0)) provider.removeAllListeners()
})

function polling<P extends Provider>(provider: P): P {
  provider.pollingInterval = 100
  open.push(provider)
  return provider
}

describe.each(hostsOfEngine)('%s', (kind) => {
  const mine = () => polling(new JsonRpcProvider(site().url(kind)))
  const bare = () => new JsonRpcProvider(site().chainUrl)
  const walletOf = (index: number) => new ethers.Wallet(keyOf(accountOf(kind, index)), mine())
  const tokenWith = (runner: Provider | ethers.Wallet) => new ethers.Contract(site().token, tokenAbi, runner)
  const payee = unusedAddress(kind === 'edge' ? 200 : 100)

  test('detects the chain, and reads the same values as from the chain itself', async () => {
    const [provider, own] = [mine(), bare()]
    expect((await provider.getNetwork()).chainId).toBe(chainId)
    const block = (await provider.getBlockNumber()) - 3
    const asked = (from: Provider) =>
      Promise.all([
        from.getBalance(richest, block),
        from.getTransactionCount(richest, block),
        from.getCode(site().token, block),
        from.getStorageAt(site().token, 2, block),
        from.getBlockWithTransactions(block),
        from.getLogs({ address: site().token, fromBlock: 0, toBlock: block }),
        tokenWith(from).balanceOf(richest, { blockTag: block }),
      ])
    const plain = (said: unknown) => without(['confirmations'], JSON.parse(JSON.stringify(said)))
    expect(plain(await asked(provider))).toEqual(plain(await asked(own)))
    const [log] = await provider.getLogs({ address: site().token, fromBlock: 0, toBlock: block })
    const hash = log?.transactionHash ?? ''
    expect(plain(await provider.getTransactionReceipt(hash))).toEqual(
      plain(await own.getTransactionReceipt(hash)),
    )
    expect(plain(await provider.getTransaction(hash))).toEqual(plain(await own.getTransaction(hash)))
    expect(site().nodes.node('liar').callCount('eth_getBalance')).toBeGreaterThan(0)
  })

  test('its batch provider reads the same', async () => {
    const block = (await mine().getBlockNumber()) - 3
    const batching = polling(new JsonRpcBatchProvider(site().url(kind)))
    const [balance, code, count] = await Promise.all([
      batching.getBalance(richest, block),
      batching.getCode(site().token, block),
      batching.getTransactionCount(richest, block),
    ])
    expect(balance.eq(await bare().getBalance(richest, block))).toBe(true)
    expect(code).toBe(await bare().getCode(site().token, block))
    expect(count).toBe(await bare().getTransactionCount(richest, block))
  })

  test('suggests fees', async () => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await mine().getFeeData()
    expect(gasPrice?.gt(0)).toBe(true)
    expect(maxFeePerGas?.gt(maxPriorityFeePerGas ?? 0)).toBe(true)
  })

  test('a revert is a call exception with its data and its name', async () => {
    const thrown = await tokenWith(mine())
      .callStatic.transfer?.(richest, 1, { from: unusedAddress(1) })
      .catch((error) => error)
    expect(thrown).toMatchObject({ code: 'CALL_EXCEPTION', errorName: 'InsufficientBalance' })
    expect([...thrown.errorArgs].map(String)).toEqual([unusedAddress(1), '0', '1'])
  })

  test('sends a transaction and waits for it; then its effect is visible', async () => {
    const before = await bare().getBalance(payee)
    const sent = await walletOf(0).sendTransaction({ to: payee, value: 5 })
    const receipt = await sent.wait(2)
    expect(receipt).toMatchObject({ status: 1, transactionHash: sent.hash })
    expect((await mine().getBalance(payee)).eq(before.add(5))).toBe(true)
  })

  test('three transactions in a row get three nonces', async () => {
    const wallet = walletOf(1)
    const sent: ethers.providers.TransactionResponse[] = []
    for (const value of [1, 2, 3]) sent.push(await wallet.sendTransaction({ to: payee, value }))
    const receipts = await Promise.all(sent.map((one) => one.wait(1)))
    expect(receipts.map(({ status }) => status)).toEqual([1, 1, 1])
    const first = sent[0]?.nonce ?? 0
    expect(sent.map(({ nonce }) => nonce)).toEqual([first, first + 1, first + 2])
  })

  test('refusals have the error codes of ethers', async () => {
    await expect(walletOf(1).sendTransaction({ to: payee, value: 1, nonce: 0 })).rejects.toMatchObject({
      code: 'NONCE_EXPIRED',
    })
    const poor = new ethers.Wallet(`0x${(kind === 'edge' ? '8' : '7').repeat(64)}`, mine())
    await expect(
      poor.sendTransaction({ to: payee, value: ethers.utils.parseEther('1'), gasLimit: 21_000 }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('listeners get each block and each event once, in order', async () => {
    const provider = mine()
    const blocks: number[] = []
    const heard: string[] = []
    provider.on('block', (number: number) => void blocks.push(number))
    const token = tokenWith(provider)
    const toPayee = token.filters.Transfer?.(null, payee) ?? {}
    token.on(toPayee, (_from, _to, _value, { transactionHash }) => void heard.push(transactionHash))
    await expect.poll(() => blocks.length, defer).toBeGreaterThan(1)
    const sent: string[] = []
    for (const value of [1, 2]) {
      const transfer = await tokenWith(walletOf(2)).transfer(payee, value)
      await transfer.wait(1)
      sent.push(transfer.hash)
    }
    await expect.poll(() => heard.length, defer).toBeGreaterThanOrEqual(2)
    expect(heard).toEqual(sent)
    expect(blocks).toEqual(blocks.map((_, index) => (blocks[0] ?? 0) + index))
  })
})

/** Removes fields that depend on the current head, which may change between two reads. */
function without(names: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(names, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.includes(name))
      .map(([name, one]) => [name, without(names, one)]),
  )
}
