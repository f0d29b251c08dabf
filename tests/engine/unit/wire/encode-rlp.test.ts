import { type Hex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { rlp } from '../../../../rpc-proxy/wire/rlp.ts'

const zeros = (length: number): Hex => `0x${'00'.repeat(length)}`

describe('RLP', () => {
  test.each([0, 1, 2, 54, 55, 56, 255, 256, 65_535, 65_536])('of %i bytes is what viem writes', (length) => {
    for (const item of [zeros(length), [zeros(length)], [[zeros(length)], '0x'] as const])
      expect(rlp(item) === toRlp(item as Hex)).toBe(true)
  })

  test.each([
    ['0x00', '0x00'],
    ['0x7f', '0x7f'],
    ['0x80', '0x8180'],
    ['0xff', '0x81ff'],
    [[], '0xc0'],
    ['0x', '0x80'],
  ])('of %j is %s', (item, expected) => {
    expect(rlp(item)).toBe(expected)
  })

  test.each(['', '0', 'ab', '0X00', '0x0', '0x0g', '0xg0', '0xAB', '0x0é', '0x\u{1f600}', '0x-1'])(
    'refuses %j, which is not whole bytes in lower-case hex',
    (text) => {
      expect(() => rlp(text)).toThrow()
      expect(() => rlp(['0x01', [text]])).toThrow()
    },
  )
})
