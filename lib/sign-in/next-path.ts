/** Where a visitor lands who wanted no other page. */
const accountPage = '/account'
const signInPage = '/sign-in'
const charactersMax = 2048
/** No host of the internet: what still names it after parsing stays on this site. */
const here = 'http://here.invalid'

/** The header in which `proxy.ts` tells a page its own path and query. */
export const pagePathHeader = 'x-page-path'

/** The sign-in page, which leads back to this page. */
export function signInPathFrom(path: string | null): string {
  const next = nextPath(path ?? undefined)
  return next === accountPage ? signInPage : `${signInPage}?next=${encodeURIComponent(next)}`
}

/** The page to load after a sign-in: of this site and no other, whatever the address of the sign-in page says. */
export function nextPath(value: string | readonly string[] | undefined): `/${string}` {
  if (typeof value !== 'string' || value.length > charactersMax || !value.startsWith('/')) return accountPage
  if (!URL.canParse(value, here)) return accountPage
  const { origin, pathname, search, hash } = new URL(value, here)
  // A path that begins with two slashes names another host when it is parsed again.
  const isOurs = origin === here && !pathname.startsWith('//') && pathname.startsWith('/')
  const isPage = pathname !== signInPage && !pathname.startsWith('/api/')
  return isOurs && isPage ? (`${pathname}${search}${hash}` as `/${string}`) : accountPage
}
