import { afterEach, describe, expect, test, vi } from 'vitest'
import { logPagesTo } from '#lib/observe/log-plain.ts'
import { reportError } from '#lib/page/report-error.ts'
import { processWide } from '#lib/process-wide.ts'
import { createPageErrorReports, notePageError } from '#lib/routes/page-errors.ts'
import { hostRequest } from '../../support/host-request.ts'
import { recordedLog } from '../../support/recorded-log.ts'

function made(now: () => number = () => 0) {
  const { log, lines } = recordedLog()
  const take = createPageErrorReports(log, now)
  const post = (text: string) => take(hostRequest({ method: 'POST', text }))
  return { log, lines, post, fields: () => lines.map(({ fields }) => fields) }
}

afterEach(() => {
  processWide<unknown>('page-log', null).value = null
})

describe('an error page names an id that the log has', () => {
  test('of the server: the digest', () => {
    const { log, lines } = made()
    logPagesTo(log)
    const failed = Object.assign(new TypeError('x'.repeat(500)), { digest: '123@E1' })
    notePageError(failed, { routePath: '/token', routeType: 'render' })
    notePageError('no error object', { routePath: '/', routeType: 'render' })
    const error = {
      id: '123@E1',
      side: 'server',
      route: '/token',
      error: 'TypeError',
      detail: 'x'.repeat(200),
    }
    expect(lines).toMatchObject([
      { level: 'error', event: 'page-error', fields: error },
      { fields: { id: null, detail: 'no error object' } },
    ])
  })

  test('of the browser: a reported one', async () => {
    const { post, fields } = made()
    const sent: string[] = []
    vi.stubGlobal('location', { pathname: '/status' })
    vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => void sent.push(body))
    const error = new RangeError('0xf39F… did not add up')
    error.stack = 'RangeError: no\n  at a (https://app.example/_next/static/chunks/0a~.js:1:234)'
    const id = reportError(error)
    expect((await post(sent[0] ?? '')).status).toBe(204)
    expect(fields()).toEqual([
      { id, side: 'browser', route: '/status', error: 'RangeError', at: '/_next/static/chunks/0a~.js:1:234' },
    ])
  })

  test.each([null, undefined, 'text', { name: 7 }, Object.assign(new Error(), { stack: undefined })])(
    'of %o, which is no error, where the network is gone',
    (value) => {
      vi.stubGlobal('location', { pathname: '/' })
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
      expect(reportError(value)).toMatch(/^[a-z0-9]{1,12}$/)
    },
  )
})

describe('a report of a failed page', () => {
  test('logs nothing but what it must have: no address, no text of the sender', async () => {
    const { post, fields } = made()
    const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const known = { id: 'a1', route: `/status/answers/${address}`, error: 'Error: evil\n' }
    await post(JSON.stringify({ ...known, at: 'https://evil.example/x.js:1:2', more: address }))
    expect(fields()).toEqual([{ id: 'a1', side: 'browser', route: null, error: null, at: null }])
  })

  test.each(['', '{', '[]', 'null', '{"id":7}', '{"id":"A B"}', '{"__proto__":{"id":"a"}}'])(
    '%j is ignored',
    async (text) => {
      const { post, lines } = made()
      expect((await post(text)).status).toBe(204)
      expect(lines).toEqual([])
    },
  )

  test('is one of sixty a minute, then 429', async () => {
    let nowMs = 0
    const { post, lines } = made(() => nowMs)
    for (let sent = 0; sent < 60; sent += 1) expect((await post('{"id":"a"}')).status).toBe(204)
    expect(await post('{"id":"a"}')).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    nowMs = 60_000
    expect((await post('{"id":"a"}')).status).toBe(204)
    expect(lines).toHaveLength(61)
  })
})
