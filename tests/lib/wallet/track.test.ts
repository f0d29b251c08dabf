import { describe, expect, test } from 'vitest'
import type { Question, Reading } from '#lib/page/reading.ts'
import { look, nonceBefore } from '#lib/wallet/track.ts'
import { recordOf } from './record.ts'

const record = recordOf({ nonce: 7 })
const refused: Reading = { state: 'refused', why: 'silent', answer: null }

/** A chain that answers these, and fails to meet quorum on all else. */
const chain = (answers: Readonly<Record<string, unknown>>) => async (questions: readonly Question[]) =>
  questions.map(
    ({ method }): Reading =>
      method in answers
        ? { state: 'agreed', value: answers[method], quorum: null, block: null, answer: null }
        : refused,
  )
const receipt = (block: string, status = '0x1') => ({ blockNumber: block, status })

describe('a pending transaction', () => {
  test('is confirmed once enough agreed blocks stand on it, its own included', async () => {
    const at = (head: string) =>
      look(record, chain({ eth_getTransactionReceipt: receipt('0x64'), eth_blockNumber: head }))
    expect(await at('0x64')).toEqual({ status: 'pending', seen: 1, block: 100 })
    expect(await at('0x65')).toEqual({ status: 'pending', seen: 2, block: 100 })
    expect(await at('0x66')).toEqual({ status: 'confirmed', seen: 3, block: 100 })
  })

  test('counts its own block even when the head was looked at before it', async () => {
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
    ['a receipt that says nothing of its block', { eth_getTransactionReceipt: {}, eth_blockNumber: '0x64' }],
  ])('%s changes nothing', async (_, answers) => {
    expect(await look(record, chain(answers))).toEqual({})
  })

  test('waits while nobody has it, and learns its nonce from the chain', async () => {
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x7',
      eth_getTransactionByHash: { nonce: '0x7' },
    }
    expect(await look({ ...record, nonce: null }, chain(answers))).toEqual({ nonce: 7 })
  })

  test('is replaced when its nonce is used and it is nowhere', async () => {
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x8',
      eth_getTransactionByHash: null,
    }
    expect(await look(record, chain(answers))).toEqual({ nonce: 7, status: 'replaced' })
  })

  test('is not called replaced while a node may still have it', async () => {
    const unknown = { eth_getTransactionReceipt: null, eth_getTransactionCount: '0x8' }
    expect((await look(record, chain(unknown))).status).toBeUndefined()
    const there = { ...unknown, eth_getTransactionByHash: { nonce: '0x7' } }
    expect((await look(record, chain(there))).status).toBeUndefined()
  })

  test('that the wallet gave another nonce than was foreseen goes by what the chain tells', async () => {
    const answers = {
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: '0x8',
      eth_getTransactionByHash: { nonce: '0x9' },
    }
    expect(await look(record, chain(answers))).toEqual({ nonce: 9 })
  })

  test('that several owners sent is looked for by its hash on the chain, and no nonce of theirs replaces it', async () => {
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

  test('waits anew when a reorg takes its block away', async () => {
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

describe('the nonce that a transaction will have', () => {
  const from = record.from

  test('counts what is on its way already, so that one that no node ever saw has an end too', async () => {
    const asked: Question[] = []
    const nonce = await nonceBefore(from, (questions) => {
      asked.push(...questions)
      return chain({ eth_getTransactionCount: '0x7' })(questions)
    })
    expect(asked).toEqual([{ method: 'eth_getTransactionCount', params: [from, 'pending'] }])
    expect(nonce).toBe(7)
    const dropped = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }
    const at = (count: string) =>
      look({ ...record, nonce }, chain({ ...dropped, eth_getTransactionCount: count }))
    expect((await at('0x7')).status).toBeUndefined()
    expect((await at('0x8')).status).toBe('replaced')
  })

  test('is not known when the nodes do not agree on it', async () => {
    expect(await nonceBefore(from, chain({}))).toBe(null)
  })
})
