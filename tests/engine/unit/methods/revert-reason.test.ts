import { AbiCoder } from 'ethers'
import { describe, expect, test } from 'vitest'
import { revertMessage } from '../../../../rpc-proxy/methods/revert-reason.ts'

const encoded = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value]).slice(2)
const error = (reason: string) => `0x08c379a0${encoded('string', reason)}`
const panic = (code: number | bigint) => `0x4e487b71${encoded('uint256', code)}`
const word = (value: number) => value.toString(16).padStart(64, '0')

describe('the message of a revert', () => {
  test.each([
    [error('boom'), 'execution reverted: boom'],
    [
      error('ERC20: transfer amount exceeds balance ✓'),
      'execution reverted: ERC20: transfer amount exceeds balance ✓',
    ],
    [error(''), 'execution reverted: '],
    [panic(0x01), 'execution reverted: assert(false)'],
    [panic(0x11), 'execution reverted: arithmetic underflow or overflow'],
    [panic(0x32), 'execution reverted: out-of-bounds access of an array or bytesN'],
    [panic(0x2a), 'execution reverted: unknown panic code: 0x2a'],
    [panic(2n ** 256n - 1n), `execution reverted: unknown panic code: 0x${'f'.repeat(64)}`],
  ])('has the reason in the form of geth: %s', (data, message) => {
    expect(revertMessage(data)).toBe(message)
  })

  test.each([
    ['no data', '0x'],
    ['less than a selector', '0x08c3'],
    ['a selector alone', '0x08c379a0'],
    ['an error of the contract’s own', `0xf0288c28${word(32)}${word(1)}61`],
    ['a truncated panic', `0x4e487b71${word(1).slice(2)}`],
    ['a truncated text', error('boom, and more than fits into one word of it').slice(0, -80)],
    ['an offset past the end', `0x08c379a0${word(4096)}${word(1)}61`],
    ['a huge offset', `0x08c379a0${'f'.repeat(64)}${word(1)}61`],
    ['a huge length', `0x08c379a0${word(32)}${'f'.repeat(64)}61`],
    ['bytes that are not UTF-8', `0x08c379a0${word(32)}${word(2)}c328${'0'.repeat(60)}`],
    ['1,025 bytes', error('x'.repeat(1025))],
  ])('is generic without a readable reason: %s', (_, data) => {
    expect(revertMessage(data)).toBe('execution reverted')
  })

  test('holds 1,024 bytes of a reason', () => {
    expect(revertMessage(error('x'.repeat(1024)))).toBe(`execution reverted: ${'x'.repeat(1024)}`)
  })

  test('drops control and direction characters', () => {
    expect(revertMessage(error('a\r\n\u001b[2K\u0000b\u202ec\u2028d\u009b'))).toBe(
      'execution reverted: a[2Kbcd',
    )
  })
})
