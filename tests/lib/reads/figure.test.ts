import { hydrate } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ReadChain, Reading } from '#lib/page/reading.ts'
import { type Figure, figureQuery } from '#lib/reads/figure.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { agreed, refused } from '../../support/readings.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

beforeEach(() => void vi.useFakeTimers())

/** Reads the figure again and again, with these answers. */
function reader(answers: readonly Reading[]) {
  const queries = createQueries()
  const left = [...answers]
  const ask: ReadChain = async () => [left.shift() ?? { state: 'waiting' }]
  const query = figureQuery(ask, 137, address)
  return async () => {
    await queries.fetchQuery({ ...query, staleTime: 0 })
    return queries.getQueryData(query.queryKey)
  }
}

test('a figure is the agreed balance with its block and who stands behind it', async () => {
  vi.setSystemTime(1_000_000)
  const evidence = { operators: 2, dissenting: 0, unreached: 0 }
  const known = { value: 5n, block: 9, evidence, certificateId: 'a' }
  expect(await reader([agreed('0x5')])()).toEqual({ known, knownMs: 1_000_000, why: null } satisfies Figure)
})

test('a refusal stands beside the last figure, with the time of that one, until there is a newer one', async () => {
  vi.setSystemTime(1_000_000)
  const read = reader([agreed('0x5'), refused('disagree'), refused('disagree'), agreed('0x6')])
  await read()
  for (const ms of [1_004_000, 1_008_000]) {
    vi.setSystemTime(ms)
    expect(await read()).toMatchObject({ known: { value: 5n }, why: 'disagree', knownMs: 1_000_000 })
  }
  expect(await read()).toMatchObject({ known: { value: 6n }, why: null, knownMs: 1_008_000 })
})

test('without a figure there is none, and the reason', async () => {
  const read = reader([refused('disagree')])
  expect(await read()).toEqual({ known: null, knownMs: null, why: 'disagree' })
  expect(await read()).toEqual({ known: null, knownMs: null, why: 'waiting' })
  expect(await reader([agreed('many')])()).toMatchObject({ known: null, why: 'refused' })
})

test('a figure that the server did not get in time is read at once, any other every four seconds', () => {
  const { refetchInterval } = figureQuery(async () => [], 137, address)
  const every = (why: Figure['why']) =>
    typeof refetchInterval === 'function' &&
    refetchInterval({ state: { data: { known: null, knownMs: null, why } } } as never)
  expect([every('waiting'), every(null), every('silent')]).toEqual([1, 4000, 4000])
})

test('a late figure of the server without a value does not wipe the one of an earlier visit', async () => {
  const queries = createQueries()
  const queryKey = ['chain', 137, address]
  const state = { status: 'pending', data: undefined, dataUpdatedAt: 0, fetchStatus: 'fetching' }
  let resolve: (figure: Figure) => void = () => {}
  const promise = new Promise<Figure>((done) => {
    resolve = done
  })
  const streamed = { queryKey, queryHash: JSON.stringify(queryKey), state, promise, dehydratedAt: Date.now() }
  hydrate(queries, { queries: [streamed] } as never)
  const known = { value: 5n, block: 184, evidence: null, certificateId: null }
  queries.setQueryData(queryKey, { known, knownMs: 7, why: 'waiting' })
  resolve({ known: null, knownMs: null, why: 'silent' })
  await vi.waitFor(() => expect(queries.getQueryData(queryKey)).toEqual({ known, knownMs: 7, why: 'silent' }))
})
