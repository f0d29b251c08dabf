import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { listedMax, parseTokenList } from '#lib/token/token-list.ts'
import list from '#tokens' with { type: 'json' }

const [token] = list.tokens
const changed = (change: object) => ({ ...list, tokens: [{ ...token, ...change }] })

test('the list of this site is one', () => {
  expect(parseTokenList(list)).toEqual(list.tokens)
})

test.each([
  ['no list', null, 'no tokens'],
  ['no name', { ...list, name: '' }, 'no valid name'],
  ['no time', { ...list, timestamp: 'today' }, 'no valid timestamp'],
  ['no version', { ...list, version: '1.0.0' }, 'no valid version'],
  ['no chain', changed({ chainId: '137' }), 'no valid chainId'],
  ['no checksum', changed({ address: token?.address.replace('E', 'e') }), 'no valid address'],
  ['a symbol of two words', changed({ symbol: 'US DC' }), 'no valid symbol'],
  ['a symbol of 21 characters', changed({ symbol: 'S'.repeat(21) }), 'no valid symbol'],
  ['a name of 61 characters', changed({ name: 'n'.repeat(61) }), 'no valid name'],
  ['78 decimals', changed({ decimals: 78 }), 'no valid decimals'],
  ['a token twice', { ...list, tokens: [token, token] }, 'token 1 of the list: it is there twice'],
  ['an entry that is none', { ...list, tokens: [token, null] }, 'token 1 of the list: no valid entry: null'],
])('%s is refused', (_, value, why) => {
  expect(() => parseTokenList(value)).toThrow(why)
})

test('a name of twenty characters outside of the basic plane is one: a token that a visitor adds has it after a reload too', () => {
  expect(parseTokenList(changed({ symbol: '🦄'.repeat(20), name: '🦄'.repeat(60) }))).toHaveLength(1)
})

test('a chain has at most as many as one call reads', () => {
  const tokens = Array.from({ length: listedMax + 1 }, (_, index) => ({
    ...token,
    address: numberToHex(index, { size: 20 }),
  }))
  expect(parseTokenList({ ...list, tokens: tokens.slice(1) })).toHaveLength(listedMax)
  expect(() => parseTokenList({ ...list, tokens })).toThrow(`more than ${listedMax} of one chain`)
})
