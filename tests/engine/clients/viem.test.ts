import { createPublicClient, fallback, http } from 'viem'
import { beforeAll, expect, test, vi } from 'vitest'
import { demoAccount } from '../../../demo/accounts.ts'
import { tokenAbi } from '../../../demo/history.ts'
import { chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt, writingDown } from './support/viem.ts'
import { absent, alike, composed, contract, elsewhere, now, type Past } from './support/viem-actions.ts'

/** Every public action of viem over a chain whose first node lies. */
const site = siteForOneFile()
const bare = () => viemAt(site().chainUrl)
const richest = demoAccount(0)

let past: Past

beforeAll(async () => {
  const { token } = site()
  const transfers = await bare().getContractEvents({
    address: token,
    abi: tokenAbi,
    eventName: 'Transfer',
    fromBlock: 0n,
  })
  const { transactionHash, blockNumber, blockHash } = transfers.at(-1) ?? transfers[0] ?? never()
  past = { blockNumber, blockHash, transfer: transactionHash, token }
})

test('every public action is covered', () => {
  const actions = Object.entries(bare())
    .filter(([name, value]) => typeof value === 'function' && !['request', 'extend'].includes(name))
    .map(([name]) => name)
  const tested = [alike, now, absent].flatMap((table) => Object.keys(table).map((name) => name.split(' ')[0]))
  expect(new Set([...tested, ...elsewhere, ...composed])).toEqual(new Set(actions))
})

const url = () => site().url()
const client = () => viemAt(url())

test.each(Object.entries(alike))('%s', async (_, read) => {
  // A block may be mined between the two reads, and anvil uses the fee of its next block in any history.
  await vi.waitFor(async () => expect(await read(client(), past)).toEqual(await read(bare(), past)), {
    timeout: 60_000,
  })
})

test.each(Object.entries(now))('%s, now', async (_, judge) => {
  await judge(client(), { bare: bare(), past })
})

test('the lying node was asked all the time', () => {
  const { nodes } = site()
  const methods = [
    'eth_getBalance',
    'eth_call',
    'eth_getLogs',
    'eth_getTransactionReceipt',
    'eth_estimateGas',
  ]
  expect(methods.filter((method) => nodes.node('liar').callCount(method) === 0)).toEqual([])
})

test.each(Object.entries(absent))('%s is not supported', async (_, act) => {
  await expect(act(client(), { bare: bare(), past })).rejects.toThrow('does not exist / is not available')
})

test('simultaneous calls share one batch, and each gets its own answer', async () => {
  const { posts, options } = writingDown({ batch: true })
  const batching = viemAt(url(), options)
  const [number, balance, code, unknown] = await Promise.allSettled([
    batching.getBlockNumber(),
    batching.getBalance({ address: richest.address, blockNumber: past.blockNumber }),
    batching.getCode({ address: past.token }),
    batching.getRawTransaction({ hash: past.transfer }),
  ])
  expect(posts).toEqual([['eth_blockNumber', 'eth_getBalance', 'eth_getCode', 'eth_getRawTransactionByHash']])
  expect([number, balance, code, unknown].map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(balance).toMatchObject({
    value: await bare().getBalance({ address: richest.address, blockNumber: past.blockNumber }),
  })
})

test('simultaneous reads become one multicall', async () => {
  const { posts, options } = writingDown()
  const many = createPublicClient({
    chain,
    transport: http(url(), options),
    batch: { multicall: { batchSize: 1024, wait: 10 } },
  })
  const read = { ...contract(past), blockNumber: past.blockNumber } as const
  const said = await Promise.all([
    many.readContract({ ...read, functionName: 'symbol' }),
    many.readContract({ ...read, functionName: 'balanceOf', args: [richest.address] }),
    many.readContract({ ...read, functionName: 'balanceOf', args: [unusedAddress(1)] }),
  ])
  expect(posts).toEqual([['eth_call']])
  expect(said).toEqual([
    'DUSD',
    await bare().readContract({ ...read, functionName: 'balanceOf', args: [richest.address] }),
    0n,
  ])
})

test('works as a fallback for an unreachable endpoint, and with a reachable one', async () => {
  const dead = http('http://127.0.0.1:1')
  for (const transports of [
    [dead, http(url())],
    [http(url()), dead],
  ]) {
    const either = createPublicClient({ chain, transport: fallback(transports, { retryCount: 0 }) })
    expect(await either.getBalance({ address: richest.address, blockNumber: past.blockNumber })).toBe(
      await bare().getBalance({ address: richest.address, blockNumber: past.blockNumber }),
    )
  }
})

function never(): never {
  throw new Error('the history has no transfer')
}
