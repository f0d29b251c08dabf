import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ReadCall } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { trackTransaction } from '#lib/wallet/track.ts'
import { agreed, refused } from '../../support/readings.ts'
import { topics, word } from './event-words.ts'
import { recordOf } from './record.ts'

const record = recordOf({ nonce: 7 })
/** A transaction without a known nonce. */
const unknown = recordOf()

/** A chain with these answers, and no quorum on everything else. */
const chain = (answers: Readonly<Record<string, unknown>>) => async (questions: readonly ReadCall[]) =>
  questions.map(({ method }) => (method in answers ? agreed(answers[method]) : refused('silent')))
const receipt = (block: string, status = '0x1') => ({ blockNumber: block, status })

afterEach(() => void vi.useRealTimers())

describe('a pending transaction', () => {
  test('is confirmed once enough agreed blocks stand on it, its own included', async () => {
    const at = (head: string) =>
      trackTransaction(record, chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: head }))
    expect(await at('0x64')).toEqual({ status: 'pending', seen: 1, block: 100 })
    expect(await at('0x65')).toEqual({ status: 'pending', seen: 2, block: 100 })
    expect(await at('0x66')).toMatchObject({ status: 'confirmed', seen: 3, block: 100 })
  })

  test('counts its own block even when the head was read before it', async () => {
    const seen = await trackTransaction(
      record,
      chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: '0x63' }),
    )
    expect(seen).toEqual({ status: 'pending', seen: 1, block: 100 })
  })

  test('fails on an agreed receipt of status 0', async () => {
    const seen = await trackTransaction(
      record,
      chain({ eth_getTransactionReceipt: receipt('0x64', '0x0'), eth_blockNumber: '0x64' }),
    )
    expect(seen.status).toBe('failed')
  })

  test.each([
    ['no quorum at all', {}],
    ['no quorum on the head', { eth_getTransactionReceipt: receipt('0x64') }],
    ['a receipt without a block', { eth_getTransactionReceipt: {}, eth_blockNumber: '0x64' }],
  ])('%s changes nothing', async (_, answers) => {
    expect(await trackTransaction(record, chain(answers))).toEqual({})
  })

  test('says once that too few nodes can be reached, and once that they are back', async () => {
    const thin = async (calls: readonly ReadCall[]) => calls.map(() => refused('thin'))
    expect(await trackTransaction(record, thin)).toEqual({ isThin: true })
    expect(await trackTransaction({ ...record, isThin: true }, thin)).toEqual({})
    const back = chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: '0x64' })
    expect(await trackTransaction({ ...record, isThin: true }, back)).toMatchObject({
      seen: 1,
      isThin: false,
    })
  })

  const dayMs = 24 * 60 * 60 * 1000
  const nowhere = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }

  test('gets its nonce from the chain', async () => {
    const answers = { ...nowhere, eth_getTransactionByHash: { nonce: '0x9' } }
    expect(await trackTransaction(unknown, chain(answers))).toEqual({ nonce: 9 })
    expect(await trackTransaction(record, chain(answers))).toEqual({ nonce: 9 })
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

  test('is replaced when a final block has another transaction with its nonce', async () => {
    const at = (count: string) =>
      trackTransaction(record, chain({ ...nowhere, eth_getTransactionCount: count }))
    expect(await at('0x7')).toEqual({})
    expect(await at('0x8')).toEqual({ status: 'replaced' })
  })

  test('is not replaced by a block that is not final', async () => {
    const asked: ReadCall[] = []
    await trackTransaction(record, (questions) => {
      asked.push(...questions)
      return chain(nowhere)(questions)
    })
    const counts = asked.filter(({ method }) => method === 'eth_getTransactionCount')
    expect(counts).toEqual([{ method: 'eth_getTransactionCount', params: [record.from, 'finalized'] }])
    expect((await trackTransaction(record, chain(nowhere))).status).toBeUndefined()
  })

  test('is never replaced while its nonce is unknown: another device may have sent more', async () => {
    const answers = { ...nowhere, eth_getTransactionCount: '0xff' }
    expect(await trackTransaction(unknown, chain(answers))).toEqual({})
  })

  test('is not replaced while a node may still have it', async () => {
    const used = { eth_getTransactionReceipt: null, eth_getTransactionCount: '0x8' }
    expect((await trackTransaction(record, chain(used))).status).toBeUndefined()
    const there = { ...used, eth_getTransactionByHash: { nonce: '0x7' } }
    expect((await trackTransaction(record, chain(there))).status).toBeUndefined()
  })

  test('is untracked when no node has it after a day, and not earlier', async () => {
    vi.useFakeTimers({ now: unknown.sentMs + dayMs })
    expect((await trackTransaction(unknown, chain(nowhere))).status).toBeUndefined()
    vi.setSystemTime(unknown.sentMs + dayMs + 1)
    expect((await trackTransaction(unknown, chain(nowhere))).status).toBe('untracked')
    const there = { ...nowhere, eth_getTransactionByHash: { nonce: '0x7' } }
    expect((await trackTransaction(unknown, chain(there))).status).toBeUndefined()
  })

  test('of a multisig is read by its hash on the chain, and no nonce replaces it', async () => {
    const sentAs = `0x${'b'.repeat(64)}` as const
    const asked: unknown[] = []
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x8',
      eth_getTransactionByHash: null,
    }
    const seen = await trackTransaction({ ...record, sentAs }, (questions) => {
      asked.push(...questions.map(({ params }) => params[0]))
      return chain(answers)(questions)
    })
    expect(seen).toEqual({})
    expect(asked).toContain(sentAs)
    expect(asked).not.toContain(record.hash)
  })

  test('is pending again when a reorg drops its block', async () => {
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x7',
      eth_getTransactionByHash: { nonce: '0x7' },
    }
    expect(await trackTransaction({ ...record, block: 100, seen: 2 }, chain(answers))).toEqual({
      block: null,
      seen: 0,
      nonce: 7,
      blockedBy: null,
    })
  })
})

