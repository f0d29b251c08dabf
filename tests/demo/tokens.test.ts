import { expect, test } from 'vitest'
import { parseTokenList } from '#lib/token/token-list.ts'
import list from '#tokens' with { type: 'json' }
import { callNode } from '../../demo/json-rpc.ts'
import { compareTokens } from '../../scripts/nodes/tokens.ts'
import { initial, listedTokens } from '../e2e/support/chains.ts'
import { localChains } from '../support/chains.ts'

const { id } = listedTokens(initial).chain
const chains = localChains({ chains: [{ id }] })
const tokens = parseTokenList(list).filter(({ chainId }) => chainId === id)
const call = (method: string, params: readonly unknown[]) => callNode(chains().chain(id).url, method, params)
const silent = async () => null
const lying = async () => '0x01'

test('the local chain has the tokens of the list, as the list says', async () => {
  expect(await compareTokens([call, call, lying, silent], tokens)).toEqual([])
})

test('a list that says something else than the chain is told, token by token', async () => {
  const [first, second, third, ...rest] = tokens
  if (!first || !second || !third) throw new Error('the list has no three tokens')
  const nowhere = `0x${'ab'.repeat(20)}` as const
  const changed = [
    { ...first, decimals: 7 },
    { ...second, symbol: 'USDX' },
    { ...third, address: nowhere },
    ...rest,
  ]
  expect(await compareTokens([call], changed)).toEqual([
    `${first.symbol} ${first.address}: decimals 7, on chain ${id} ${first.decimals}`,
    `USDX ${second.address}: symbol on chain ${id} is ${second.symbol}`,
    `${third.symbol} ${nowhere}: no token answers there`,
  ])
})

test('nothing is compared if no node answers, or if two nodes disagree', async () => {
  expect(await compareTokens([call, lying], tokens)).toBe(null)
  expect(await compareTokens([silent, silent], tokens)).toBe(null)
})
