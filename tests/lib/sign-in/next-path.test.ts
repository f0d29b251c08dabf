import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextPath, signInPathFrom } from '#lib/sign-in/next-path.ts'

const site = 'https://app.example'
/** Where a browser goes from a page of this site. */
const landing = (value: string | readonly string[] | undefined) =>
  new URL(nextPath(value), `${site}/sign-in`).href

describe('the page after a sign-in', () => {
  test.each([
    ['/members', '/members'],
    ['/orders?id=7&of=a%20b#last', '/orders?id=7&of=a%20b#last'],
    ['/a/../members', '/members'],
    ['/', '/'],
  ])('is the one that the visitor wanted: %s', (value, path) => {
    expect(nextPath(value)).toBe(path)
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //evil.example',
    'members',
    '@evil.example',
    '/\\/\\evil.example',
    '',
  ])('is on this site, also for %j', (value) => {
    expect(landing(value)).toBe(`${site}/account`)
  })

  test('is the account where none or several are named, for the sign-in page itself, and for what is no page', () => {
    for (const value of [
      undefined,
      ['/members', '/orders'],
      '/sign-in',
      '/sign-in?next=/sign-in',
      '/api/auth/session',
    ])
      expect(nextPath(value)).toBe('/account')
    expect(nextPath(`/${'a'.repeat(2047)}`)).toHaveLength(2048)
    expect(nextPath(`/${'a'.repeat(2048)}`)).toBe('/account')
  })

  test('is on this site, whatever is asked for', () => {
    const piece = fc.constantFrom(...'/\\.\t\n @:?#', '..', '%2f', '%5c', 'evil.example')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (value) => {
          expect(new URL(landing(value)).origin).toBe(site)
          expect(new URL(landing(`/${value}`)).origin).toBe(site)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('is named by the sign-in page, unless it is the account', () => {
    expect(signInPathFrom('/orders?id=7')).toBe('/sign-in?next=%2Forders%3Fid%3D7')
    expect(signInPathFrom('/account')).toBe('/sign-in')
    expect(signInPathFrom(null)).toBe('/sign-in')
  })
})
