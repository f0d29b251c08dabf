import { concat, type Hex, toEventSelector } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import type { ReadCall } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import type { TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { trackTransaction } from '#lib/wallet/track.ts'
import { agreed, refused } from '../../support/readings.ts'
import { third, other as to } from './accounts.ts'
import { tokenEvent, word, words } from './event-words.ts'
import { recordOf } from './record.ts'

const record = recordOf({ nonce: 7 })
/** A transaction without a known nonce. */
const unknown = recordOf()

type Answers = Readonly<Record<string, unknown>>
/** A chain with these answers, and no quorum on everything else. */
const chain = (answers: Answers) => async (questions: readonly ReadCall[]) =>
  questions.map(({ method }) => (method in answers ? agreed(answers[method]) : refused('silent')))
const receipt = (block: string, status = '0x1') => ({ blockNumber: block, status })
/** The answers for a transaction in block 100. */
const minedAt = (head: string, status?: string) => ({
  eth_getTransactionReceipt: receipt('0x64', status),
  eth_blockNumber: head,
})
const nowhere = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }
const inPool = { ...nowhere, eth_getTransactionByHash: { nonce: '0x7' } }
const inBlock = (status: string, seen: number) => ({ status, seen, block: 100 })
const dropped = { block: null, seen: 0, nonce: 7, blockedBy: null }

describe('a pending transaction', () => {
  const count = (used: string) => ({ ...nowhere, eth_getTransactionCount: used })
  const unsaid = { eth_getTransactionReceipt: null, eth_getTransactionCount: '0x8' }
  const nowhereIn = { eth_getTransactionReceipt: {} }
  const mined = { ...record, block: 100, seen: 2 }

  test.each<[string, Answers, object, TransactionRecord?]>([
    ['stays so with one block', minedAt('0x64'), inBlock('pending', 1)],
    ['counts its own block, though the head was read before it', minedAt('0x63'), inBlock('pending', 1)],
    ['stays so with two blocks', minedAt('0x65'), inBlock('pending', 2)],
    ['is confirmed with three blocks', minedAt('0x66'), inBlock('confirmed', 3)],
    ['fails on an agreed receipt of status 0', minedAt('0x64', '0x0'), inBlock('failed', 1)],
    ['stays as it is without a quorum', {}, {}],
    ['stays as it is without a head', { eth_getTransactionReceipt: receipt('0x64') }, {}],
    ['stays as it is by a receipt without a block', { ...minedAt('0x64'), ...nowhereIn }, {}],
    ['gets its nonce from the chain', inPool, { nonce: 7 }, unknown],
    ['gets another nonce from the chain', inPool, { nonce: 7 }, recordOf({ nonce: 6 })],
    ['is not replaced where the nodes do not say that it is gone', unsaid, {}],
    ['is not replaced while a node has it', { ...count('0x8'), ...inPool }, { nonce: 7, blockedBy: null }],
    ['is pending again when a reorg drops its block', { ...count('0x7'), ...inPool }, dropped, mined],
  ])('%s', async (_, answers, sighting, of = record) => {
    const { included: _evidence, ...seen } = await trackTransaction(of, chain(answers))
    expect(seen).toEqual(sighting)
  })

  test('says once that too few nodes can be reached, and once that they are back', async () => {
    const thin = async (calls: readonly ReadCall[]) => calls.map(() => refused('thin'))
    expect(await trackTransaction(record, thin)).toEqual({ isThin: true })
    expect(await trackTransaction({ ...record, isThin: true }, thin)).toEqual({})
    const back = await trackTransaction({ ...record, isThin: true }, chain(minedAt('0x64')))
    expect(back).toMatchObject({ seen: 1, isThin: false })
  })

  test.each([
    ['0x9', '0xa', null],
    ['0x8', '0xa', { nonce: 8, isMissing: false }],
    ['0x7', '0x7', { nonce: 7, isMissing: true }],
  ])(
    'with nonce 9 after %s and, with those in pools, %s is blocked by %j',
    async (latest, pending, blockedBy) => {
      const read = async (calls: readonly ReadCall[]) =>
        calls.map(({ method, params }) => {
          const count = params[1] === 'pending' ? pending : latest
          const value = method === 'eth_getTransactionByHash' ? { nonce: '0x9' } : null
          return agreed(params.length === 2 ? count : value)
        })
      expect(await trackTransaction(unknown, read)).toEqual({ nonce: 9, blockedBy })
    },
  )

  test('is untracked when no node has it after a day, and not earlier', async () => {
    const statusOf = async (answers: Answers) => (await trackTransaction(unknown, chain(answers))).status
    vi.useFakeTimers({ now: unknown.sentMs + 24 * 60 * 60 * 1000 })
    expect(await statusOf(nowhere)).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(await statusOf(nowhere)).toBe('untracked')
    expect(await statusOf(inPool)).toBeUndefined()
  })
})

