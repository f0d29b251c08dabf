import { encodeErrorResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { revertOf } from '#lib/wallet/changes.ts'
import { describeRevert } from '#lib/wallet/revert.ts'
import { third as spender } from './accounts.ts'
import { done, failed, simulated } from './simulation.ts'

const vault = parseAbi(['error Paused(uint256 until)', 'error InnerFailed(address target, bytes reason)'])
const token = parseAbi(['error InsufficientAllowance(address spender, uint256 allowed, uint256 needed)'])
const standard = parseAbi(['error OwnableUnauthorizedAccount(address account)', 'error Error(string)'])
const revertWith = (errorName: string, ...args: readonly unknown[]) =>
  encodeErrorResult({ abi: [...vault, ...token, ...standard], errorName, args } as never)
const tooLittle = revertWith('InsufficientAllowance', spender, 0n, 5n)

test('the sentence of a require is shown as it is, unless it is long or has invisible characters', () => {
  expect(describeRevert(revertWith('Error', 'too early'), [])).toBe('"too early"')
  const long = revertWith('Error', `\u202e${'x'.repeat(999)}`)
  expect(describeRevert(long, [])).toMatch(/^"\\u\{202e\}x{291}…$/)
})

test('a custom error is shown with its arguments, also one of a contract that the called one calls', () => {
  expect(describeRevert(revertWith('Paused', 7n), [vault])).toBe('Paused(until 7)')
  const said = `InsufficientAllowance(spender ${spender}, allowed 0, needed 5)`
  expect(describeRevert(tooLittle, [vault, token])).toBe(said)
  const wrapped = revertWith('InnerFailed', spender, tooLittle)
  expect(describeRevert(wrapped, [vault, token])).toBe(`InnerFailed(target ${spender}, reason ${said})`)
  expect(describeRevert(wrapped, [vault])).toBe(`InnerFailed(target ${spender}, reason ${tooLittle})`)
})

test('errors of OpenZeppelin need no ABI, and what nobody knows is not guessed', () => {
  const data = revertWith('OwnableUnauthorizedAccount', spender)
  expect(describeRevert(data, [])).toBe(`OwnableUnauthorizedAccount(account ${spender})`)
  expect(describeRevert(tooLittle, [vault])).toBeNull()
  expect(describeRevert('0xdeadbeef', [vault])).toBeNull()
})

test('the revert is that of the call in the middle of a simulation, not of a read around it', () => {
  const reverted = { ...failed, returnData: tooLittle }
  const ok = done()
  expect(revertOf(simulated(ok, reverted, ok))).toBe(tooLittle)
  expect(revertOf(simulated(reverted, ok, reverted))).toBeUndefined()
  expect(revertOf(simulated(ok, { ...failed, error: { data: tooLittle } }, ok))).toBe(tooLittle)
  expect(revertOf(simulated(ok, failed, ok))).toBeUndefined()
  expect(revertOf(undefined)).toBeUndefined()
})
