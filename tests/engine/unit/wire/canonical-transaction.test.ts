import fc from 'fast-check'
import { type Hex, keccak256, serializeTransaction, type TransactionSerializable } from 'viem'
import { describe, expect, test } from 'vitest'
import { transactionHashOf } from '../../../../rpc-proxy/wire/transaction-codec.ts'
import { chain, deposit, type Json, stateSync } from '../../../support/canonical-chain.ts'

const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const word = bytes(32)
const account = bytes(20)
const nonce = fc.nat()
const wei = fc.bigInt({ min: 0n, max: 2n ** 128n })
const accessList = fc.array(fc.record({ address: account, storageKeys: fc.array(word, { maxLength: 3 }) }), {
  maxLength: 3,
})
const scalar = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
const word256 = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const scalarWord = scalar.map(word256)

const common = {
  chainId: fc.constantFrom(1, 137, 42161, 2 ** 32),
  nonce,
  gas: wei,
  to: fc.option(account, { nil: undefined }),
  value: wei,
  data: fc.uint8Array({ maxLength: 300 }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`),
}
const fees = {
  maxFeePerGas: fc.constant(2n ** 100n),
  maxPriorityFeePerGas: fc.bigInt({ min: 0n, max: 2n ** 99n }),
}

const transactions = fc.oneof(
  fc.record({ type: fc.constant('legacy'), ...common, gasPrice: wei }),
  fc.record({ type: fc.constant('eip2930'), ...common, gasPrice: wei, accessList }),
  fc.record({ type: fc.constant('eip1559'), ...common, ...fees, accessList }),
  fc.record({
    type: fc.constant('eip4844'),
    ...common,
    ...fees,
    accessList,
    to: account,
    maxFeePerBlobGas: wei,
    blobVersionedHashes: fc.array(
      word.map((hash): Hex => `0x01${hash.slice(4)}`),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant('eip7702'),
    ...common,
    ...fees,
    accessList,
    authorizationList: fc.array(
      fc.record({
        chainId: fc.nat(),
        address: account,
        nonce,
        yParity: fc.constantFrom(0, 1),
        r: scalarWord,
        s: scalarWord,
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
)

const types: Readonly<Record<string, string>> = {
  legacy: '0x0',
  eip2930: '0x1',
  eip1559: '0x2',
  eip4844: '0x3',
  eip7702: '0x4',
}
const hex = (value: number | bigint) => `0x${value.toString(16)}`

/** As a node returns it. */
function shown(transaction: Json, { r, s, yParity }: { r: bigint; s: bigint; yParity: number }): Json {
  const { type, data, ...rest } = transaction
  const v = type === 'legacy' ? (rest.chainId as number) * 2 + 35 + yParity : yParity
  const numbers = (value: unknown): unknown => {
    if (typeof value === 'bigint' || typeof value === 'number') return hex(value)
    if (Array.isArray(value)) return value.map(numbers)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, numbers(member)]))
  }
  return {
    ...(numbers(rest) as Json),
    to: rest.to ?? null,
    input: data,
    type: types[type as string],
    r: hex(r),
    s: hex(s),
    v: hex(v),
    ...(type === 'legacy' ? {} : { yParity: hex(yParity) }),
  }
}

describe('the hash of a signed transaction', () => {
  test('is correct for every Ethereum type', () => {
    fc.assert(
      fc.property(transactions, scalar, scalar, fc.constantFrom(0, 1), (transaction, r, s, yParity) => {
        const [legacyV, rest] = [
          BigInt(transaction.chainId) * 2n + 35n + BigInt(yParity),
          { r: word256(r), s: word256(s) },
        ]
        const raw = serializeTransaction(
          transaction as unknown as TransactionSerializable,
          transaction.type === 'legacy' ? { ...rest, v: legacyV } : { ...rest, yParity },
        )
        expect(transactionHashOf(shown(transaction as unknown as Json, { r, s, yParity }))).toBe(
          keccak256(raw),
        )
      }),
      { numRuns: 400 },
    )
  })

  test('is the hash under which a chain stores it', () => {
    for (const transaction of chain.transactions)
      expect(transactionHashOf(transaction)).toBe(transaction.hash)
  })

  test('is unknown for unsigned transactions, unknown types and missing fields', () => {
    const [signed] = chain.transactions as [Json]
    expect(transactionHashOf(deposit)).toBeNull()
    expect(transactionHashOf({ ...signed, r: '0x0', s: '0x0' })).toBeNull()
    for (const type of ['0x5', '0x64', '0x6a', '0x78', '0x7e', '0x7f'])
      expect(transactionHashOf({ ...signed, type })).toBeNull()
    for (const name of ['nonce', 'gas', 'value', 'input', 'v', 'r', 's', 'gasPrice'])
      expect(transactionHashOf({ ...signed, [name]: undefined })).toBeNull()
    expect(transactionHashOf(stateSync)).toBeNull()
  })

  test('is a hash or null for any input', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom(...chain.transactions),
        fc.anything(),
        fc.string(),
        (strange, real, member, key) => {
          for (const value of [strange, { ...real, [key]: member }])
            expect(transactionHashOf(value) ?? `0x${'0'.repeat(64)}`).toMatch(/^0x[0-9a-f]{64}$/)
        },
      ),
    )
  })
})
