import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeReading, encodeReadCalls, repliesOf } from '#lib/page/batch-readings.ts'

const questions = [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_getBalance', params: ['0x1', 'latest'] },
]
const decodeText = (text: string) => repliesOf(text, questions.length).map(decodeReading)
const decode = (value: unknown) => decodeText(JSON.stringify(value))
const quorate = {
  answer: 'x1',
  agreed: 2,
  needed: 1.5,
  total: 4,
  operators: 2,
  dissenting: 1,
  block: 100,
  cache: 'miss',
}

describe('readings', () => {
  test('are sent in one batch, in order', () => {
    expect(JSON.parse(encodeReadCalls(questions))).toEqual([
      { jsonrpc: '2.0', id: 0, method: 'eth_blockNumber', params: [] },
      { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x1', 'latest'] },
    ])
  })

  test('are matched to their calls in any order of replies', () => {
    const [head, balance] = decode([
      { id: 1, result: '0x5', quorate },
      { id: 0, result: '0x64', quorate: { ...quorate, block: '0x64' } },
    ])
    expect(head).toMatchObject({
      state: 'agreed',
      value: '0x64',
      block: 100,
      quorum: { operators: 2, dissenting: 1, unreached: 0 },
    })
    expect(balance).toMatchObject({ value: '0x5', answer: 'x1' })
  })

  test.each([
    [true, 7, 4],
    // A gateway that does not count its operators.
    [true, undefined, 1],
    [false, 7, 0],
    [undefined, 7, 0],
    [1, 7, 0],
    ['true', 7, 0],
  ])(
    'with thin: %o, two of %o operators that agree and one that does not lack %i',
    (thin, operatorsTotal, unreached) => {
      expect(
        decode([{ id: 0, result: '0x1', quorate: { ...quorate, thin, operatorsTotal } }])[0],
      ).toMatchObject({ quorum: { operators: 2, unreached } })
    },
  )

  test('an answer without an explanation has unknown voters', () => {
    expect(decode([{ id: 0, result: '0x1' }])[0]).toMatchObject({
      state: 'agreed',
      quorum: null,
      block: null,
    })
  })

  test.each([
    ['block range too large, at most 10000 blocks', 10_000],
    ['exceed maximum block range: 1270', 1270],
    ['invalid block range params', undefined],
    [undefined, undefined],
  ])('that are refused with “%s” say how many blocks are taken: %s', (message, blocksMax) => {
    expect(decode([{ id: 0, error: { code: -32602, message } }])[0]).toEqual({
      state: 'refused',
      why: 'refused',
      answer: null,
      ...(blocksMax !== undefined && { blocksMax }),
    })
  })

  test.each([
    [{ code: -32010, data: { reason: 'disagree' } }, 'disagree'],
    [{ code: -32010, data: { reason: 'heads' } }, 'heads'],
    [{ code: -32010, data: { reason: 'thin' } }, 'thin'],
    [{ code: -32010, data: { reason: 'silent' } }, 'silent'],
    [{ code: -32010, data: { reason: 'toString' } }, 'silent'],
    [{ code: -32010 }, 'silent'],
    [{ code: -32005 }, 'busy'],
    [{ code: 3 }, 'refused'],
  ])('%o is read as %s', (error, why) => {
    expect(decode([{ id: 0, error }])[0]).toMatchObject({ state: 'refused', why })
  })

  test('a missing reply is silence, never the answer of another call', () => {
    expect(decode([{ id: 0, result: '0x1' }])[1]).toMatchObject({ state: 'refused', why: 'unreachable' })
  })

  test('a refused batch refuses every call', () => {
    expect(decode({ error: { code: -32005 } })).toEqual([
      { state: 'refused', why: 'busy', answer: null },
      { state: 'refused', why: 'busy', answer: null },
    ])
  })

  test('one reply to a whole batch is the value of none of its calls', () => {
    for (const { state } of decode({ id: 0, result: '0x1', quorate })) expect(state).toBe('refused')
  })

  test('any bytes give one reading per call', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeText(text)).toHaveLength(2)
      }),
    )
  })
})
