import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, compose } from '../../../../rpc-proxy/wire/canonical.ts'
import { chain, delivered, deposit, type Json } from '../../../support/canonical-chain.ts'
import { formRows } from '../../corpus/forms.ts'
import { answerTypes } from './result-types.ts'

const history = chain.feeHistoryPlain
const word = (digits: string) => `0x${digits.padStart(64, '0')}`

describe.each(formRows)('$name', ({ shape, forms, expected, absent, lies, chainId }) => {
  const text = canonical(shape, forms[0], chainId)

  test('has one canonical text in all forms', () => {
    expect(text).not.toBeNull()
    for (const form of forms) expect(canonical(shape, form, chainId)).toBe(text)
  })

  test('is returned as the quorum has it', () => {
    for (const pair of [forms.slice(0, 2), forms.slice(0, 2).toReversed(), forms]) {
      const agree = (places: readonly number[]) => places.length === pair.length
      const result = JSON.parse(compose(shape, pair, { agree, chainId })) as Json
      if (expected !== undefined) expect(result).toMatchObject(expected)
      for (const name of absent) expect(result).not.toHaveProperty(name)
      expect(canonical(shape, result, chainId)).toBe(text)
    }
  })

  test('never agrees with a lie', () => {
    for (const lie of lies) expect(canonical(shape, lie, chainId)).not.toBe(text)
  })
})

describe('a transaction of an Arbitrum type', () => {
  const fields: Readonly<Record<string, Json>> = {
    '0x64': { requestId: word('5') },
    '0x65': { maxFeePerGas: '0x5' },
    '0x66': { requestId: word('5'), maxFeePerGas: '0x5' },
    '0x68': {
      ticketId: word('7'),
      maxRefund: '0x5',
      submissionFeeRefund: '0x1',
      refundTo: `0x${'33'.repeat(20)}`,
    },
    '0x69': {
      requestId: word('5'),
      l1BaseFee: '0x7',
      depositValue: '0x9',
      retryTo: `0x${'33'.repeat(20)}`,
      retryValue: '0x1',
      retryData: '0xab',
      beneficiary: `0x${'44'.repeat(20)}`,
      maxSubmissionFee: '0x2',
    },
    '0x6a': { input: '0x6bf6a42d' },
    '0x78': { gasPrice: '0x5', v: '0x1c' },
  }
  test.each(Object.entries(fields))('%s counts in every field, in any order', (type, own) => {
    const { requestId: _requestId, ...plain } = deposit
    const sent = { ...plain, type, ...own }
    const sorted = Object.fromEntries(Object.entries({ ...sent, accessList: null }).sort())
    const text = canonical('transaction', sent, 42161)
    expect(text).not.toBeNull()
    expect(canonical('transaction', sorted, 42161)).toBe(text)
    const result = JSON.parse(
      compose('transaction', [sorted, sent], { agree: () => true, chainId: 42161 }),
    ) as Json
    expect(result).toMatchObject(sent)
    expect(result).not.toHaveProperty('accessList')
    for (const name of [...Object.keys(own), 'value', 'from', 'type']) {
      const given = (sent as Json)[name] as string
      const lie = {
        ...sent,
        [name]: given.slice(0, -1) + (Number.parseInt(given.slice(-1), 16) ^ 1).toString(16),
      }
      expect(canonical('transaction', lie, 42161), name).not.toBe(text)
    }
  })
})

test('a transaction from the zero address is a state sync only on Polygon', () => {
  const typed = { ...delivered, type: '0x7f' }
  expect(canonical('transaction', typed, 10)).not.toBe(canonical('transaction', delivered, 10))
})

const [zeros, ones] = ['0x0', '0x1'].map((price) => Array(3).fill(price))
const priced = (baseFeePerBlobGas: unknown, more: object = {}) => ({
  ...{ ...history, baseFeePerBlobGas, blobGasUsedRatio: [0, 0] },
  ...more,
})

test('with a blob market, on Ethereum or when blobs were used, the minimum blob price is kept', () => {
  const used = { blobGasUsedRatio: [0.5, 0] }
  for (const [more, chainId] of [
    [{}, 1],
    [used, 10],
  ] as const)
    expect(canonical('fee-history', priced(zeros, more), chainId)).not.toBe(
      canonical('fee-history', priced(ones, more), chainId),
    )
  const forms = [priced(ones), priced(ones, { vendor: 1 })]
  const result = compose('fee-history', forms, { agree: () => true, chainId: 1 })
  expect(JSON.parse(result)).toMatchObject({ baseFeePerBlobGas: ones, blobGasUsedRatio: [0, 0] })
})

test('agreed zeros and an agreed price of one wei are returned as numbers and quantities', () => {
  const agree = (places: readonly number[]) => places.length >= 2
  const result = (...prices: unknown[]) => {
    const forms = prices.map((price, vendor) => priced(price, { vendor }))
    return JSON.parse(compose('fee-history', forms, { agree, chainId: 137 }))
  }
  expect(result(zeros, zeros, ones)).toMatchObject({ baseFeePerBlobGas: zeros, blobGasUsedRatio: [0, 0] })
  expect(result(ones, zeros, ones)).toMatchObject({ baseFeePerBlobGas: ones })
  expect(result(ones, zeros)).not.toHaveProperty('baseFeePerBlobGas')
})

test('any mix of honest forms, in any order, gives a result that clients can read', () => {
  const aRow = fc.constantFrom(...formRows)
  const places = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(aRow, places, fc.boolean(), ({ shape, forms, chainId }, chosen, verdict) => {
      const values = chosen.map((place) => forms[place % forms.length])
      const result: unknown = JSON.parse(compose(shape, values, { agree: () => verdict, chainId }))
      expect(answerTypes[shape]?.safeParse(result).error?.issues ?? []).toEqual([])
    }),
    { numRuns: 3000 },
  )
})
