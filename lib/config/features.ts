import { features, site } from '#site'

/** The pages of each feature, with all below them. */
const pages: Readonly<Record<keyof typeof features, readonly string[]>> = {
  token: ['/token'],
  console: ['/console'],
  status: ['/status'],
  signIn: ['/sign-in', '/account'],
  names: [],
  portfolio: [],
  approvals: ['/approvals'],
}

/** The pages of the features that are off. */
export function closedPages(on: typeof features = features): readonly string[] {
  return Object.entries(pages).flatMap(([feature, paths]) => (on[feature as keyof typeof pages] ? [] : paths))
}

/** The menu without the pages that are closed. */
export function openMenu(on: typeof features = features) {
  const closed = closedPages(on)
  return site.menu.filter(({ href }) => !closed.includes(href))
}

/** Where the page of the wallet is. */
export function walletPath(home: string = site.home): '/' | '/wallet' {
  return home === '/' ? '/' : '/wallet'
}

/** Next's rewrites that show another page as `/`. */
export function homeRewrites(home: string = site.home) {
  if (home === '/') return []
  return [
    { source: '/', destination: home },
    { source: walletPath(home), destination: '/' },
  ]
}

/** Why the app cannot be built for a function platform: a session is in one isolate, the next request in another. Null where it can. */
export function platformError(
  environment: Readonly<Record<string, string | undefined>>,
  { signIn }: Pick<typeof features, 'signIn'> = features,
): string | null {
  const platform = ['VERCEL', 'NETLIFY', 'CF_PAGES'].find((name) => environment[name])
  if (platform === undefined || !signIn) return null
  return `${platform} is a function platform, where nobody stays signed in: set features.signIn of site.config.ts to false, or use a Node host (docs/deploy.md)`
}

/** Where names are registered. */
export const namesChainId = 1

/** Whether names are looked up. */
export function hasNames(chainIds: readonly number[], on: typeof features = features): boolean {
  return on.names && chainIds.includes(namesChainId)
}
