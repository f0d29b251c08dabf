import { describe, expect, test } from 'vitest'
import { bothHosts, sharedHosts, operatorToken as token } from '../support/hosts.ts'
import { operatorCookie } from '../support/post-json.ts'

const { hostOf } = sharedHosts()

/** All requests that change state, as our own pages send them. */
const changes = [
  ['a login', 'POST', '/api/operator/session', { token }],
  ['a log-out', 'DELETE', '/api/operator/session', undefined],
  ['an order to a node', 'POST', '/api/rpc/nodes/137/a', { action: 'cordon' }],
  ['a call', 'POST', '/api/rpc/137', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
  ['a report', 'POST', '/api/rpc/csp-reports', {}],
] as const

/** Headers that a browser sends for requests of another site. */
const senders: Readonly<Record<string, Record<string, string>>> = {
  'a script of another site': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
  },
  'a script of a sibling': {
    origin: 'https://evil.app.example',
    'sec-fetch-site': 'same-site',
    'sec-fetch-mode': 'cors',
  },
  'a form of another site': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
  },
  'a form in a sandboxed frame': {
    origin: 'null',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
  },
  'an old browser': { origin: 'https://evil.example' },
  'a browser that hides the origin': { 'sec-fetch-site': 'cross-site' },
}

/** Content types that need no preflight. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']

describe.each(bothHosts)('%s', (kind) => {
  const url = () => hostOf(kind).url
  const cookieOf = () => operatorCookie(url(), token)
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    fetch(`${url()}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  describe.each(Object.entries(senders))('%s', (_, sender) => {
    // Even with the operator's cookie, which browsers send with none of these.
    test.each(changes)('changes nothing by %s', async (_what, method, path, body) => {
      const cookie = await cookieOf()
      const response = await send(method, path, body, { ...sender, cookie })
      expect(response.status).toBe(403)
      expect(response.headers.get('set-cookie')).toBe(null)
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
      const still = await fetch(`${url()}/api/rpc/snapshot`, { headers: { cookie } })
      expect((await still.json()).chains[0].nodes[0].cordonedMs).toBeNull()
    })

    test.each(formTypes)('changes nothing by a body of %s', async (type) => {
      const response = await fetch(`${url()}/api/operator/session`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...sender, 'content-type': type },
        body: `token=${token}`,
      })
      expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    })
  })

  test.each(changes)('no site gets CORS permission to send %s', async (_, _method, path) => {
    const response = await fetch(`${url()}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  test.each(changes)('a GET of %s changes nothing', async (_, _method, path) => {
    const response = await fetch(`${url()}${path}`, { headers: { cookie: await cookieOf() } })
    expect(response.status).toBe(405)
  })
})
