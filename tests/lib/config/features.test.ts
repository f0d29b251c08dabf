import { expect, test } from 'vitest'
import { closedPages, openMenu } from '#lib/config/features.ts'
import { features, site } from '#site'

test('what is on is in the menu and closes no page', () => {
  const all = { token: true, console: true, status: true, signIn: true }
  expect(closedPages(all)).toEqual([])
  expect(openMenu(all)).toEqual(site.menu)
})

test('what is off is in no menu, and its pages are closed', () => {
  const some = { ...features, token: false, signIn: false }
  expect(closedPages(some)).toEqual(expect.arrayContaining(['/token', '/sign-in', '/account']))
  expect(openMenu(some).map(({ href }) => href)).not.toContain('/token')
})
