import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Question, Reading } from '#lib/page/reading.ts'
import { look } from '#lib/wallet/track.ts'
import { recordOf } from './record.ts'

const record = recordOf({ nonce: 7 })
/** A transaction without a known nonce. */
const unknown = recordOf()
const refused: Reading = { state: 'refused', why: 'silent', answer: null }

/** A chain with these answers, and no quorum on everything else. */
const chain = (answers: Readonly<Record<string, unknown>>) => async (questions: readonly Question[]) =>
  questions.map(
    ({ method }): Reading =>
      method in answers
        ? { state: 'agreed', value: answers[method], quorum: null, block: null, answer: null }
        : refused,
  )
const receipt = (block: string, status = '0x1') => ({ blockNumber: block, status })

afterEach(() => void vi.useRealTimers())

describe('a pending transaction', () => {
  test('is confirmed once enough agreed blocks stand on it, its own included', async () => {
    const at = (head: string) =>
      look(record, chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: head }))
    expect(await at('0x64')).toEqual({ status: 'pending', seen: 1, block: 100 })
    expect(await at('0x65')).toEqual({ status: 'pending', seen: 2, block: 100 })
    expect(await at('0x66')).toEqual({ status: 'confirmed', seen: 3, block: 100 })
  })

  test('counts its own block even when the head was read before it', async () => {
    const seen = await look(
      record,
      chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: '0x63' }),
    )
    expect(seen).toEqual({ status: 'pending', seen: 1, block: 100 })
  })

  test('fails on an agreed receipt of status 0', async () => {
    const seen = await look(
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
    expect(await look(record, chain(answers))).toEqual({})
  })

  const dayMs = 24 * 60 * 60 * 1000
  const nowhere = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }

  test('gets its nonce from the chain', async () => {
    const answers = { ...nowhere, eth_getTransactionByHash: { nonce: '0x9' } }
    expect(await look(unknown, chain(answers))).toEqual({ nonce: 9 })
    expect(await look(record, chain(answers))).toEqual({ nonce: 9 })
  })

  test('is replaced when a final block has another transaction with its nonce', async () => {
    const at = (count: string) => look(record, chain({ ...nowhere, eth_getTransactionCount: count }))
    expect(await at('0x7')).toEqual({})
    expect(await at('0x8')).toEqual({ status: 'replaced' })
  })

  test('is not replaced by a block that is not final', async () => {
    const asked: Question[] = []
    await look(record, (questions) => {
      asked.push(...questions)
      return chain(nowhere)(questions)
    })
    const counts = asked.filter(({ method }) => method === 'eth_getTransactionCount')
    expect(counts).toEqual([{ method: 'eth_getTransactionCount', params: [record.from, 'finalized'] }])
    expect((await look(record, chain(nowhere))).status).toBeUndefined()
  })

  test('is never replaced while its nonce is unknown: another device may have sent more', async () => {
    const answers = { ...nowhere, eth_getTransactionCount: '0xff' }
    expect(await look(unknown, chain(answers))).toEqual({})
  })

  test('is not replaced while a node may still have it', async () => {
    const used = { eth_getTransactionReceipt: null, eth_getTransactionCount: '0x8' }
    expect((await look(record, chain(used))).status).toBeUndefined()
    const there = { ...used, eth_getTransactionByHash: { nonce: '0x7' } }
    expect((await look(record, chain(there))).status).toBeUndefined()
  })

  test('is untracked when no node has it after a day, and not earlier', async () => {
    vi.useFakeTimers({ now: unknown.sentMs + dayMs })
    expect((await look(unknown, chain(nowhere))).status).toBeUndefined()
    vi.setSystemTime(unknown.sentMs + dayMs + 1)
    expect((await look(unknown, chain(nowhere))).status).toBe('untracked')
    const there = { ...nowhere, eth_getTransactionByHash: { nonce: '0x7' } }
    expect((await look(unknown, chain(there))).status).toBeUndefined()
  })

  test('of a multisig is read by its hash on the chain, and no nonce replaces it', async () => {
    const sentAs = `0x${'b'.repeat(64)}` as const
    const asked: unknown[] = []
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x8',
      eth_getTransactionByHash: null,
    }
    const seen = await look({ ...record, sentAs }, (questions) => {
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
    expect(await look({ ...record, block: 100, seen: 2 }, chain(answers))).toEqual({
      block: null,
      seen: 0,
      nonce: 7,
    })
  })
})
