import { describe, expect, test } from 'vitest'
import { judgeOrigin, type OriginRules, siteOf } from '#lib/config/origin.ts'

const site = 'https://app.example'
const listed = ['https://partner.example']
/** What is null is not sent. */
const judgeHeaders = (
  headers: { origin: string | null; fetchSite: string | null; host: string | null },
  rules: OriginRules,
) => {
  const { origin, fetchSite, host } = headers
  return judgeOrigin((name) => ({ origin, host, 'sec-fetch-site': fetchSite })[name] ?? null, rules)
}
const judge = (origin: string | null, fetchSite: string | null = null, host: string | null = 'app.example') =>
  judgeHeaders({ origin, fetchSite, host }, { site, listed, extensions: false })

test('only pages of another site are foreign', () => {
  expect(judge(null)).toBe('none')
  expect(judge(null, 'none')).toBe('none')
  expect(judge(null, 'same-origin')).toBe('none')
})

test('a page of another site is foreign even without an Origin header', () => {
  expect(judge(null, 'cross-site')).toBe('foreign')
  expect(judge(null, 'same-site')).toBe('foreign')
})

test('this site and listed ones may call', () => {
  expect(judge(site, 'same-origin')).toBe('same')
  expect(judge('https://partner.example', 'cross-site')).toBe('listed')
})

test.each([
  'null',
  'https://evil.example',
  'https://app.example.evil.example',
  'https://evil-app.example',
  'https://app.example:8443',
  'http://app.example',
  'https://app.example.',
  'https://app.example/',
  'https://user@app.example',
  'https://APP.example',
  'https://partner.example.evil.example',
  'http://partner.example',
  'https://app.example, https://evil.example',
  'chrome-extension://abcdefgh',
  'file://',
  '',
])('%j is foreign', (origin) => {
  expect(judge(origin, 'cross-site')).toBe('foreign')
  expect(judge(origin)).toBe('foreign')
})

test('a name rebound to our address is foreign, a loopback name is not', () => {
  expect(judge('http://evil.example', 'same-origin', 'evil.example')).toBe('foreign')
  expect(judge('http://127.0.0.1:3000', 'same-origin', '127.0.0.1:3000')).toBe('same')
})

describe('without APP_ORIGIN', () => {
  const loose = (origin: string, host: string | null) =>
    judgeHeaders({ origin, fetchSite: null, host }, { site: null, listed: [], extensions: true })

  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://192.0.2.7',
    'https://[2001:db8::1]:8443',
  ])('a page of the address %s in use is ours', (origin) => {
    expect(loose(origin, new URL(origin).host)).toBe('same')
    expect(loose('http://198.51.100.1', new URL(origin).host)).toBe('foreign')
    expect(loose(origin, null)).toBe('foreign')
  })

  test.each(['any.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'rebound:3000'])(
    'a page of the name %s is foreign, because anyone can point it here',
    (host) => expect(loose(`http://${host}`, host)).toBe('foreign'),
  )
})

const metamask = 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn'

test.each([
  metamask,
  'moz-extension://9f3c2c4e-6b0a-4a5e-8f59-0d0a3f3b5a77',
  'safari-web-extension://A1B2C3D4',
])('a wallet extension may call when extensions are allowed: %s', (origin) => {
  const from = (extensions: boolean) =>
    judgeHeaders({ origin, fetchSite: 'none', host: 'app.example' }, { site, listed: [], extensions })
  expect(from(true)).toBe('listed')
  expect(from(false)).toBe('foreign')
})

test.each([`${metamask}/x`, `${metamask}:1`, 'chrome-extension://', 'https://chrome-extension', 'null'])(
  '%j is no extension',
  (origin) => {
    const headers = { origin, fetchSite: null, host: 'app.example' }
    expect(judgeHeaders(headers, { site, listed: [], extensions: true })).toBe('foreign')
  },
)

test('a star opens the gateway to every page', () => {
  const open = (origin: string | null, fetchSite: string | null = 'cross-site') =>
    judgeHeaders({ origin, fetchSite, host: 'app.example' }, { site, listed: ['*'], extensions: false })
  expect(open('https://any.example')).toBe('listed')
  expect(open('null')).toBe('listed')
  expect(open(null)).toBe('none')
  expect(open(site, 'same-origin')).toBe('same')
})

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['localhost:65535', 'http://localhost:65535'],
  ['localhost:65536', null],
  ['evil.example', null],
])('without APP_ORIGIN a sign-in at %s on a developer’s machine names %s', (host, origin) => {
  expect(siteOf(host, { site: null, local: true })).toBe(origin)
})
