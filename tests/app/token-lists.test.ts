import { expect, test } from 'vitest'
import { siteTokens } from '#lib/token/label-doubts.ts'
import { addedTokens, tokensOf } from '../../app/_portfolio/token-lists.ts'

test('a token that is both added and listed has one row', () => {
  const [token] = siteTokens
  if (token === undefined) throw new Error('the site lists no token')
  const before = tokensOf(token.chainId).length
  addedTokens.add({ ...token, address: token.address.toLowerCase() as `0x${string}`, name: 'Added' })
  expect(tokensOf(token.chainId)).toHaveLength(before)
  expect(tokensOf(token.chainId)).toContain(token)
})
