import { encodeFunctionData, parseAbi } from 'viem'
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
const label = (functionName: string, args: readonly unknown[]) =>
  labelCall(abi, encodeFunctionData({ abi, functionName, args } as never))

describe('a call as its ABI names it', () => {
  test('has the name of the function, and each argument in full', () => {
    expect(label('deposit', [party.toLowerCase(), 10n ** 30n])).toEqual({
      name: 'deposit',
      args: [
        { name: 'token', type: 'address', text: party },
        { name: 'amount', type: 'uint256', text: `1${'0'.repeat(30)}` },
      ],
    })
    expect(label('close', [])).toEqual({ name: 'close', args: [] })
  })

  test('is the overload that the bytes name, whose parameters may have no names', () => {
    expect(label('deposit', [7n])?.args).toEqual([{ name: '1', type: 'uint256', text: '7' }])
  })

  test('writes texts, bytes, lists and structs so that they can be compared', () => {
    expect(label('note', ['to "me"', '0x1234', true])?.args.map(({ text }) => text)).toEqual([
      '"to \\"me\\""',
      '0x1234',
      'true',
    ])
    expect(label('fill', [{ maker: party, amounts: [1n, 2n] }])?.args[0]?.text).toBe(
      `{"maker":"${party}","amounts":["1","2"]}`,
    )
  })

  test('shows invisible characters, with which a text could pretend to be another one', () => {
    expect(label('note', ['pay \u202e1', '0x', false])?.args[0]?.text).toBe('"pay \\u{202e}1"')
  })

  test('is none where the bytes are no call of the ABI', () => {
    expect(labelCall(abi, '0x12345678')).toBeNull()
    expect(labelCall(abi, '0x')).toBeNull()
    expect(
      labelCall(abi, `${encodeFunctionData({ abi, functionName: 'close' }).slice(0, 9)}f` as never),
    ).toBeNull()
  })
})
