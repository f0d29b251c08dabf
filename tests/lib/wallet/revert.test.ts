import { encodeErrorResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { revertOf } from '#lib/wallet/changes.ts'
import { describeRevert } from '#lib/wallet/revert.ts'
import { agreed } from '../../support/readings.ts'
import { third as spender } from './accounts.ts'

const vault = parseAbi(['error Paused(uint256 until)', 'error InnerFailed(address target, bytes reason)'])
const token = parseAbi(['error InsufficientAllowance(address spender, uint256 allowed, uint256 needed)'])
const tooLittle = encodeErrorResult({
  abi: token,
  errorName: 'InsufficientAllowance',
  args: [spender, 0n, 5n],
})

test('the sentence of a require is shown as it is', () => {
  const data = encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    errorName: 'Error',
    args: ['too early'],
  })
  expect(describeRevert(data, [])).toBe('"too early"')
})

test('a custom error is shown with its arguments, also one of a contract that the called one calls', () => {
  expect(describeRevert(encodeErrorResult({ abi: vault, errorName: 'Paused', args: [7n] }), [vault])).toBe(
    'Paused(until 7)',
  )
  const said = `InsufficientAllowance(spender ${spender}, allowed 0, needed 5)`
  expect(describeRevert(tooLittle, [vault, token])).toBe(said)
  const wrapped = encodeErrorResult({ abi: vault, errorName: 'InnerFailed', args: [spender, tooLittle] })
  expect(describeRevert(wrapped, [vault, token])).toBe(`InnerFailed(target ${spender}, reason ${said})`)
  expect(describeRevert(wrapped, [vault])).toBe(`InnerFailed(target ${spender}, reason ${tooLittle})`)
})

test('errors of OpenZeppelin need no ABI, what nobody knows is not guessed, and nothing is long or invisible', () => {
  const abi = parseAbi(['error OwnableUnauthorizedAccount(address account)', 'error Error(string)'])
  const data = encodeErrorResult({ abi, errorName: 'OwnableUnauthorizedAccount', args: [spender] })
  expect(describeRevert(data, [])).toBe(`OwnableUnauthorizedAccount(account ${spender})`)
  expect(describeRevert(tooLittle, [vault])).toBeNull()
  expect(describeRevert('0xdeadbeef', [vault])).toBeNull()
  const long = encodeErrorResult({ abi, errorName: 'Error', args: [`\u202e${'x'.repeat(999)}`] })
  expect(describeRevert(long, [])).toMatch(/^"\\u\{202e\}x{291}…$/)
})

test('the revert is that of the call in the middle of a simulation, not of a read around it', () => {
  const of = (...calls: readonly object[]) => agreed([{ calls }])
  const ok = { status: '0x1', returnData: '0x' }
  const failed = { status: '0x0', returnData: tooLittle }
  expect(revertOf(of(ok, failed, ok))).toBe(tooLittle)
  expect(revertOf(of(failed, ok, failed))).toBeUndefined()
  expect(revertOf(of(ok, { status: '0x0', returnData: '0x', error: { data: tooLittle } }, ok))).toBe(
    tooLittle,
  )
  expect(revertOf(of(ok, { status: '0x0', returnData: '0x' }, ok))).toBeUndefined()
  expect(revertOf(undefined)).toBeUndefined()
})
