import { expect, test } from 'vitest'
import { isListed, labelDoubts, siteTokens } from '#lib/token/label-doubts.ts'
import { localTokens, tokens } from '#site'

const [usdc] = tokens
const elsewhere = `0x${'ab'.repeat(20)}`
const doubtsOf = (name: string, symbol: string, chainId: number = usdc.chainId) =>
  labelDoubts({ chainId, address: elsewhere, name, symbol })

test('the listed token itself is not doubted, whatever the case of its address', () => {
  expect(isListed({ ...usdc, address: usdc.address.toLowerCase() })).toBe(true)
  expect(labelDoubts({ ...usdc, name: 'USD Coin' })).toEqual([])
})

test.each([
  ['Something', 'USDC', ['imitates']],
  ['USD Coin', 'XYZ', ['imitates']],
  ['usd  coin', 'U$', ['imitates']],
  ['Coin', 'USDС', ['imitates', 'mixed-alphabets']],
  ['Coin', 'ＵＳＤＣ', ['imitates']],
  ['U5D C0IN', 'X', []],
  ['USD C01N', 'X', ['imitates']],
  ['Visit https://claim.example to claim', 'GIFT', ['web-address']],
  ['claim at rewards.xyz', 'GIFT', ['web-address']],
  ['Gift', 'www.gift', ['web-address']],
  ['Wrapped Ether', 'WETΗ', ['imitates', 'mixed-alphabets']],
  ['Wrapped Gold', 'WGΟLD', ['mixed-alphabets']],
  ['Bridged', 'GOLD.e', []],
  ['Wrapped Gold', 'WGOLD', []],
  ['蝴蝶 Coin', 'USD₮0', []],
  ['', '', []],
])('%s (%s) on the chain of a listed token: %j', (name, symbol, doubts) => {
  expect(doubtsOf(name, symbol)).toEqual(doubts)
})

test('an imitation of a token in tokens.json is marked, and the token itself is not', () => {
  expect(siteTokens).not.toEqual([])
  for (const own of siteTokens) {
    expect(doubtsOf('Something', own.symbol, own.chainId)).toContain('imitates')
    expect([isListed(own), labelDoubts(own)]).toEqual([true, []])
  }
})

test('a token of the local chains is not listed: on other chains its address may be any contract', () => {
  expect(localTokens.map(isListed)).toEqual([false])
})

test('a symbol that is listed on another chain alone is imitated here, too', () => {
  expect(doubtsOf('Something', 'GMX', 1)).toEqual(['imitates'])
})
