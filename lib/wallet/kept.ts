/** Where the query cache is kept between visits. */
export const cacheKey = 'quorate.cache'

/** Wipes what was kept of this visitor's reads. */
export function forgetCache(): void {
  try {
    localStorage.removeItem(cacheKey)
  } catch {
    // No storage, nothing kept.
  }
}
