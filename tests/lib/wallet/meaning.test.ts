import { encodeFunctionData, erc20Abi, maxUint160, maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { tokenCall } from '#lib/token/erc20.ts'
import { decodeCall, isUnlimitedAmount } from '#lib/wallet/meaning.ts'
import { other as party, token as to } from './accounts.ts'

const decode = (data: `0x${string}`, value = 0n) => decodeCall({ to, value, data })

describe('what a call does', () => {
  test('is a payment without data', () => {
    expect(decode('0x', 5n)).toEqual({ kind: 'pay', party: to, amount: 5n })
  })

  test.each([
    ['transfer', 5n],
    ['approve', maxUint256],
    ['approve', 0n],
  ] as const)('is decoded from the bytes of a token’s %s', (kind, amount) => {
    const decoded = { kind, token: to, party, amount }
    expect(decode(tokenCall(kind, party, amount))).toEqual(decoded)
    expect(decode(tokenCall(kind, party, amount).toUpperCase().replace('0X', '0x') as `0x${string}`)).toEqual(
      decoded,
    )
  })

  test.each([
    ['another function', encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [party] })],
    ['fewer bytes than its words', tokenCall('transfer', party, 5n).slice(0, -2) as `0x${string}`],
    [
      'an address that is too long',
      tokenCall('transfer', party, 5n).replace('a9059cbb00', 'a9059cbb01') as `0x${string}`,
    ],
    ['bytes of nothing known', '0x12'],
  ] as const)('is only a call with %s', (_, data) => {
    expect(decode(data)).toEqual({ kind: 'call' })
  })

  test('is only a call when it also pays', () => {
    expect(decode(tokenCall('transfer', party, 5n), 1n)).toEqual({ kind: 'call' })
  })
})

test('an amount is unlimited where it is all that a token, or Permit2, can write', () => {
  for (const all of [maxUint256, maxUint160]) {
    expect(isUnlimitedAmount(all)).toBe(true)
    expect(isUnlimitedAmount(all - 1n)).toBe(false)
  }
})
