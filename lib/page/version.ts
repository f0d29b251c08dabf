/** Names the build in responses. */
export const buildHeader = 'x-quorate-build'

const checkMsMax = 3000

let isOld = false
const listeners = new Set<() => void>()

/** Whether this page is of an older build than the server's. Once true, it stays true. */
export const isOldVersion = () => isOld

export function subscribeVersion(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** Compares the build of a response of this site with the page's own. */
export function noteBuild(headers: Pick<Headers, 'get'>): void {
  if (isOld || typeof document === 'undefined') return
  const own = document.documentElement.dataset.build
  const theirs = headers.get(buildHeader)
  if (!own || !theirs || theirs === own) return
  isOld = true
  for (const changed of [...listeners]) changed()
}

/** Asks the server for its build, after something of this one did not load. Resolves to `isOldVersion()` and never throws. */
export async function checkVersion(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(checkMsMax)
    noteBuild((await fetch('/api/rpc/ready', { cache: 'no-store', signal })).headers)
  } catch {
    // No network: nothing is known of another version.
  }
  return isOld
}
