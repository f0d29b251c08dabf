import { describe, expect, test } from 'vitest'
import { bothHosts, operatorCookie, sharedHosts, operatorToken as token } from '../support/hosts.ts'

const { hostOf } = sharedHosts()

/** All requests that change state, as our own pages send them. */
const changes = [
  ['a login', 'POST', '/api/operator/session', { token }],
  ['a log-out', 'DELETE', '/api/operator/session', undefined],
  ['an order to a node', 'POST', '/api/rpc/nodes/137/a', { action: 'cordon' }],
  ['a call', 'POST', '/api/rpc/137', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
  ['a report', 'POST', '/api/rpc/csp-reports', {}],
] as const

const evil = 'https://evil.example'
const fetched = (origin: string, site: string, mode: string) => ({
  origin,
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
})
/** Headers that a browser sends for requests of another site. */
const senders: Readonly<Record<string, Record<string, string>>> = {
  'a script of another site': fetched(evil, 'cross-site', 'cors'),
  'a script of a sibling': fetched('https://evil.app.example', 'same-site', 'cors'),
  'a form of another site': fetched(evil, 'cross-site', 'navigate'),
  'a form in a sandboxed frame': fetched('null', 'cross-site', 'navigate'),
  'an old browser': { origin: evil },
  'a browser that hides the origin': { 'sec-fetch-site': 'cross-site' },
}

/** Content types that need no preflight. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hostOf(kind)
  const send = (method: string, path: string, body: string | null, headers: Record<string, string>) =>
    fetch(`${host().url}${path}`, {
      method,
      body,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
    })

  describe.each(Object.entries(senders))('%s', (_, sender) => {
    // Even with the operator's cookie, which browsers send with none of these.
    test.each(changes)('changes nothing by %s', async (_what, method, path, body) => {
      const cookie = await operatorCookie(host())
      const response = await send(method, path, JSON.stringify(body) ?? null, { ...sender, cookie })
      expect(response.status).toBe(403)
      expect(response.headers.get('set-cookie')).toBe(null)
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
      const still = await host().get('/api/rpc/snapshot', { cookie })
      expect((await still.json()).chains[0].nodes[0].cordonedMs).toBeNull()
    })

    test.each(formTypes)('changes nothing by a body of %s', async (type) => {
      const headers = { ...sender, 'content-type': type }
      const response = await send('POST', '/api/operator/session', `token=${token}`, headers)
      expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    })
  })

  test.each(changes)('no site gets CORS permission to send %s', async (_, _method, path) => {
    const headers = { origin: evil, 'access-control-request-method': 'POST' }
    const response = await send('OPTIONS', path, null, headers)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  test.each(changes)('a GET of %s changes nothing', async (_, _method, path) => {
    expect((await host().get(path, { cookie: await operatorCookie(host()) })).status).toBe(405)
  })
})
