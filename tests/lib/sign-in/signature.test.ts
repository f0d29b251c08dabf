import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Hex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { describe, expect, test } from 'vitest'
import { digestOf, signerOf } from '#lib/sign-in/signature.ts'
import { visitor } from './support.ts'

const message = 'a message'
const digest = digestOf(message)
const signature = await visitor.signMessage({ message })
const { n } = secp256k1.Point.CURVE()
const hex = (value: bigint) => value.toString(16).padStart(64, '0')
const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
const other = v === '1b' ? '1c' : '1b'

test('recovers the signer', () => {
  expect(signerOf(digest, signature)).toBe(visitor.address)
  expect(signerOf(digest, `0x${r}${s}${v === '1b' ? '00' : '01'}`)).toBe(visitor.address)
  expect(
    signerOf(digest, serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))),
  ).toBe(visitor.address)
})

test('recovers another account or none for another message', () => {
  expect(signerOf(digestOf('another message'), signature)).not.toBe(visitor.address)
})

describe('recovers no account from', () => {
  test.each<[string, string]>([
    [
      'the malleable form of the signature, with s in the upper half',
      `${r}${hex(n - BigInt(`0x${s}`))}${other}`,
    ],
    ['r = 0', `${hex(0n)}${s}${v}`],
    ['r = n', `${hex(n)}${s}${v}`],
    ['s = 0', `${r}${hex(0n)}${v}`],
    ['a recovery byte of 2', `${r}${s}02`],
    ['a recovery byte of 29', `${r}${s}1d`],
    ['a recovery byte of a transaction', `${r}${s}25`],
    ['one byte', '00'],
    ['63 bytes', `${r}${s}`.slice(2)],
    ['66 bytes', `${r}${s}${v}00`],
    ['zeros', '00'.repeat(65)],
  ])('%s', (_, bytes) => {
    expect(signerOf(digest, `0x${bytes}` as Hex)).toBe(null)
  })
})
