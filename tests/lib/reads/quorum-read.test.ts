import { encodeFunctionData, encodeFunctionResult, erc20Abi, parseAbi } from 'viem'
import { expect, expectTypeOf, test, vi } from 'vitest'
import type { ReadChain, Reading } from '#lib/page/reading.ts'
import { contractQuery } from '#lib/reads/contract-read.ts'
import { balanceQuery, type QuorumRead } from '#lib/reads/quorum-read.ts'
import { agreed } from '../../support/readings.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const balanceOf = { abi: erc20Abi, address, functionName: 'balanceOf', args: [owner] } as const
const name = { abi: erc20Abi, address, functionName: 'name' } as const

/** A chain of which all is read so. */
const answering = (reading: Reading) => vi.fn<ReadChain>(async () => [reading])

test('a contract is read at the latest block, decoded by its ABI and typed by it', async () => {
  const balance = encodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', result: 5n })
  const ask = answering(agreed(balance))
  const read = await contractQuery(137, balanceOf, ask).queryFn()
  expectTypeOf(read).toEqualTypeOf<QuorumRead<bigint>>()
  const evidence = { operators: 2, dissenting: 0, unreached: 0 }
  expect(read).toEqual({ value: 5n, block: 9, evidence, certificateId: 'a' })
  const params = [{ to: address, data: encodeFunctionData(balanceOf) }, 'latest']
  expect(ask.mock.calls).toEqual([[137, [{ method: 'eth_call', params }]]])
})

test('a contract read without its arguments is an error of the query, not of the page that has none yet', async () => {
  const ask = answering(agreed('0x'))
  const { queryKey, queryFn } = contractQuery(137, { ...balanceOf, args: undefined } as never, ask)
  await expect(queryFn()).rejects.toThrow('Expected length (params): 1')
  expect(ask).not.toHaveBeenCalled()
  expect(JSON.stringify(queryKey)).toContain('balanceOf')
})

test('a contract read has the same key for the same call, and another for another chain, function or argument', () => {
  const ask = answering(agreed('0x'))
  const { queryKey } = contractQuery(137, balanceOf, ask)
  expect(contractQuery(137, { ...balanceOf }, ask).queryKey).toEqual(queryKey)
  for (const other of [
    contractQuery(1, balanceOf, ask),
    contractQuery(137, { ...balanceOf, args: [address] }, ask),
    contractQuery(137, name, ask),
  ])
    expect(other.queryKey).not.toEqual(queryKey)
})

test.each(['disagree', 'silent', 'unreachable', 'refused'] as const)(
  'a contract read without an agreed value throws why: %s',
  async (why) => {
    const ask = answering({ state: 'refused', why, answer: 'abc-2' })
    const error = { name: 'QuorumReadError', why, certificateId: 'abc-2' }
    await expect(contractQuery(137, name, ask).queryFn()).rejects.toMatchObject(error)
  },
)

test('a contract read throws for a result that is not of its type, instead of a wrong value', async () => {
  const abi = parseAbi(['function owner() view returns (address)'])
  const ask = answering(agreed('0x'))
  await expect(contractQuery(137, { abi, address, functionName: 'owner' }, ask).queryFn()).rejects.toThrow()
})

test('a balance with evidence is in the smallest unit', async () => {
  const ask = answering(agreed('0xde0b6b3a7640000'))
  const { value } = await balanceQuery(1, { address: owner }, ask).queryFn()
  expect(value).toBe(1_000_000_000_000_000_000n)
  expect(ask.mock.calls).toEqual([[1, [{ method: 'eth_getBalance', params: [owner, 'latest'] }]]])
})
