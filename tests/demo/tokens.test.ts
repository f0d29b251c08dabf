import { expect, test } from 'vitest'
import { parseTokenList } from '#lib/token/token-list.ts'
import list from '#tokens' with { type: 'json' }
import { callNode } from '../../demo/json-rpc.ts'
import { compareTokens } from '../../scripts/nodes/tokens.ts'
import { localChains } from '../support/chains.ts'

const chains = localChains({ chains: [{ id: 137 }] })
const tokens = parseTokenList(list).filter(({ chainId }) => chainId === 137)
const call = (method: string, params: readonly unknown[]) => callNode(chains().chain(137).url, method, params)
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
    `${first.symbol} ${first.address}: decimals 7, on chain 137 ${first.decimals}`,
    `USDX ${second.address}: symbol on chain 137 is ${second.symbol}`,
    `${third.symbol} ${nowhere}: no token answers there`,
  ])
})

test('nothing is compared where no node answers', async () => {
  expect(await compareTokens([silent, silent], tokens)).toBe(null)
})
