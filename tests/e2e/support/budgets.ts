import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const app = join(import.meta.dirname, '../../../app')

/**
 * Script in the HTML of a page, gzipped, in kB (1,000 bytes). React's renderer takes 72 of it, React and Next's router 61, wagmi and
 * viem's client about 16, TanStack Query 7, our shell with its wallet states 9. The rest is the page's own.
 */
export const kilobytesMax: Readonly<Record<string, number>> = {
  // Figures of each chain and whether they are proven, the look-up of an address, the activity's and the send form's place, the end of a
  // connection in another tab, 0.3 in all for the line that has each chunk compiled early, 0.7 for
  // what `notify` shows.
  '/': 175.4,
  // The facts of a token, and TanStack's `useQuery`, which any page that reads needs.
  '/token': 173.2,
  // The operator's figures: periods and their zoom.
  '/status': 166.9,
  // The checker of certificates but for the proofs in them, and TanStack's `useQuery`.
  '/answers/sample': 170.9,
  // The calls of the gateway with their parameters, and copies for other clients.
  '/console': 173.4,
  // The page of an address that is none: the shell alone.
  '/nope': 163.9,
}

/** Of a page that is not named above. */
export const kilobytesDefault = 166.4

/** Every page of the app, with a sample of what its parameters stand for. */
export function pagesWithBudget(): readonly (readonly [string, number])[] {
  const pages = globSync('**/page.tsx', { cwd: app }).map((file) =>
    `/${dirname(file)}`.replace(/^\/\.$/, '/').replace(/\[\w+\]/g, 'sample'),
  )
  return [...new Set([...pages, ...Object.keys(kilobytesMax)])].map((path) => [
    path,
    kilobytesMax[path] ?? kilobytesDefault,
  ])
}
