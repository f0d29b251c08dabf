import fc from 'fast-check'
import { keccak256, serializeTransaction, type TransactionSerializable, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { transactionHashOf } from '../../../../rpc-proxy/wire/transaction-codec.ts'
import { chain, deposit, type Json, stateSync } from '../../../support/canonical-chain.ts'
import { anyTransaction, typeNumbers } from '../../support/any-transaction.ts'

const transactions = fc.oneof(...Object.values(anyTransaction))
const scalar = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
const word256 = (value: bigint) => toHex(value, { size: 32 })

/** As a node returns it. */
function shown(transaction: Json, { r, s, yParity }: { r: bigint; s: bigint; yParity: number }): Json {
  const { type, data, ...rest } = transaction
  const v = type === 'legacy' ? (rest.chainId as number) * 2 + 35 + yParity : yParity
  const inHex = (_: string, value: unknown) =>
    typeof value === 'bigint' || typeof value === 'number' ? toHex(value) : value
  return {
    ...(JSON.parse(JSON.stringify(rest, inHex)) as Json),
    to: rest.to ?? null,
    input: data,
    type: toHex(typeNumbers[type as string] ?? -1),
    r: toHex(r),
    s: toHex(s),
    v: toHex(v),
    ...(type === 'legacy' ? {} : { yParity: toHex(yParity) }),
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
})
