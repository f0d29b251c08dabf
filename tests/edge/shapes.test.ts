import { describe, expect, test } from 'vitest'
import { bothHosts, operatorCookie, sharedHosts } from '../support/hosts.ts'

const { hostOf } = sharedHosts()

/** Headers from Next.js advisories that bypassed its proxy or poisoned responses. */
const headers: Readonly<Record<string, Record<string, string>>> = {
  'CVE-2025-29927, the proxy skipped': {
    'x-middleware-subrequest': Array(5).fill('proxy').join(':'),
    'x-middleware-subrequest-id': '1',
  },
  'the proxy skipped, by its folder': { 'x-middleware-subrequest': Array(5).fill('src/proxy').join(':') },
  'a header of the proxy set from outside': {
    'x-middleware-override-headers': 'x-nonce,content-security-policy,cookie',
    'x-middleware-request-x-nonce': 'caller-controlled',
    'x-middleware-request-content-security-policy': "script-src 'nonce-chosen'",
  },
  'an answer of the proxy set from outside': {
    'x-middleware-rewrite': '/manifest.json',
    'x-middleware-next': '1',
  },
  'a payload of React': { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' },
  'a prefetch': { rsc: '1', 'next-router-prefetch': '1', purpose: 'prefetch' },
  'a prefetch of a segment': {
    rsc: '1',
    'next-router-prefetch': '1',
    'next-router-segment-prefetch': '/_tree',
  },
  'a route named by a header': {
    'x-matched-path': '/manifest.json',
    'x-invoke-path': '/manifest.json',
    'x-now-route-matches': '1',
  },
  'another host': { 'x-forwarded-host': 'evil.example', 'x-original-url': '/manifest.json' },
  'a preview': { cookie: '__prerender_bypass=x; __next_preview_data=x', 'x-prerender-revalidate': 'x' },
}

/** Other names of the operator's page. */
const paths = [
  '/status.rsc',
  '/status?_rsc=1',
  '/status.segments/_tree.segment.rsc',
  '/status.segments/status/__PAGE__.segment.rsc',
  '/status.prefetch.rsc',
  '/_next/data/build/status.json',
  '/status/',
  '//status',
  '/%73tatus',
  '/status%2f',
  '/./status',
  '/x/../status',
  '/en/status',
]

describe.each(bothHosts)('%s', (kind) => {
  const get = (path: string, sent: Record<string, string> = {}) => hostOf(kind).get(path, sent)

  test.each(Object.entries(headers))('%s bypasses nothing', async (_, sent) => {
    const response = await get('/status', sent)
    const text = await response.text()
    expect(response.status).toBeLessThan(500)
    expect(text).not.toContain('liar')
    expect(text).not.toContain('caller-controlled')
    expect(text).not.toContain('evil.example')
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-(?!chosen)/)
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  test.each(Object.entries(headers))('after %s the next visitor gets the page', async (_, sent) => {
    await (await get('/', sent)).text()
    const response = await get('/')
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/i)
  })

  test.each(paths)('%s shows no node without a login', async (path) => {
    const response = await get(path)
    expect(response.status).toBeLessThan(500)
    expect(await response.text()).not.toContain('liar')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.each(['/status', '/status/scorecard', '/status/answers/x-1', '/console'])(
    '%s has nothing but a login for others',
    async (path) => {
      const text = await (await get(path)).text()
      expect(text).toContain('Operator token')
      expect(text).not.toContain('eth_getBalance')
    },
  )

  test('content for the operator is not served to others', async () => {
    const cookie = await operatorCookie(hostOf(kind))
    for (const sent of [{}, { rsc: '1' }]) {
      expect(await (await get('/status', { ...sent, cookie })).text()).toContain('liar')
      expect(await (await get('/status', sent)).text()).not.toContain('liar')
    }
  })

  test('there is no image optimizer', async () => {
    for (const path of ['/_next/image', '/_next/image?url=%2Ficon.svg&w=64&q=75'])
      expect((await get(path)).status).toBe(404)
  })
})
