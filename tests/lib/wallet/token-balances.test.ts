import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { addedMax, type ListedToken } from '#lib/token/token-list.ts'
import { createAddedTokens } from '#lib/wallet/added-tokens.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { portfolioQuery } from '#lib/wallet/token-balances.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as owner } from './accounts.ts'
import { word } from './event-words.ts'
import { aggregated, readsIn } from './multicall.ts'
import { storage } from './record.ts'

const tokenAt = (index: number): ListedToken => ({
  chainId: 137,
  address: numberToHex(index, { size: 20 }),
  symbol: `T${index}`,
  name: `Token ${index}`,
  decimals: 6,
})
const tokens = [1, 2, 3, 4].map(tokenAt)

async function read(listed: readonly ListedToken[], reading: Reading) {
  const calls: ReadCall[] = []
  const query = portfolioQuery(
    async (_, asked) => {
      calls.push(...asked)
      return [reading]
    },
    { chainId: 137, owner, tokens: () => listed },
  )
  const figure = await createQueries().fetchQuery(query)
  return { figure, calls }
}

describe('the balances of tokens', () => {
  test('are one call for all: what each token answers, and unknown, never zero, where it reverts or there is none', async () => {
    const { figure, calls } = await read(tokens, aggregated([word(5n), 'reverts', '0x', word(0n)]))
    expect(calls).toHaveLength(1)
    const [call] = calls as [ReadCall]
    expect(call.params).toMatchObject([{ to: '0xcA11bde05977b3631167028862bE2a173976CA11' }, 'latest'])
    expect(readsIn(call)).toMatchObject(
      tokens.map(({ address }) => ({ target: address, allowFailure: true })),
    )
    const evidence = { operators: 2, dissenting: 0, unreached: 0 }
    expect(figure).toMatchObject({ why: null, known: { block: 9, evidence, certificateId: 'a' } })
    expect(Object.values(figure.known?.value ?? {})).toEqual([5n, null, null, 0n])
  })

  test.each([
    ['the nodes disagree', refused('disagree'), 'disagree'],
    ['the chain has no Multicall3', agreed('0x'), 'refused'],
  ])('are missing, with the reason, where %s', async (_, reading, why) => {
    expect((await read(tokens, reading)).figure).toEqual({ known: null, knownMs: null, why })
  })
})

describe('what the visitor added', () => {
  test('is there at the next visit, newest first, until it is removed', () => {
    const kept = storage()
    const added = createAddedTokens(kept)
    for (const token of tokens) added.add(token)
    expect(kept.key).toBe('quorate.tokens')
    expect(createAddedTokens(kept).all()).toEqual(tokens.toReversed())
    added.remove(tokenAt(3))
    expect(createAddedTokens(kept).all()).toEqual([4, 2, 1].map(tokenAt))
  })

  test('is still there after another tab, which was open before, has added or removed another one', () => {
    const kept = storage()
    const [one, two] = [createAddedTokens(kept), createAddedTokens(kept)]
    one.add(tokenAt(1))
    two.add(tokenAt(2))
    one.add(tokenAt(3))
    two.remove(tokenAt(2))
    for (const added of [two, createAddedTokens(kept)]) expect(added.all()).toEqual([3, 1].map(tokenAt))
  })

  test('is left out where a page could not show it, and beyond what one call reads', () => {
    const many = Array.from({ length: addedMax + 1 }, (_, index) => tokenAt(index + 1))
    const strange = [null, 7, { ...tokenAt(1), address: '0x1' }, { ...tokenAt(1), decimals: 78 }]
    const { all } = createAddedTokens(storage(JSON.stringify([...strange, ...many])))
    expect(all()).toEqual(many.slice(0, addedMax))
    for (const text of ['{', '{}', 'null']) expect(createAddedTokens(storage(text)).all()).toEqual([])
  })

  test('lasts as long as the page where the storage is full', () => {
    const full = () => {
      throw new Error('full')
    }
    const added = createAddedTokens({ getItem: () => null, setItem: full })
    added.add(tokenAt(1))
    added.add(tokenAt(2))
    expect(added.all()).toEqual([2, 1].map(tokenAt))
  })
})