describe('an included transaction beside what was reviewed', () => {
  const { from } = record
  const call = { to, value: '0x0', data: tokenCall('transfer', to, 5n) } as const
  const token = { ...call, token: { symbol: 'NO', decimals: 6 } } as const
  const event = { ...tokenEvent('transfer', [from, to], 5n), address: to }
  /** The answers for one that three blocks stand on. */
  const settled = (logs: readonly object[] = [], change: object = {}, status = '0x1') => ({
    eth_blockNumber: '0x66',
    eth_getTransactionReceipt: { ...receipt('0x64', status), logs },
    eth_getTransactionByHash: { from, to, value: '0x0', input: token.data, ...change },
  })
  const reviewed = { ...record, reviewed: token }

  test.each(['0x1', '0x0'])('with status %s is not settled without a quorum on it itself', async (status) => {
    const { eth_getTransactionByHash: _, ...answers } = settled([event], {}, status)
    const seen = { status: 'pending', seen: 3, block: 100 }
    expect(await trackTransaction(reviewed, chain(answers))).toEqual(seen)
  })

  test.each(['0x1', '0x0'])('with status %s is different at once', async (status) => {
    const answers = { ...settled([event], { value: '0x1' }, status), eth_blockNumber: '0x64' }
    const found = { kind: 'sent', value: '0x1', isReverted: status === '0x0' }
    const seen = { status: 'different', found, seen: 1 }
    expect(await trackTransaction(reviewed, chain(answers))).toMatchObject(seen)
  })

  test('waits for a quorum on what the token did in its block', async () => {
    const answers = settled([event])
    const blocks = new Set<unknown>()
    const seeWith = (figures: object) =>
      trackTransaction(reviewed, async (questions) => {
        for (const { method, params } of questions) if (method === 'eth_call') blocks.add(params[1])
        return chain({ ...answers, ...figures })(questions)
      })
    expect(await seeWith({})).toMatchObject({ status: 'pending' })
    const effect = { kind: 'effect', amount: '0x0' }
    expect(await seeWith({ eth_call: word(9n) })).toMatchObject({ status: 'different', found: effect })
    expect(blocks).toEqual(new Set(['0x63', '0x64']))
  })

  test('of a Safe, which an owner executes, has failed where the Safe says so, and may be another one', async () => {
    const inside = (call: Hex) => concat(['0x6a761202', words(to, 0n), call])
    const executed = { from: third, to: from, input: inside(token.data) }
    const failure = toEventSelector('ExecutionFailure(bytes32,uint256)')
    const fails = { address: from, topics: [failure], data: words(0n, 0n) }
    const failed = await trackTransaction(reviewed, chain(settled([fails], executed)))
    expect(failed).toMatchObject({ status: 'failed' })
    const other = { ...executed, input: inside(tokenCall('transfer', to, 6n)) }
    const different = await trackTransaction(reviewed, chain(settled([event], other)))
    expect(different).toMatchObject({ status: 'different', found: { kind: 'sent', to: from } })
  })

  test('of several calls is confirmed where a later call used what an earlier one approved', async () => {
    const approval = { ...token, data: tokenCall('approve', third, 5n) }
    const act = { to: third, value: '0x0', data: '0x12345678' } as const
    const log = (amount: bigint) => ({ ...tokenEvent('approval', [from, third], amount), address: to })
    const input = concat([to, approval.data, third, act.data])
    const seeWith = (...amounts: readonly bigint[]) =>
      trackTransaction(
        { ...record, reviewed: approval, others: [act] },
        chain({ ...settled(amounts.map(log), { to: from, input }), eth_call: word(0n) }),
      )
    expect(await seeWith(5n, 0n)).toMatchObject({ status: 'confirmed' })
    const found = { kind: 'effect', amount: '0x0' }
    expect(await seeWith(4n)).toMatchObject({ status: 'different', found })
  })

  test('is believed by its events where no node has the state of its block any more', async () => {
    const seen = await trackTransaction(reviewed, async (questions) =>
      questions.some(({ method }) => method === 'eth_call')
        ? questions.map(() => refused('refused'))
        : chain(settled([event]))(questions),
    )
    expect(seen).toMatchObject({ status: 'confirmed' })
  })

  test('of an item (ERC-721), whose approval has the bytes of an allowance, is confirmed without one', async () => {
    const item = { ...call, data: tokenCall('approve', to, 5n) }
    const answers = settled([], { input: item.data })
    const seen = await trackTransaction({ ...record, reviewed: item }, chain(answers))
    expect(seen).toMatchObject({ status: 'confirmed' })
  })

  test('is compared with what the simulation showed that the recipient gains', async () => {
    const answers = settled([{ ...event, data: word(4n) }])
    let balance = 0n
    const seeGain = (gain: Hex) =>
      trackTransaction({ ...record, reviewed: { ...token, gain } }, async (questions) =>
        questions[0]?.method === 'eth_call'
          ? questions.map(() => agreed(word(balance++)))
          : chain(answers)(questions),
      )
    expect(await seeGain('0x4')).toMatchObject({ status: 'confirmed' })
    expect(await seeGain('0x5')).toMatchObject({ status: 'different', found: { amount: '0x4' } })
  })
})
