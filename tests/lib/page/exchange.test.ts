import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain } from '#lib/page/ask.ts'
import { decodeReadings, encodeQuestions } from '#lib/page/exchange.ts'
import { header } from '#rpc-proxy'

const questions = [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_getBalance', params: ['0x1', 'latest'] },
]
const decode = (value: unknown) => decodeReadings(JSON.stringify(value), questions)
const quorate = { answer: 'x1', agreed: 2, needed: 1.5, total: 3, block: 100, cache: 'miss' }

describe('readings', () => {
  test('the header that asks for an explanation is the engine’s', () => {
    expect(explain).toBe(header.explain)
  })

  test('are asked in one batch, in order', () => {
    expect(JSON.parse(encodeQuestions(questions))).toEqual([
      { jsonrpc: '2.0', id: 0, method: 'eth_blockNumber', params: [] },
      { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x1', 'latest'] },
    ])
  })

  test('find their own question whatever the order of the replies', () => {
    const [head, balance] = decode([
      { id: 1, result: '0x5', quorate },
      { id: 0, result: '0x64', quorate: { ...quorate, block: '0x64' } },
    ])
    expect(head).toMatchObject({
      state: 'agreed',
      value: '0x64',
      block: 100,
      quorum: { agreed: 2, needed: 1.5, total: 3 },
    })
    expect(balance).toMatchObject({ value: '0x5', answer: 'x1' })
  })

  test('without an explanation an answer is an answer, its weights unknown', () => {
    expect(decode([{ id: 0, result: '0x1' }])[0]).toMatchObject({
      state: 'agreed',
      quorum: null,
      block: null,
    })
  })

  test.each([
    [{ code: -32010, data: { reason: 'disagree' } }, 'disagree'],
    [{ code: -32010, data: { reason: 'heads' } }, 'heads'],
    [{ code: -32010, data: { reason: 'silent' } }, 'silent'],
    [{ code: -32010 }, 'silent'],
    [{ code: -32005 }, 'busy'],
    [{ code: 3 }, 'refused'],
  ])('%o is told as %s', (error, why) => {
    expect(decode([{ id: 0, error }])[0]).toMatchObject({ state: 'refused', why })
  })

  test('a reply that is missing is silence, never another one’s answer', () => {
    expect(decode([{ id: 0, result: '0x1' }])[1]).toMatchObject({ state: 'refused', why: 'unreachable' })
  })

  test('a batch refused whole refuses every question', () => {
    expect(decode({ error: { code: -32005 } })).toEqual([
      { state: 'refused', why: 'busy', answer: null },
      { state: 'refused', why: 'busy', answer: null },
    ])
  })

  test('bytes of any kind end in one reading for each question', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeReadings(text, questions)).toHaveLength(2)
      }),
    )
  })
})
