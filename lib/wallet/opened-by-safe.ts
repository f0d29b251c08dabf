const safeOrigin = 'https://app.safe.global'

/** Not every browser names who frames a page, and Safe may come to send no referrer: either will do. */
export function isOpenedBySafe(): boolean {
  const openers = [globalThis.document?.referrer ?? '', ...(location.ancestorOrigins ?? [])]
  return openers.some((opener) => opener === safeOrigin || opener.startsWith(`${safeOrigin}/`))
}
