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
  /** RPC_ALLOWED_ORIGINS; `*` stands for all. */
  readonly listed: readonly string[]
  /** Browser extensions are allowed too. */
  readonly extensions: boolean
}

/**
 * Judges where a request comes from by `Origin` and by `Sec-Fetch-Site`.
 *
 * `none`: no page of another site sent it (a server, curl, an address typed in). `same`: this site. `listed`: another that
 * is allowed. `foreign`: any other page, whose visitors' machines must not spend our quota.
 *
 * A wallet extension calls from its own origin, which no page can send, on behalf of the person who installed it: it is
 * a client like any other and is counted by its address.
 */
export function judgeOrigin(
  { origin, fetchSite, host }: OriginHeaders,
  { site, listed, extensions }: OriginRules,
): OriginVerdict {
  const isOpen = listed.includes('*')
  // A page of another site asks without Origin in plain GETs; the browser still says whose page it was.
  if (origin === null)
    return !isOpen && (fetchSite === 'cross-site' || fetchSite === 'same-site') ? 'foreign' : 'none'
  if (listed.includes(origin)) return 'listed'
  if (isSame(origin, host, site)) return 'same'
  return isOpen || (extensions && isExtension(origin)) ? 'listed' : 'foreign'
}

/** Whether a page of another site sent this request. Then it must not change anything: browsers send our cookies along. */
export function isForeign(header: (name: string) => string | null, site: string | null): boolean {
  const from = { origin: header('origin'), fetchSite: header('sec-fetch-site'), host: header('host') }
  return judgeOrigin(from, { site, listed: [], extensions: false }) === 'foreign'
}

/**
 * Without APP_ORIGIN the address that the browser used is all there is, and it must be an address: anybody's name can be made
 * to lead to ours (DNS rebinding). With it only loopback stays welcome besides.
 */
function isSame(origin: string, host: string | null, site: string | null): boolean {
  if (origin === site) return true
  if (host === null || hostOf(origin) !== host.toLowerCase()) return false
  return loopback.test(host) || (site === null && literal.test(host))
}

/**
 * The origin that a sign-in message must name: APP_ORIGIN and nothing else. The sender of a request chooses its `Host`, so only
 * where a developer tries the app, on loopback, may that stand for it.
 */
export function siteOf(
  host: string | null,
  { site, local }: { readonly site: string | null; readonly local: boolean },
): string | null {
  if (site !== null || !local || host === null || !loopback.test(host)) return site
  const origin = `http://${host.toLowerCase()}`
  return URL.canParse(origin) ? origin : null
}

/** Origin of a browser extension: Chromium's and Firefox's are named by an id, Safari's by a UUID. */
export function isExtension(origin: string): boolean {
  return /^(?:chrome|moz|safari-web)-extension:\/\/[0-9a-z-]{1,64}$/i.test(origin)
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** An IP address. What looks like one is one: browsers write addresses in their usual form, and no top-level domain is a number. */
const literal = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** `host[:port]` of a web origin; null for `null`, extensions and whatever is not exactly an origin. */
function hostOf(origin: string): string | null {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return null
  const url = new URL(origin)
  return url.origin === origin ? url.host : null
}
