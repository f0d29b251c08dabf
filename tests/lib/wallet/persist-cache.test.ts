import { dehydrate, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { persistQueryClientRestore } from '@tanstack/react-query-persist-client'
import { describe, expect, test, vi } from 'vitest'
import { createPersistOptions, restorable, restoreKnown } from '#lib/wallet/persist-cache.ts'
import { createQueries, forgetCache, unforget } from '#lib/wallet/query-cache.ts'

const now = 1_800_000_000_000
const query = (key: readonly unknown[], dataUpdatedAt = now - 5, status = 'success') => ({
  queryKey: key,
  queryHash: JSON.stringify(key),
  state: { status, data: { known: { value: '5n', block: 1 }, knownMs: 7 }, dataUpdatedAt },
})
const kept = (change: object = {}) =>
  JSON.stringify({
    buster: 'chain-view-1',
    timestamp: now - 1000,
    clientState: {
      mutations: [{ mutationKey: ['send'] }],
      queries: [query(['chain', 137, null]), query(['walletClient'])],
    },
    ...change,
  })

describe('the data kept between visits', () => {
  test('contains only public chain reads, as it is written and as it is read', () => {
    const queries = createQueries()
    for (const key of [['chain', 137, null], ['walletClient'], ['names']]) queries.setQueryData(key, 1)
    queries.getMutationCache().build(queries, { mutationKey: ['send'] })
    const written = dehydrate(queries, createPersistOptions(queries).dehydrateOptions)
    for (const client of [written, restorable(kept(), now)?.clientState]) {
      expect(client?.queries.map(({ queryKey }) => queryKey)).toEqual([['chain', 137, null]])
      expect(client?.mutations).toEqual([])
    }
  })

  test('is refused with a future timestamp, which the library would keep forever', () => {
    expect(restorable(kept({ timestamp: now + 1 }), now)).toBeUndefined()
    expect(restorable(kept({ timestamp: now }), now)).toBeDefined()
  })

  test('drops a single read with a future timestamp', () => {
    const clientState = {
      mutations: [],
      queries: [query(['chain', 1, null], now + 1), query(['chain', 137, null])],
    }
    expect(restorable(kept({ clientState }), now)?.clientState.queries).toHaveLength(1)
  })

  test('drops a read that is a day old, though the whole was saved a second ago', () => {
    const day = 24 * 60 * 60 * 1000
    const queries = [query(['chain', 1, null], now - day), query(['chain', 137, null], now - day + 1)]
    expect(restorable(kept({ clientState: { queries } }), now)?.clientState.queries).toHaveLength(1)
  })

  test('keeps the agreed value when the latest answer was a refusal', () => {
    const queries = [query(['chain', 1, null], now - 5, 'error')]
    const [restored] = restorable(kept({ clientState: { queries } }), now)?.clientState.queries ?? []
    expect(restored?.state).toMatchObject({ status: 'success', data: { known: { value: 5n } }, error: null })
  })

  test('is shown as known, not as agreed now, and its amounts are numbers again', () => {
    const [restored] = figuresIn({ known: { value: '5n', block: null }, knownMs: 7, why: null })
    expect(restored?.state.data).toEqual({ known: { value: 5n, block: null }, knownMs: 7, why: 'waiting' })
  })

  test.each([
    null,
    'text',
    [],
    {},
    { known: null, knownMs: null },
    { known: 7, knownMs: 7 },
    { known: {}, knownMs: 7 },
    { known: { value: '5' }, knownMs: 7 },
    { known: { value: {} }, knownMs: 7 },
    { known: { value: '-5n' }, knownMs: 7 },
    { known: { value: `${'9'.repeat(79)}n` }, knownMs: 7 },
    { known: { value: '5n', block: { toString: null } }, knownMs: 7 },
    { known: { value: '5n', block: '1' }, knownMs: 7 },
    { known: { value: '5n' }, knownMs: {} },
    { known: { value: '5n' } },
  ])('drops a figure that a page could not show, and would fail on at each visit: %j', (data) => {
    expect(figuresIn(data)).toEqual([])
  })

  test.each([
    [{ '0xa': '5n', '0xb': null }, [{ '0xa': 5n, '0xb': null }]],
    [{ '0xa': '5' }, []],
    [{ '0xa': {} }, []],
    ['5n', []],
  ])('of tokens keeps amounts, and that one is unknown: %j', (value, kept) => {
    const restored = figuresIn({ known: { value, block: 1 }, knownMs: 7 }, ['chain', 1, null, 'tokens'])
    expect(restored.map(({ state }) => (state.data as { known: { value: unknown } }).known.value)).toEqual(
      kept,
    )
  })

  function figuresIn(data: unknown, key: readonly unknown[] = ['chain', 1, null]) {
    const figure = { ...query(key), state: { ...query([]).state, data } }
    return restorable(kept({ clientState: { queries: [figure] } }), now)?.clientState.queries ?? []
  }

  test.each([['null'], ['[]'], ['7'], ['{}'], [kept({ timestamp: '1' })], [kept({ clientState: null })]])(
    '%s is ignored',
    (text) => {
      expect(restorable(text, now)).toBeUndefined()
    },
  )

  test.each([
    ['a day old', { timestamp: Date.now() - 86_400_001 }],
    ['of another schema', { buster: 'another' }],
  ])('are not shown at all when they are %s', async (_, change) => {
    expect(await figuresAfterRestore(change)).toMatchObject([{ known: null }, { known: { value: 6n } }])
  })

  test('are shown where the server has newer answers without a value, and nowhere else', async () => {
    expect(await figuresAfterRestore({})).toMatchObject([
      { known: { value: 5n }, knownMs: 7, why: 'silent' },
      { known: { value: 6n }, why: null },
    ])
  })

  test('does not replace what the server streams before the page has been hydrated', async () => {
    const queries = createQueries()
    const queryKey = ['chain', 1, null]
    let answer = (_: unknown) => {}
    void queries.prefetchQuery({ queryKey, queryFn: () => new Promise((resolve) => (answer = resolve)) })
    await restoreFrom(queries, {})
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
    card.subscribe(() => {})
    await card.refetch()
    expect(savedAccounts()).toEqual([account])
    forgetCache(queries, [account])
    await card.refetch()
    expect(savedAccounts()).toEqual([])
    unforget(account)
    expect(savedAccounts()).toEqual([account])

    function savedAccounts() {
      const { dehydrateOptions } = createPersistOptions(queries)
      return dehydrate(queries, dehydrateOptions).queries.map(({ queryKey }) => queryKey[2])
    }
  })

  /** The figures of two chains, the first without a value, after those of an earlier visit were restored. */
  async function figuresAfterRestore(change: object) {
    const queries = createQueries()
    queries.setQueryData(key(1), { known: null, knownMs: null, why: 'silent' })
    queries.setQueryData(key(137), { known: { ...known, value: 6n }, knownMs: 9, why: null })
    for (const chainId of [1, 137]) new QueryObserver(queries, { queryKey: key(chainId) }).subscribe(() => {})
    await restoreFrom(queries, change)
    return [1, 137].map((chainId) => queries.getQueryData(key(chainId)))
  }

  const key = (chainId: number) => ['chain', chainId, null]
  const known = { value: 5n, block: 1, evidence: null, certificateId: null }

  async function restoreFrom(queries: QueryClient, change: object): Promise<void> {
    const last = { known, knownMs: 7, why: null }
    vi.stubGlobal('window', {})
    vi.stubGlobal('localStorage', {
      getItem: () =>
        kept({
          buster: 'figure-1',
          timestamp: Date.now() - 1000,
          clientState: { queries: [1, 137].map(storedQuery) },
          ...change,
        }),
      setItem: () => {},
      removeItem: () => {},
    })
    function storedQuery(chainId: number) {
      const { state, ...rest } = query(key(chainId), Date.now() - 5)
      return { ...rest, state: { ...state, data: { ...last, known: { ...known, value: '5n' } } } }
    }
    await persistQueryClientRestore({ queryClient: queries, ...createPersistOptions(queries) })
    restoreKnown(queries)
    vi.unstubAllGlobals()
  }
})
