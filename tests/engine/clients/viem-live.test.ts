import { createNonceManager, createWalletClient, type Hex, http, MethodNotFoundRpcError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { jsonRpc } from 'viem/nonce'
import { describe, expect, test } from 'vitest'
import { keyOf } from '../../../demo/accounts.ts'
import { tokenAbi } from '../../../demo/history.ts'
import { bothGateways } from '../../support/hosts.ts'
import { accountOf, chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt, writingDown } from './support/viem.ts'

/** viem's watchers, filters and transactions over a chain whose first node lies. */
const site = siteForOneFile({ hosts: bothGateways })
const bare = () => viemAt(site().chainUrl)

const token = () => ({ address: site().token, abi: tokenAbi }) as const
const walletOf = (index: number) =>
  createWalletClient({ account: accountOf(index), chain, transport: http(site().url()) })

// With filters, and without.
describe.each(bothGateways)('%s', (kind) => {
  const url = () => site().url(kind)
  const client = () => viemAt(url())
  const payee = unusedAddress(kind === 'edge' ? 200 : 100)

  /** Sends as many transfers as asked for, one after the other, and waits until each is in a block. */
  async function transfer(times: number): Promise<Hex[]> {
    const hashes: Hex[] = []
    for (let time = 1; time <= times; time += 1) {
      const call = { functionName: 'transfer', args: [payee, BigInt(time)] } as const
      const hash = await walletOf(0).writeContract({ ...token(), ...call })
      await client().waitForTransactionReceipt({ hash })
      hashes.push(hash)
    }
    return hashes
  }

  describe('watchers', () => {
    test('watchBlockNumber reports each number once and in order', async () => {
      const seen: bigint[] = []
      const unwatch = client().watchBlockNumber({
        emitMissed: true,
        onBlockNumber: (number) => void seen.push(number),
      })
      await expect.poll(() => seen.length).toBeGreaterThan(3)
      unwatch()
      expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0n) + BigInt(index)))
    })

    test('watchBlocks reports each block once, each the child of the previous one', async () => {
      const seen: { hash: Hex; parentHash: Hex; number: bigint }[] = []
      const unwatch = client().watchBlocks({ emitMissed: true, onBlock: (block) => void seen.push(block) })
      await expect.poll(() => seen.length).toBeGreaterThan(3)
      unwatch()
      expect(seen.slice(1).map(({ parentHash }) => parentHash)).toEqual(
        seen.slice(0, -1).map(({ hash }) => hash),
      )
      const { number, hash } = seen[2] ?? { number: 0n, hash: '0x' }
      expect((await bare().getBlock({ blockNumber: number })).hash).toBe(hash)
    })

    test('watchContractEvent misses no event and reports none twice', async () => {
      const { posts, options } = writingDown()
      const reported: Hex[] = []
      const errors: Error[] = []
      const unwatch = viemAt(url(), options).watchContractEvent({
        ...token(),
        eventName: 'Transfer',
        args: { to: payee },
        fromBlock: await client().getBlockNumber(),
        onLogs: (logs) => void reported.push(...logs.map(({ transactionHash }) => transactionHash)),
        onError: (error) => void errors.push(error),
      })
      // The first look for changes follows the reply that the filter stands.
      const polled = kind === 'edge' ? 'eth_getLogs' : 'eth_getFilterChanges'
      await expect.poll(() => posts.flat()).toContain(polled)
      const sent = await transfer(4)
      await expect.poll(() => reported.length).toBeGreaterThanOrEqual(4)
      // Two more polls return nothing more.
      const looks = posts.length
      await expect.poll(() => posts.length).toBeGreaterThan(looks + 2)
      unwatch()
      expect(reported).toEqual(sent)
      expect(errors).toEqual([])
      const methods = new Set(posts.flat().filter((method) => method !== 'eth_blockNumber'))
      expect(methods).toEqual(new Set(['eth_newFilter', polled]))
    })
  })

  if (kind === 'edge')
    test('filters are not supported', async () => {
      await expect(client().createBlockFilter()).rejects.toThrow(MethodNotFoundRpcError)
      await expect(client().createEventFilter()).rejects.toThrow(MethodNotFoundRpcError)
      await expect(client().createPendingTransactionFilter()).rejects.toThrow(MethodNotFoundRpcError)
    })
  // What else filters do: tests/engine/unit/filters.
  else
    test('a filter of blocks reports them, one of pending transactions never anything', async () => {
      const blocks = await client().createBlockFilter()
      const pending = await client().createPendingTransactionFilter()
      await transfer(1)
      const [hash] = await client().getFilterChanges({ filter: blocks })
      expect(await bare().getBlock({ blockHash: hash as Hex })).toMatchObject({ hash })
      expect(await client().getFilterChanges({ filter: pending })).toEqual([])
    })
})

describe('transactions', () => {
  const url = () => site().url()
  const client = () => viemAt(url())

  test.each(['legacy', 'eip2930', 'eip1559'] as const)('of type %s are sent and mined', async (type) => {
    const to = unusedAddress(300)
    const before = await bare().getBalance({ address: to })
    const hash = await walletOf(1).sendTransaction({ to, value: 7n, type } as never)
    const receipt = await client().waitForTransactionReceipt({ hash, confirmations: 2 })
    expect(receipt).toMatchObject({ status: 'success', type })
    // Read your writes: after the receipt, its effect is visible.
    expect(await client().getBalance({ address: to })).toBe(before + 7n)
    expect(await client().getTransactionConfirmations({ hash })).toBeGreaterThanOrEqual(2n)
    expect((await client().getTransaction({ hash })).type).toBe(type)
  })

  test("three at once get three nonces from viem's nonce manager", async () => {
    const account = privateKeyToAccount(keyOf(accountOf(2)), {
      nonceManager: createNonceManager({ source: jsonRpc() }),
    })
    const wallet = createWalletClient({ account, chain, transport: http(url()) })
    const hashes = await Promise.all(
      [1n, 2n, 3n].map((value) => wallet.sendTransaction({ to: unusedAddress(1), value })),
    )
    const receipts = await Promise.all(hashes.map((hash) => client().waitForTransactionReceipt({ hash })))
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  })
})
