import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  post,
  readAnswer,
  readEvidence,
  readHealth,
  readHistory,
  readSnapshot,
} from '#lib/engine/engine-reads.ts'
import { routesHere } from '#lib/engine/gateway-address.ts'
import { answerPagesBy, renderFor } from '#lib/engine/page-caller.ts'
import { type HostRequest, json } from '#lib/http.ts'
import { logPagesTo } from '#lib/observe/log-plain.ts'
import { recordedLog } from '../../support/recorded-log.ts'

test.each([
  ['is charged to its visitor', '198.51.100.7', '198.51.100.7'],
  ['has no caller when callers are unknown', null, null],
])('a page that reads from a remote gateway %s', async (_, caller, reported) => {
  const fetched = vi.fn<typeof fetch>(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  await post(137, '[]', { caller, signal: new AbortController().signal })
  await readEvidence('a-1', caller)
  for (const [, init] of fetched.mock.calls)
    expect(new Headers(init?.headers).get('x-forwarded-for')).toBe(reported)
  expect(fetched).toHaveBeenCalledTimes(2)
})

describe('a page beside the routes', () => {
  afterEach(() => {
    routesHere.value = null
  })

  test('asks them without a network, with its cookies and on the budget of its visitor', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
    const asked: HostRequest[] = []
    answerPagesBy(async (request) => {
      asked.push(request)
      return json(200, { chains: [] })
    })
    const range = { fromMs: 1, toMs: 2, stepsMax: 3 }
    expect(await renderFor('198.51.100.7', () => readHistory(range, 'a=b'))).toEqual({ chains: [] })
    const [request] = asked
    expect(request).toMatchObject({ method: 'GET', path: '/api/rpc/history', caller: '198.51.100.7' })
    expect([request?.query, request?.header('cookie')]).toEqual(['from=1&to=2&steps=3', 'a=b'])
  })

  test('is refused what the routes refuse, and waits no longer than it can', async () => {
    answerPagesBy(async () => json(401, {}))
    expect(await readSnapshot('')).toBe('refused')
    answerPagesBy(() => new Promise(() => {}))
    expect(await readHealth(AbortSignal.timeout(1))).toBe(null)
  })

  test.each([
    [429, null],
    [503, null],
    [404, 'gone'],
  ])(
    'told %i, says of a certificate what is so: a visitor over budget may try again',
    async (status, read) => {
      answerPagesBy(async () => json(status, {}))
      expect(await readEvidence('a-1', null)).toBe(read)
      expect(await readAnswer('a-1', '')).toBe(read)
    },
  )

  test('writes down that a route failed, which a visitor sees as an outage', async () => {
    const { log, lines } = recordedLog()
    logPagesTo(log)
    answerPagesBy(() => Promise.reject(new Error('a fault of ours')))
    expect(await readSnapshot('')).toBe(null)
    const fields = { path: '/api/rpc/snapshot', error: 'Error: a fault of ours' }
    expect(lines).toMatchObject([{ level: 'error', event: 'page-error', fields }])
  })
})
