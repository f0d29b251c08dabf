import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { concatHex, type Hex, keccak256, serializeTransaction, toHex, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'
import { CallError } from '../../../../rpc-proxy/runtime/errors.ts'
import { decodeTransaction } from '../../../../rpc-proxy/writes/signed-transaction.ts'
import { anyTransaction, typeNumbers } from '../../support/any-transaction.ts'

const key = `0x${'11'.repeat(32)}` as const
const account = privateKeyToAccount(key)
const sender = account.address.toLowerCase()
const to = `0x${'22'.repeat(20)}` as const
const legacy = { type: 'legacy', chainId: 137, nonce: 7, gas: 21_000n, gasPrice: 10n, to, value: 1n } as const
const signature = ['0x01', '0x01', '0x01'] as const
const fees = {
  chainId: 137,
  nonce: 7,
  gas: 21_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
  to,
} as const

const { eip4844: _, ...supported } = anyTransaction
const transaction = fc.oneof(...Object.values(supported))
const scalar = fc.bigInt({ min: 1n, max: secp256k1.Point.CURVE().n - 1n })

/** The error message; null for a valid transaction. */
function refusal(raw: string): string | null {
  try {
    decodeTransaction(raw)
    return null
  } catch (error) {
    if (!(error instanceof CallError) || error.kind !== 'bad-params') throw error
    return error.error.message
  }
}

describe('a transaction signed by viem', () => {
  test('is read field by field', async () => {
    const raw = await account.signTransaction(legacy)
    expect(decodeTransaction(raw)).toEqual({ hash: keccak256(raw), chainId: 137, type: 0, nonce: 7, sender })
  })

  test('is read with any fields and any signer', async () => {
    await fc.assert(
      fc.asyncProperty(transaction, scalar, async (drawn, secret) => {
        const signer = privateKeyToAccount(toHex(secret, { size: 32 }))
        const raw = await signer.signTransaction(drawn as never)
        expect(decodeTransaction(raw)).toEqual({
          hash: keccak256(raw),
          chainId: drawn.chainId,
          type: typeNumbers[drawn.type],
          nonce: drawn.nonce,
          sender: signer.address.toLowerCase(),
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('what is refused', () => {
  test('transactions without replay protection', async () => {
    const { chainId: _, ...anyChain } = legacy
    const raw = await account.signTransaction(anyChain)
    expect(refusal(raw)).toBe('only replay-protected (EIP-155) transactions allowed over RPC')
  })

  test('blob transactions, with and without their sidecar', () => {
    const fields = { ...fees, type: 'eip4844', to, maxFeePerBlobGas: 1n } as const
    const blobVersionedHashes = [`0x01${'33'.repeat(31)}`] as const
    const bare = serializeTransaction({ ...fields, blobVersionedHashes })
    const blob = `0x${'00'.repeat(131_072)}` as const
    const part = `0x${'44'.repeat(48)}` as const
    const packed = serializeTransaction({
      ...fields,
      blobVersionedHashes,
      sidecars: [{ blob, commitment: part, proof: part }],
    })
    const { parse } = methodSpec('eth_sendRawTransaction')
    for (const raw of ['0x03c0', '0x03f8', bare, packed]) {
      expect(refusal(raw)).toBe('blob transactions are not supported')
      expect(() => parse([raw])).toThrow('blob transactions are not supported')
    }
  })

  test.each([
    ...['0x', '0x00', '0x05c0', '0x7ec0', '0x7f', '0x80', '0xbf'].map((raw) => [
      raw,
      'its type is not supported',
    ]),
    ['0x02c0', 'it must have 12 fields'],
    ['0x0280', 'not a list of fields'],
    ...[
      ['0x02', 'cut short'],
      ['0x02f8', 'cut short'],
      ['0x02c001', 'bytes after the end'],
      ['0xc180ff', 'bytes after the end'],
      ['0x02c2', 'an item is longer than what holds it'],
      ['0x02c28100', 'a byte is written as two'],
      ['0x02c3b80180', 'a short length is written as a long one'],
      ['0x02f80180', 'a short length is written as a long one'],
      [`0x02f90038${'80'.repeat(56)}`, 'a length begins with zeros'],
      [`0x02ff${'ff'.repeat(8)}`, 'an item is longer than what holds it'],
      [`0x02c7${'c6c5c4c3c2c1'}c0`, 'lists in too many lists'],
    ].map(([raw, why]) => [raw, `not canonical RLP: ${why}`]),
  ])('%s: %s', (raw = '', why = '') => {
    expect(refusal(raw)).toBe(`invalid transaction: ${why}`)
  })

  test('a hundred kilobytes of nested lists', () => {
    const brackets = `0x02${'c1'.repeat(100_000)}`
    expect(refusal(brackets)).toContain('not canonical RLP')
    expect(refusal(`0x${'ff'.repeat(131_072)}`)).toContain('not canonical RLP')
  })

  type Changes = Readonly<Record<number, Hex | readonly unknown[]>>
  /** A transaction of type 2 whose fields at these places are others. */
  const payload = (changes: Changes = {}) => {
    const fields: unknown[] = ['0x89', '0x07', '0x01', '0x0a', '0x5208', to, '0x', '0x', [], ...signature]
    for (const [index, value] of Object.entries(changes)) fields[Number(index)] = value
    return concatHex(['0x02', toRlp(fields as never)])
  }

  test.each<[Changes, string | null]>([
    [{}, null],
    [{ 0: '0x20000000000000' }, 'chain id is too large'],
    [{ 1: '0x20000000000000' }, 'nonce is too large'],
    [{ 1: '0x1fffffffffffff' }, null],
    [{ 5: `0x${'22'.repeat(19)}` }, 'to must be 20 or 0 bytes'],
    [{ 5: `0x${'22'.repeat(21)}` }, 'to must be 20 or 0 bytes'],
    [{ 5: '0x' }, null],
    [{ 7: [] }, 'data must be bytes'],
    [{ 8: '0x' }, 'accessList must be a list'],
    [{ 8: [[to]] }, 'accessList must hold lists of 2 fields'],
    [{ 8: [[to, ['0x01']]] }, 'accessList must be 32 bytes'],
    [{ 9: '0x02' }, 'invalid signature: yParity must be 0 or 1'],
    [{ 12: '0x' }, 'it must have 12 fields'],
  ])('fields with %j, or not: %s', (changes, why) => {
    expect(refusal(payload(changes))).toBe(why === null ? null : `invalid transaction: ${why}`)
  })

  test('numbers that are too long or begin with zeros', () => {
    for (const place of [0, 1, 2, 3, 4, 6, 9, 10, 11])
      expect(refusal(payload({ [place]: '0x0001' }))).toContain('must be a number of at most')
    for (const place of [1, 4])
      expect(refusal(payload({ [place]: `0x${'ff'.repeat(9)}` }))).toContain('at most 8 bytes')
    for (const place of [2, 3, 6, 10, 11])
      expect(refusal(payload({ [place]: `0x${'ff'.repeat(33)}` }))).toContain('at most 32 bytes')
  })

  test('a delegation without a target or without authorizations', () => {
    const seven = (target: Hex, list: readonly unknown[]) => {
      const fees = ['0x01', '0x0a', '0x5208']
      const fields = ['0x89', '0x07', ...fees, target, '0x', '0x', [], list, ...signature]
      return concatHex(['0x04', toRlp(fields as never)])
    }
    const one = ['0x89', to, '0x', '0x01', '0x01', '0x01']
    expect(refusal(seven(to, [one]))).toBeNull()
    expect(refusal(seven('0x', [one]))).toBe('invalid transaction: to must be 20 bytes')
    expect(refusal(seven(to, []))).toBe('invalid transaction: authorizationList must not be empty')
    expect(refusal(seven(to, [one.slice(1)]))).toContain('authorizationList must hold lists of 6 fields')
  })

  test('invalid and malleable signatures', async () => {
    const { n } = secp256k1.Point.CURVE()
    const signed = (r: bigint, s: bigint, yParity = 1) =>
      serializeTransaction({ ...fees, type: 'eip1559' }, { r: toHex(r), s: toHex(s), yParity })
    expect(refusal(signed(1n, n / 2n))).toBeNull()
    for (const [r, s] of [
      [1n, n / 2n + 1n],
      [0n, 1n],
      [1n, 0n],
      [n, 1n],
    ] as const)
      expect(refusal(signed(r, s))).toBe('invalid transaction: invalid signature: r or s out of range')
    // 5 is not the x coordinate of a point on the curve.
    expect(refusal(signed(5n, 1n))).toBe('invalid transaction: invalid signature: no key could have made it')
  })

  test('a legacy v that names no chain, below 35', () => {
    const isRefused = (v: bigint) => {
      const given = v === 0n ? '0x' : toHex(v)
      return refusal(toRlp(['0x07', '0x0a', '0x5208', to, '0x01', '0x', given, '0x01', '0x01'])) !== null
    }
    expect([0n, 26n, 29n, 34n, 35n, 309n].filter(isRefused)).toEqual([0n, 26n, 29n, 34n])
  })

  test('every single-byte change gives another transaction or an error', async () => {
    const raw = await account.signTransaction({ ...fees, type: 'eip1559' })
    const original = decodeTransaction(raw)
    fc.assert(
      fc.property(fc.nat((raw.length - 4) / 2), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const bytes = Buffer.from(raw.slice(2), 'hex')
        bytes[place] = (bytes[place] as number) ^ flip
        try {
          const { hash, sender: signer } = decodeTransaction(`0x${bytes.toString('hex')}`)
          expect([hash === original.hash, signer === original.sender]).toEqual([false, false])
        } catch (error) {
          expect(error).toBeInstanceOf(CallError)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('any bytes give a transaction or an error message', () => {
    const head = fc.constantFrom('', '01', '02', '04', 'f8', 'c0')
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 200 }), (prefix, bytes) => {
        const raw = `0x${prefix}${Buffer.from(bytes).toString('hex')}`
        expect(refusal(raw) ?? '').toMatch(
          /^(invalid transaction: [\x20-\x7e]+|only replay-protected.*|blob transactions.*)?$/,
        )
      }),
    )
  })
})
