import { describe, expect, test } from 'vitest'
import { readTyped } from '#lib/page/typed-address.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('a typed address', () => {
  test.each([[address], [address.toLowerCase()], [` ${address} `], [`0x${address.slice(2).toUpperCase()}`]])(
    '%s is an address',
    (text) => {
      expect(readTyped(text)).toEqual({ kind: 'address', address })
    },
  )

  test.each([[undefined], [''], ['   ']])('%j is empty input', (text) => {
    expect(readTyped(text)).toEqual({ kind: 'nothing' })
  })

  test('a wrong checksum is a typing mistake', () => {
    expect(readTyped(address.replace('f39F', 'f39f'))).toMatchObject({ kind: 'refused', why: 'checksum' })
  })

  test.each([['0x12'], [address.slice(2)], ['vitalik.eth'], ['<script>'], ['0x'.padEnd(500, 'a')]])(
    '%s is not an address',
    (text) => {
      expect(readTyped(text)).toMatchObject({ kind: 'refused', why: 'shape' })
    },
  )

  test('the first of several is used', () => {
    expect(readTyped([address, 'other'])).toEqual({ kind: 'address', address })
  })
})
