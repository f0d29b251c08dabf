import { describe, expect, test } from 'vitest'
import { judgeOrigin, type OriginRules, siteOf } from '#lib/config/origin.ts'

const site = 'https://app.example'
const listed = ['https://partner.example']
/** How a page of this origin is judged. What is undefined is not sent. */
function judge(
  origin?: string,
  fetchSite?: string,
  { host = 'app.example', ...rules }: Partial<OriginRules> & { readonly host?: string | null } = {},
) {
  const headers: Record<string, string | null | undefined> = { origin, host, 'sec-fetch-site': fetchSite }
  return judgeOrigin((name) => headers[name] ?? null, { site, listed, extensions: false, ...rules })
}

test.each([
  ['a caller that is no browser', undefined, undefined, 'none'],
  ['a visitor who typed the address', undefined, 'none', 'none'],
  ['this site, for what has no origin', undefined, 'same-origin', 'none'],
  ['another site, for what has no origin', undefined, 'cross-site', 'foreign'],
  ['a site beside this one, for what has no origin', undefined, 'same-site', 'foreign'],
  ['this site', site, 'same-origin', 'same'],
  ['a site of the list', 'https://partner.example', 'cross-site', 'listed'],
])('a request of %s', (_, origin, fetchSite, verdict) => {
  expect(judge(origin, fetchSite)).toBe(verdict)
})

test.each([
  ['another host', 'https://evil.example', 'https://evil-app.example', 'https://app.example.evil.example'],
  ['a host like that of a partner', 'https://partner.example.evil.example'],
  ['another port or scheme', 'https://app.example:8443', 'http://app.example', 'http://partner.example'],
  ['our host with a sign more', 'https://app.example.', 'https://app.example/', 'https://user@app.example'],
  ['our host in capitals', 'https://APP.example'],
  ['two hosts', 'https://app.example, https://evil.example'],
  ['no host', 'null', '', 'file://', 'chrome-extension://abcdefgh'],
])('a page of %s is foreign', (_, ...origins) => {
  for (const origin of origins)
    expect([judge(origin, 'cross-site'), judge(origin)], origin).toEqual(['foreign', 'foreign'])
})

test('a name rebound to our address is foreign, a loopback name is not', () => {
  expect(judge('http://evil.example', 'same-origin', { host: 'evil.example' })).toBe('foreign')
  expect(judge('http://127.0.0.1:3000', 'same-origin', { host: '127.0.0.1:3000' })).toBe('same')
})

describe('without APP_ORIGIN', () => {
  const loose = (origin: string, host: string | null) =>
    judge(origin, undefined, { host, site: null, listed: [], extensions: true })

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
  expect(judge(origin, 'none', { extensions: true })).toBe('listed')
  expect(judge(origin, 'none', { extensions: false })).toBe('foreign')
})

test.each([`${metamask}/x`, `${metamask}:1`, 'chrome-extension://', 'https://chrome-extension', 'null'])(
  '%j is no extension',
  (origin) => expect(judge(origin, undefined, { extensions: true })).toBe('foreign'),
)

test('a star opens the gateway to every page', () => {
  const open = { listed: ['*'] }
  expect(judge('https://any.example', 'cross-site', open)).toBe('listed')
  expect(judge('null', 'cross-site', open)).toBe('listed')
  expect(judge(undefined, 'cross-site', open)).toBe('none')
  expect(judge(site, 'same-origin', open)).toBe('same')
})

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['localhost:65535', 'http://localhost:65535'],
  ['localhost:65536', null],
  ['evil.example', null],
])('without APP_ORIGIN a sign-in at %s on a developer’s machine names %s', (host, origin) => {
  expect(siteOf(host, { site: null, local: true })).toBe(origin)
})
