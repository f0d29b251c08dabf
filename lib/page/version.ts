import { createStore } from './value-store.ts'

/** Names the build in responses. */
export const buildHeader = 'x-quorate-build'

const checkMsMax = 3000

/** Whether this page is of an older build than the server's. Once true, it stays true. */
export const oldVersion = createStore(false)

/** Compares the build of a response of this site with the page's own. */
export function noteBuild(headers: Pick<Headers, 'get'>): void {
  if (oldVersion.get() || typeof document === 'undefined') return
  const own = document.documentElement.dataset.build
  const theirs = headers.get(buildHeader)
  if (own && theirs && theirs !== own) oldVersion.set(true)
}

/** Asks the server for its build, after something of this one did not load. Resolves to whether it is newer and never throws. */
export async function checkVersion(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(checkMsMax)
    noteBuild((await fetch('/api/rpc/ready', { cache: 'no-store', signal })).headers)
  } catch {
    // No network: nothing is known of another version.
  }
  return oldVersion.get()
}
