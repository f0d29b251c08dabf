import { describe, expect, test } from 'vitest'
import { site } from '#site'
import { bothHosts, sharedHosts } from '../support/hosts.ts'

const { hostOf } = sharedHosts()

const closed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Headers by which a caller could try to choose the nonce of the page. */
const callerControlled = {
  'x-nonce': 'caller-controlled',
  'content-security-policy': "script-src 'nonce-chosen'",
}

const pages = [
  ['/', 200, "'self' https://app.safe.global"],
  ['/?address=0x1', 200, "'self' https://app.safe.global"],
  ['/status', 200, "'none'"],
  ['/status?login=wrong', 200, "'none'"],
  ['/nope', 404, "'none'"],
] as const

/** Other resources, and the sites that may load them. */
const others = [
  ['/api/rpc', 'same-origin'],
  ['/api/rpc/ready', 'same-origin'],
  ['/api/rpc/snapshot', 'same-origin'],
  ['/api/rpcx', 'same-origin'],
  ['/api/operator/session', 'same-origin'],
  ['/api/nope', 'same-origin'],
  ['/_next/static/nope.js', 'same-origin'],
  ['/_next/image?url=%2Ficon.svg&w=64&q=75', 'same-origin'],
  ['/demo-wallet.js', 'same-origin'],
  ['/nope.png', 'same-origin'],
  ['/.well-known/security.txt', 'same-origin'],
  ['/manifest.json', 'cross-origin'],
  ['/icon.svg', 'cross-origin'],
] as const

describe.each(bothHosts)('%s', (kind) => {
  const get = (path: string, headers: Record<string, string> = {}) => hostOf(kind).get(path, headers)
  const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? ''
  const nonceOf = (response: Response) => /'nonce-([^']+)'/.exec(policyOf(response))?.[1]

  test.each(pages)('%s answers %i as a page that %s may frame', async (path, status, framers) => {
    const response = await get(path)
    expect(response.status).toBe(status)
    expect(policyOf(response)).toContain(`frame-ancestors ${framers};`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cache-control': expect.stringContaining('no-store'),
    })
    expect(response.headers.get('x-powered-by')).toBe(null)
    expect(response.headers.get('strict-transport-security')).toBe(null)
  })

  test.each(pages)('%s: every script carries the nonce of its own response', async (path) => {
    const [one, other] = await Promise.all([get(path), get(path)])
    expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(nonceOf(one)).not.toBe(nonceOf(other))
    const scripts = [...(await one.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(scripts.length).toBeGreaterThan(3)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonceOf(one)}"`))).toEqual([])
  })

  test.each([...pages, ...others].map(([path]) => path))(
    '%s ignores a nonce from its caller',
    async (path) => {
      const response = await get(path, callerControlled)
      expect(policyOf(response)).not.toContain('caller-controlled')
      expect(await response.text()).not.toContain('caller-controlled')
    },
  )

  test.each(others)('%s has a closed policy, and %s may load it', async (path, loaders) => {
    const response = await get(path)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': closed,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': loaders,
    })
    expect(response.headers.get('x-powered-by')).toBe(null)
  })

  test.each(['/', '/status', '/api/rpc/ready', '/icon.svg'])('%s sends HSTS on https', async (path) => {
    const response = await get(path, { 'x-forwarded-proto': 'https' })
    expect(response.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
    expect((await get(path)).headers.get('strict-transport-security')).toBe(null)
  })

  test('only the manifest may be read by any origin, and names the app', async () => {
    const origin = { origin: 'https://app.safe.global' }
    const manifest = await get('/manifest.json', origin)
    expect(manifest.headers.get('access-control-allow-origin')).toBe('*')
    expect(await manifest.json()).toMatchObject({ name: site.name, iconPath: site.logo.slice(1) })
    for (const path of ['/', '/status', '/api/rpc/ready', '/icon.svg'])
      expect((await get(path, origin)).headers.get('access-control-allow-origin')).toBe(null)
  })

  test('security.txt has the configured contact', async () => {
    const response = await get('/.well-known/security.txt')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toMatch(/^Contact: mailto:security@app\.example\r\nExpires: 20/)
  })
})
