import { concat, encodeFunctionData, erc20Abi, maxUint160, maxUint256, slice } from 'viem'
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
    const data = tokenCall(kind, party, amount)
    for (const written of [data, `0x${data.slice(2).toUpperCase()}`] as const)
      expect(decode(written)).toEqual({ kind, token: to, party, amount })
  })

  const transfer = tokenCall('transfer', party, 5n)
  test.each([
    ['another function', encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [party] })],
    ['fewer bytes than its words', slice(transfer, 0, -1)],
    ['an address that is too long', concat(['0xa9059cbb01', slice(transfer, 5)])],
    ['bytes of nothing known', '0x12'],
  ] as const)('is only a call with %s', (_, data) => {
    expect(decode(data)).toEqual({ kind: 'call' })
  })

  test('is only a call when it also pays', () => {
    expect(decode(transfer, 1n)).toEqual({ kind: 'call' })
  })
})

test('an amount is unlimited where it is all that a token, or Permit2, can write', () => {
  for (const all of [maxUint256, maxUint160]) {
    expect(isUnlimitedAmount(all)).toBe(true)
    expect(isUnlimitedAmount(all - 1n)).toBe(false)
  }
})
