import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { labelCall } from '#lib/wallet/call-label.ts'
import { other as party } from './accounts.ts'

const abi = parseAbi([
  'function deposit(address token, uint256 amount)',
  'function deposit(uint256)',
  'function note(string text, bytes data, bool isLast)',
  'struct Order { address maker; uint256[] amounts; }',
  'function fill(Order order)',
  'function close()',
])
const encode = (functionName: string, args: readonly unknown[] = []) =>
  encodeFunctionData({ abi, functionName, args } as never)
const label = (...call: Parameters<typeof encode>) => labelCall(abi, encode(...call))
const textsOf = (...call: Parameters<typeof encode>) => label(...call)?.args.map(({ text }) => text)

describe('a call as its ABI names it', () => {
  test('has the name of the function, and each argument in full', () => {
    expect(label('deposit', [party.toLowerCase(), 10n ** 30n])).toEqual({
      name: 'deposit',
      args: [
        { name: 'token', type: 'address', text: party },
        { name: 'amount', type: 'uint256', text: `1${'0'.repeat(30)}` },
      ],
    })
    expect(label('close')).toEqual({ name: 'close', args: [] })
  })

  test('is the overload that the bytes name, whose parameters may have no names', () => {
    expect(label('deposit', [7n])?.args).toEqual([{ name: '1', type: 'uint256', text: '7' }])
  })

  test('writes texts, bytes, lists and structs so that they can be compared', () => {
    expect(textsOf('note', ['to "me"', '0x1234', true])).toEqual(['"to \\"me\\""', '0x1234', 'true'])
    const order = { maker: party, amounts: [1n, 2n] }
    expect(textsOf('fill', [order])).toEqual([`{"maker":"${party}","amounts":["1","2"]}`])
  })

  test('shows invisible characters, with which a text could pretend to be another one', () => {
    expect(textsOf('note', ['pay \u202e1', '0x', false])?.[0]).toBe('"pay \\u{202e}1"')
  })

  test.each(['0x12345678', '0x', `${encode('close').slice(0, 9)}f`] as const)(
    'is none for the bytes %s',
    (data) => {
      expect(labelCall(abi, data as Hex)).toBeNull()
    },
  )
})
