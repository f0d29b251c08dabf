import { dehydrate, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { dehydrateOptions, persistFigures, storedFigures } from '#lib/wallet/persist-cache.ts'
import { createQueries, forgetCache, unforget } from '#lib/wallet/query-cache.ts'

const now = Date.now()
const dayMs = 86_400_000
const known = { value: 5n, block: 1, evidence: null, certificateId: null }
const stored = { known: { ...known, value: '5n' }, knownMs: 7, why: null }
const key = (chainId: number) => ['chain', chainId, null]
const query = (queryKey: readonly unknown[], data: unknown = stored, ageMs = 5) => ({
  queryKey,
  queryHash: JSON.stringify(queryKey),
  state: { status: 'success', data, dataUpdatedAt: now - ageMs },
})
const textOf = (queries: unknown, buster = 'figure-1') =>
  JSON.stringify({ buster, timestamp: now - 1000, clientState: { mutations: [], queries } })
const figuresIn = (...queries: readonly object[]) => storedFigures(() => textOf(queries), now)

describe('the data kept between visits', () => {
  test('contains only public chain reads, as it is written and as it is read', () => {
    const queries = createQueries()
    for (const each of [key(137), ['walletClient'], ['names']]) queries.setQueryData(each, 1)
    queries.getMutationCache().build(queries, { mutationKey: ['send'] })
    const written = dehydrate(queries, dehydrateOptions)
    expect(written.queries.map(({ queryKey }) => queryKey)).toEqual([key(137)])
    expect(written.mutations).toEqual([])
    const read = figuresIn(query(key(137)), query(['walletClient']))
    expect(read.map(({ queryKey }) => queryKey)).toEqual([key(137)])
  })

  test.each([
    ['in the future', -1, 0],
    ['of now', 0, 1],
    ['of a day less a moment', dayMs - 1, 1],
    ['of a day, though the whole was saved a second ago', dayMs, 0],
  ])('has no read that is too old or impossible: %s', (_, ageMs, count) => {
    expect(figuresIn(query(key(1), stored, ageMs))).toHaveLength(count)
  })

  test('is shown as known, not as agreed now, and its amounts are numbers again', () => {
    const [restored] = figuresIn(query(key(1), { ...stored, known: { value: '5n', block: null } }))
    expect(restored?.figure).toEqual({ known: { value: 5n, block: null }, knownMs: 7, why: 'waiting' })
  })

  const noAmounts = [undefined, '5', {}, '-5n', `${'9'.repeat(79)}n`].map((value) => ({ value }))
  const noBlocks = [{ toString: null }, '1'].map((block) => ({ value: '5n', block }))

  test.each([
    ...[null, 'text', [], {}],
    ...[null, 7, ...noAmounts, ...noBlocks].map((known) => ({ known, knownMs: 7 })),
    ...[null, {}, undefined].map((knownMs) => ({ known: { value: '5n' }, knownMs })),
  ])('drops a figure that a page could not show, and would fail on at each visit: %j', (data) => {
    expect(figuresIn(query(key(1), data))).toEqual([])
  })

  test.each([
    [{ '0xa': '5n', '0xb': null }, [{ '0xa': 5n, '0xb': null }]],
    [{ '0xa': '5' }, []],
    [{ '0xa': {} }, []],
    ['5n', []],
  ])('of tokens keeps amounts, and that one is unknown: %j', (value, kept) => {
    const restored = figuresIn(query([...key(1), 'tokens'], { known: { value, block: 1 }, knownMs: 7 }))
    expect(restored.map(({ figure }) => figure.known?.value)).toEqual(kept)
  })

  const foreign = [textOf(null), textOf([query(key(1))], 'other')]

  test.each(['', 'null', '[]', '7', '{}', ...foreign])('%s is ignored', (text) => {
    expect(storedFigures(() => text, now)).toEqual([])
  })

  test('a key that nothing of ours wrote, or a storage that throws, is no figure and no error', () => {
    expect(figuresIn(query(['chain', '1n', null]))).toEqual([])
    const broken = () => {
      throw new Error('the disk is full')
    }
    expect(storedFigures(broken, now)).toEqual([])
  })

  test('is shown where the server has newer answers without a value, and nowhere else', () => {
    const queries = createQueries()
    queries.setQueryData(key(1), { known: null, knownMs: null, why: 'silent' })
    queries.setQueryData(key(137), { known: { ...known, value: 6n }, knownMs: 9, why: null })
    for (const chainId of [1, 137]) new QueryObserver(queries, { queryKey: key(chainId) }).subscribe(() => {})
    restore(queries)
    expect([1, 137, 10].map((chainId) => queries.getQueryData(key(chainId)))).toMatchObject([
      { known: { value: 5n }, knownMs: 7, why: 'silent' },
      { known: { value: 6n }, why: null },
      { known: { value: 5n }, why: 'waiting' },
    ])
  })

  test('does not replace what the server streams before the page has been hydrated', async () => {
    const queries = createQueries()
    const queryKey = key(1)
    let answer = (_: unknown) => {}
    void queries.prefetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) })
    restore(queries)
    expect(queries.getQueryData(queryKey)).toBeUndefined()
    answer({ known: null, knownMs: null, why: 'silent' })
    await expect.poll(() => queries.getQueryData(queryKey)).toMatchObject({ known: null, why: 'silent' })
    new QueryObserver(queries, { queryKey }).subscribe(() => {})
    expect(queries.getQueryData(queryKey)).toMatchObject({ known: { value: 5n }, knownMs: 7, why: 'silent' })
  })

  test('has no balance of a disconnected account, which a card read again before it closed', async () => {
    const queries = createQueries()
    const account = `0x${'a'.repeat(40)}`
    const queryFn = () => ({ known, knownMs: 9, why: null })
    const card = new QueryObserver(queries, { queryKey: ['chain', 1, account], queryFn })
    const savedAccounts = () =>
      dehydrate(queries, dehydrateOptions).queries.map(({ queryKey }) => queryKey[2])
    card.subscribe(() => {})
    await card.refetch()
    expect(savedAccounts()).toEqual([account])
    forgetCache(queries, [account])
    await card.refetch()
    expect(savedAccounts()).toEqual([])
    unforget(account)
    expect(savedAccounts()).toEqual([account])
  })

  /** Restores the figures of three chains. */
  function restore(queries: QueryClient): void {
    const text = textOf([1, 137, 10].map((chainId) => query(key(chainId))))
    vi.stubGlobal('window', {})
    vi.stubGlobal('localStorage', { getItem: () => text, setItem() {}, removeItem() {} })
    persistFigures(queries)
    vi.unstubAllGlobals()
  }
})
