import { features, site } from '#site'

/** The pages of each feature, with all below them. */
const pages: Readonly<Record<keyof typeof features, readonly string[]>> = {
  token: ['/token'],
  console: ['/console'],
  status: ['/status'],
  signIn: ['/sign-in', '/account'],
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
