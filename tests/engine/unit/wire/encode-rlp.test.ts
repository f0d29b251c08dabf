import fc from 'fast-check'
import { type Hex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { type RlpItem, rlp, rlpNumber } from '../../../../rpc-proxy/wire/rlp.ts'

const encoded = (item: RlpItem) => `0x${Buffer.from(rlp(item)).toString('hex')}`
const zeros = (length: number): Hex => `0x${'00'.repeat(length)}`

describe('RLP', () => {
  test.each([0, 1, 2, 54, 55, 56, 255, 256, 65_535, 65_536])('of %i bytes is what viem writes', (length) => {
    for (const item of [zeros(length), [zeros(length)], [[zeros(length)], '0x'] as const])
      expect(encoded(item) === toRlp(item as Hex)).toBe(true)
  })

  test.each([
    ['0x00', '0x00'],
    ['0x7f', '0x7f'],
    ['0x80', '0x8180'],
    ['0xff', '0x81ff'],
    [[], '0xc0'],
    ['0x', '0x80'],
  ])('of %j is %s', (item, expected) => {
    expect(encoded(item)).toBe(expected)
  })

  test('of any lists in lists is what viem writes', () => {
    const { item } = fc.letrec<{ item: RlpItem; bytes: RlpItem; list: RlpItem }>((tie) => ({
      item: fc.oneof({ withCrossShrink: true }, tie('bytes'), tie('list')),
      bytes: fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      list: fc.array(tie('item'), { maxLength: 8 }),
    }))
    fc.assert(fc.property(item, (drawn) => encoded(drawn) === toRlp(drawn as Hex)))
  })

  test.each(['', '0', 'ab', '0X00', '0x0', '0x0g', '0xg0', '0xAB', '0x0é', '0x\u{1f600}', '0x-1'])(
    'refuses %j, which is not whole bytes in lower-case hex',
    (text) => {
      expect(() => rlp(text)).toThrow()
      expect(() => rlp(['0x01', [text]])).toThrow()
    },
  )

  test.each([
    ['0x0', '0x'],
    ['0x7', '0x07'],
    ['0x80', '0x80'],
    ['0x100', '0x0100'],
  ])('of the number %s has no leading zeros', (quantity, bytes) => {
    expect(rlpNumber(quantity)).toBe(bytes)
  })
})