describe('an included transaction beside what was reviewed', () => {
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const token = {
    to,
    value: '0x0',
    data: tokenCall('transfer', to, 5n),
    token: { symbol: 'NO', decimals: 6 },
  } as const
  const shown = (change: object = {}) => ({
    from: record.from,
    to,
    value: '0x0',
    input: token.data,
    ...change,
  })
  const event = {
    address: to,
    topics: [topics.transfer, word(record.from), word(to)],
    data: word(5n),
  }
  const mined = (logs: readonly object[] = [], status = '0x1') => ({ ...receipt('0x64', status), logs })
  const see = (answers: Readonly<Record<string, unknown>>) =>
    trackTransaction({ ...record, reviewed: token }, chain({ eth_blockNumber: '0x66', ...answers }))

  test('is neither confirmed nor failed while there is no quorum on the transaction itself', async () => {
    for (const status of ['0x1', '0x0'])
      expect(await see({ eth_getTransactionReceipt: mined([event], status) })).toEqual({
        status: 'pending',
        seen: 3,
        block: 100,
      })
  })

  test('is different at once, and whether or not it succeeded', async () => {
    for (const status of ['0x1', '0x0'])
      expect(
        await see({
          eth_blockNumber: '0x64',
          eth_getTransactionReceipt: mined([event], status),
          eth_getTransactionByHash: shown({ value: '0x1' }),
        }),
      ).toMatchObject({
        status: 'different',
        found: { kind: 'sent', value: '0x1', isReverted: status === '0x0' },
        seen: 1,
      })
  })

  test('waits for a quorum on what the token did', async () => {
    const answers = { eth_getTransactionReceipt: mined([event]), eth_getTransactionByHash: shown() }
    expect(await see(answers)).toMatchObject({ status: 'pending' })
    expect(await see({ ...answers, eth_call: word(9n) })).toMatchObject({
      status: 'different',
      found: { kind: 'effect', amount: '0x0' },
    })
  })

  test('of several calls is confirmed where a later call used what an earlier one approved', async () => {
    const { from } = record
    const spender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const approval = { ...token, data: tokenCall('approve', spender, 5n) }
    const act = { to: spender, value: '0x0', data: '0x12345678' } as const
    const names = [topics.approval, word(from), word(spender)]
    const log = (amount: bigint) => ({ address: to, topics: names, data: word(amount) })
    const input = `0x${to.slice(2)}${approval.data.slice(2)}${spender.slice(2)}12345678`
    const seeWith = (logs: readonly object[]) =>
      trackTransaction(
        { ...record, reviewed: approval, others: [act] },
        chain({
          eth_blockNumber: '0x66',
          eth_getTransactionReceipt: mined(logs),
          eth_getTransactionByHash: { from, to: from, value: '0x0', input },
          eth_call: word(0n),
        }),
      )
    expect(await seeWith([log(5n), log(0n)])).toMatchObject({ status: 'confirmed' })
    expect(await seeWith([log(4n)])).toMatchObject({
      status: 'different',
      found: { kind: 'effect', amount: '0x0' },
    })
  })

  test('is believed by its events where no node has the state of its block any more', async () => {
    const answers = {
      eth_blockNumber: '0x66',
      eth_getTransactionReceipt: mined([event]),
      eth_getTransactionByHash: shown(),
    }
    const seen = await trackTransaction({ ...record, reviewed: token }, async (questions) =>
      questions.some(({ method }) => method === 'eth_call')
        ? questions.map(() => refused('refused'))
        : chain(answers)(questions),
    )
    expect(seen).toMatchObject({ status: 'confirmed' })
  })

  test('of an item (ERC-721), whose approval has the bytes of an allowance, is confirmed without one', async () => {
    const item = { to, value: '0x0', data: tokenCall('approve', to, 5n) } as const
    const answers = {
      eth_blockNumber: '0x66',
      eth_getTransactionReceipt: mined(),
      eth_getTransactionByHash: shown({ input: item.data }),
    }
    expect(await trackTransaction({ ...record, reviewed: item }, chain(answers))).toMatchObject({
      status: 'confirmed',
    })
  })

  test('is compared with what the simulation showed that the recipient gains', async () => {
    const part = { ...event, data: word(4n) }
    const answers = { eth_getTransactionReceipt: mined([part]), eth_getTransactionByHash: shown() }
    let balance = 0n
    const seeGain = (gain: `0x${string}`) =>
      trackTransaction({ ...record, reviewed: { ...token, gain } }, async (questions) =>
        (await chain({ eth_blockNumber: '0x66', eth_call: 'x', ...answers })(questions)).map((reading) =>
          reading.state === 'agreed' && reading.value === 'x'
            ? { ...reading, value: word(balance++) }
            : reading,
        ),
      )
    expect(await seeGain('0x4')).toMatchObject({ status: 'confirmed' })
    expect(await seeGain('0x5')).toMatchObject({ status: 'different', found: { amount: '0x4' } })
  })
})
