import { encodeFunctionResult, erc20Abi, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ReadCall, ReadChain, Reading } from '#lib/page/reading.ts'
import { contractQuery } from '#lib/reads/contract-read.ts'
import { balanceQuery, type QuorumRead } from '#lib/reads/quorum-read.ts'
import { agreed } from '../../support/readings.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function answering(reading: Reading): { ask: ReadChain; asked: [number, ReadCall][] } {
  const asked: [number, ReadCall][] = []
  const ask: ReadChain = async (chainId, questions) => {
    for (const question of questions) asked.push([chainId, question])
    return [reading]
  }
  return { ask, asked }
}

describe('a contract read with evidence', () => {
  test('is an eth_call at the latest block, decoded by its ABI and typed by it', async () => {
    const balance = encodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', result: 5n })
    const { ask, asked } = answering(agreed(balance))
    const read = await contractQuery(
      137,
      { abi: erc20Abi, address: token, functionName: 'balanceOf', args: [owner] },
      ask,
    ).queryFn()
    expectTypeOf(read).toEqualTypeOf<QuorumRead<bigint>>()
    expect(read).toEqual({
      value: 5n,
      block: 9,
      evidence: { operators: 2, dissenting: 0, unreached: 0 },
      certificateId: 'a',
    })
    const data = `${toFunctionSelector('balanceOf(address)')}${owner.slice(2).toLowerCase().padStart(64, '0')}`
    expect(asked).toEqual([[137, { method: 'eth_call', params: [{ to: token, data }, 'latest'] }]])
  })

  test('without its arguments is an error of the query, not of the page that has none yet', async () => {
    const { ask, asked } = answering(agreed('0x'))
    const call = { abi: erc20Abi, address: token, functionName: 'balanceOf', args: undefined } as never
    const { queryKey, queryFn } = contractQuery(137, call, ask)
    await expect(queryFn()).rejects.toThrow('Expected length (params): 1')
    expect(asked).toEqual([])
    expect(JSON.stringify(queryKey)).toContain('balanceOf')
  })

  test('has the same key for the same call, and another for another chain, function or argument', () => {
    const { ask } = answering(agreed('0x'))
    const call = { abi: erc20Abi, address: token, functionName: 'balanceOf', args: [owner] } as const
    const { queryKey } = contractQuery(137, call, ask)
    expect(contractQuery(137, { ...call }, ask).queryKey).toEqual(queryKey)
    expect(contractQuery(1, call, ask).queryKey).not.toEqual(queryKey)
    expect(contractQuery(137, { ...call, args: [token] }, ask).queryKey).not.toEqual(queryKey)
    expect(
      contractQuery(137, { abi: erc20Abi, address: token, functionName: 'name' }, ask).queryKey,
    ).not.toEqual(queryKey)
  })

  test.each(['disagree', 'silent', 'unreachable', 'refused'] as const)(
    'without an agreed value throws why: %s',
    async (why) => {
      const { ask } = answering({ state: 'refused', why, answer: 'abc-2' })
      const call = { abi: erc20Abi, address: token, functionName: 'name' } as const
      await expect(contractQuery(137, call, ask).queryFn()).rejects.toMatchObject({
        name: 'QuorumReadError',
        why,
        certificateId: 'abc-2',
      })
    },
  )

  test('throws for a result that is not of its type, instead of a wrong value', async () => {
    const abi = parseAbi(['function owner() view returns (address)'])
    const { ask } = answering(agreed('0x'))
    await expect(
      contractQuery(137, { abi, address: token, functionName: 'owner' }, ask).queryFn(),
    ).rejects.toThrow()
  })
})

test('a balance with evidence is in the smallest unit', async () => {
  const { ask, asked } = answering(agreed('0xde0b6b3a7640000'))
  const { value } = await balanceQuery(1, { address: owner }, ask).queryFn()
  expect(value).toBe(1_000_000_000_000_000_000n)
  expect(asked).toEqual([[1, { method: 'eth_getBalance', params: [owner, 'latest'] }]])
})
