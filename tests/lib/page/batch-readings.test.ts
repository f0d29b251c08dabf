import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeReading, encodeReadCalls, repliesOf } from '#lib/page/batch-readings.ts'
import { refused } from '../../support/readings.ts'

const questions = [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_getBalance', params: ['0x1', 'latest'] },
]
const decodeText = (text: string) => repliesOf(text, questions.length).map(decodeReading)
const decode = (value: unknown) => decodeText(JSON.stringify(value))
const decodeOne = (reply: object) => decode([{ id: 0, ...reply }])[0]
const quorate = { answer: 'x1', operators: 2, dissenting: 1, block: 100 }

describe('readings', () => {
  test('are sent in one batch, in order', () => {
    expect(JSON.parse(encodeReadCalls(questions))).toEqual([
      { jsonrpc: '2.0', id: 0, method: 'eth_blockNumber', params: [] },
      { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x1', 'latest'] },
    ])
  })

  test('are matched to their calls in any order of replies', () => {
    const head = { id: 0, result: '0x64', quorate: { ...quorate, block: '0x64' } }
    const quorum = { operators: 2, dissenting: 1, unreached: 0 }
    expect(decode([{ id: 1, result: '0x5', quorate }, head])).toEqual([
      { state: 'agreed', value: '0x64', block: 100, answer: 'x1', quorum },
      { state: 'agreed', value: '0x5', block: 100, answer: 'x1', quorum },
    ])
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
      const explained = { ...quorate, thin, operatorsTotal }
      const quorum = { operators: 2, unreached }
      expect(decodeOne({ result: '0x1', quorate: explained })).toMatchObject({ quorum })
    },
  )

  test('an answer without an explanation has unknown voters', () => {
    expect(decodeOne({ result: '0x1' })).toMatchObject({ state: 'agreed', quorum: null, block: null })
  })

  test.each([
    ['block range too large, at most 10000 blocks', 10_000],
    ['exceed maximum block range: 1270', 1270],
    ['invalid block range params', undefined],
    [undefined, undefined],
  ])('that are refused with “%s” say how many blocks are taken: %s', (message, blocksMax) => {
    const limit = blocksMax === undefined ? {} : { blocksMax }
    expect(decodeOne({ error: { code: -32602, message } })).toEqual({ ...refused('refused'), ...limit })
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
  ] as const)('%o is read as %s', (error, why) => {
    expect(decodeOne({ error })).toEqual(refused(why))
  })

  test.each([
    ['a missing reply', [{ id: 1, result: '0x1' }], ['unreachable', undefined]],
    ['a refused batch', { error: { code: -32005 } }, ['busy', 'busy']],
    ['one reply to a whole batch', { id: 0, result: '0x1', quorate }, ['unreachable', 'unreachable']],
  ])('%s is never the value of a call', (_, replies, whys) => {
    expect(decode(replies).map((reading) => ('why' in reading ? reading.why : undefined))).toEqual(whys)
  })

  test('any bytes give one reading per call', () => {
    const bytes = fc.oneof(fc.string(), fc.json())
    fc.assert(fc.property(bytes, (text) => decodeText(text).length === 2))
  })
})
