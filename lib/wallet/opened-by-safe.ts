const safeOrigin = 'https://app.safe.global'

/** Checks both, because not every browser has `ancestorOrigins`, and Safe may stop sending a referrer. */
export function isOpenedBySafe(): boolean {
  const openers = [globalThis.document?.referrer ?? '', ...(location.ancestorOrigins ?? [])]
  return openers.some((opener) => opener === safeOrigin || opener.startsWith(`${safeOrigin}/`))
}
