/** Whether a browser's page may call, and whether the answer must say so. */
export type OriginVerdict = 'none' | 'same' | 'listed' | 'foreign'

export interface OriginHeaders {
  readonly origin: string | null
  readonly fetchSite: string | null
  readonly host: string | null
}

export interface OriginRules {
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  /** RPC_ALLOWED_ORIGINS. */
  readonly listed: readonly string[]
}

/**
 * Judges where a request comes from by `Origin` and by `Sec-Fetch-Site`.
 *
 * `none`: no page of another site sent it (a server, curl, an address typed in). `same`: this site. `listed`: another that
 * is allowed. `foreign`: any other page, whose visitors' machines must not spend our quota.
 */
export function judgeOrigin(
  { origin, fetchSite, host }: OriginHeaders,
  { site, listed }: OriginRules,
): OriginVerdict {
  // A page of another site asks without Origin in plain GETs; the browser still says whose page it was.
  if (origin === null) return fetchSite === 'cross-site' || fetchSite === 'same-site' ? 'foreign' : 'none'
  if (listed.includes(origin)) return 'listed'
  if (origin === site) return 'same'
  // Without APP_ORIGIN the name that the browser used is all there is. With it only loopback names stay welcome besides,
  // so that a name rebound to our address is not ours.
  if (host === null || hostOf(origin) !== host.toLowerCase()) return 'foreign'
  return site === null || loopback.test(host) ? 'same' : 'foreign'
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** `host[:port]` of a web origin; null for `null`, extensions and whatever is not exactly an origin. */
function hostOf(origin: string): string | null {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return null
  const url = new URL(origin)
  return url.origin === origin ? url.host : null
}
