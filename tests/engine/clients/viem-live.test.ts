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
      const hash = await walletOf(0).writeContract({
        ...token(),
        functionName: 'transfer',
        args: [payee, BigInt(time)],
      })
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
      await expect
        .poll(() => posts.flat())
        .toContain(kind === 'edge' ? 'eth_getLogs' : 'eth_getFilterChanges')
      const sent = await transfer(4)
      await expect.poll(() => reported.length).toBeGreaterThanOrEqual(4)
      // Two more polls return nothing more.
      const looks = posts.length
      await expect.poll(() => posts.length).toBeGreaterThan(looks + 2)
      unwatch()
      expect(reported).toEqual(sent)
      expect(errors).toEqual([])
      expect(new Set(posts.flat().filter((method) => method !== 'eth_blockNumber'))).toEqual(
        new Set(
          kind === 'edge' ? ['eth_newFilter', 'eth_getLogs'] : ['eth_newFilter', 'eth_getFilterChanges'],
        ),
      )
    })
  })

  if (kind === 'edge') {
    test('filters are not supported', async () => {
      await expect(client().createBlockFilter()).rejects.toThrow(MethodNotFoundRpcError)
      await expect(client().createEventFilter()).rejects.toThrow(MethodNotFoundRpcError)
      await expect(client().createPendingTransactionFilter()).rejects.toThrow(MethodNotFoundRpcError)
    })
  } else {
    test('filters report changes once, until they are uninstalled', async () => {
      const mine = client()
      const fromBlock = await mine.getBlockNumber()
      const filters = {
        blocks: await mine.createBlockFilter(),
        events: await mine.createEventFilter({ address: site().token }),
        transfers: await mine.createContractEventFilter({
          ...token(),
          eventName: 'Transfer',
          fromBlock,
          args: { to: payee },
        }),
      }
      const sent = await transfer(2)
      const hashes = (logs: readonly { transactionHash: Hex | null }[]) =>
        logs.map(({ transactionHash }) => transactionHash)
      expect(hashes(await mine.getFilterChanges({ filter: filters.transfers }))).toEqual(sent)
      expect(hashes(await mine.getFilterChanges({ filter: filters.events }))).toEqual(sent)
      expect(await mine.getFilterChanges({ filter: filters.events })).toEqual([])
      expect(hashes(await mine.getFilterLogs({ filter: filters.transfers }))).toEqual(
        expect.arrayContaining(sent),
      )
      const blocks = await mine.getFilterChanges({ filter: filters.blocks })
      expect(blocks.length).toBeGreaterThan(1)
      expect(await bare().getBlock({ blockHash: blocks[0] as Hex })).toMatchObject({ hash: blocks[0] })
      for (const filter of Object.values(filters)) expect(await mine.uninstallFilter({ filter })).toBe(true)
      await expect(mine.getFilterChanges({ filter: filters.events })).rejects.toThrow('filter not found')
    })
  }

  if (kind !== 'edge')
    test('a filter of pending transactions never reports anything', async () => {
      const filter = await client().createPendingTransactionFilter()
      await transfer(1)
      expect(await client().getFilterChanges({ filter })).toEqual([])
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

  test('three in a row get three nonces before any is mined', async () => {
    const wallet = walletOf(2)
    const first = await bare().getTransactionCount({ address: wallet.account.address })
    const hashes: Hex[] = []
    for (const value of [1n, 2n, 3n])
      hashes.push(await wallet.sendTransaction({ to: unusedAddress(1), value }))
    const receipts = await Promise.all(hashes.map((hash) => client().waitForTransactionReceipt({ hash })))
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    const sent = await Promise.all(hashes.map((hash) => bare().getTransaction({ hash })))
    expect(sent.map(({ nonce }) => nonce)).toEqual([first, first + 1, first + 2])
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
