import { expect, test } from 'vitest'
import { closedPages, homeRewrites, openMenu, platformError, walletPath } from '#lib/config/features.ts'
import { features, site } from '#site'

test('what is on is in the menu and closes no page', () => {
  const all = Object.fromEntries(Object.keys(features).map((name) => [name, true])) as typeof features
  expect(closedPages(all)).toEqual([])
  expect(openMenu(all)).toEqual(site.menu)
})

test('what is off is in no menu, and its pages are closed', () => {
  const some = { ...features, token: false, signIn: false }
  expect(closedPages(some)).toEqual(expect.arrayContaining(['/token', '/sign-in', '/account']))
  expect(openMenu(some).map(({ href }) => href)).not.toContain('/token')
})

test('another page is the home page, and the wallet keeps an address', () => {
  expect([homeRewrites('/'), walletPath('/')]).toEqual([[], '/'])
  expect(homeRewrites('/stake')).toEqual([
    { source: '/', destination: '/stake' },
    { source: walletPath('/stake'), destination: '/' },
  ])
})

test('a build for a function platform, where nobody stays signed in, is refused unless sign-in is off', () => {
  const vercel = { VERCEL: '1' }
  expect(platformError(vercel, { signIn: true })).toMatch(/^VERCEL .* features.signIn /)
  expect(platformError({ NETLIFY: 'true' }, { signIn: true })).toMatch(/^NETLIFY/)
  expect(platformError(vercel, { signIn: false })).toBeNull()
  expect(platformError({}, { signIn: true })).toBeNull()
})
