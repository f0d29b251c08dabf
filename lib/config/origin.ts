/** Where a request comes from, as far as browsers tell. */
export type OriginVerdict = 'none' | 'same' | 'listed' | 'foreign'

export interface OriginRules {
  /** APP_ORIGIN, if set. */
  readonly site: string | null
  /** RPC_ALLOWED_ORIGINS; `*` allows all. */
  readonly listed?: readonly string[]
  /** Allows browser extensions too. */
  readonly extensions?: boolean
}

/**
 * Classifies a request by `Origin` and `Sec-Fetch-Site`. `none`: not sent by a page of another site (a server, curl, a typed URL). `foreign`:
 * by one whose visitors must not spend our quota. A wallet extension has an origin of its own, which pages cannot forge.
 */
export function judgeOrigin(
  header: (name: string) => string | null,
  { site, listed = [], extensions = false }: OriginRules,
): OriginVerdict {
  const origin = header('origin')
  const fetchSite = header('sec-fetch-site')
  const isOpen = listed.includes('*')
  // Simple GETs of other sites' pages have no Origin, but browsers send Sec-Fetch-Site.
  if (origin === null)
    return !isOpen && (fetchSite === 'cross-site' || fetchSite === 'same-site') ? 'foreign' : 'none'
  if (listed.includes(origin)) return 'listed'
  if (isSame(origin, header('host'), site)) return 'same'
  return isOpen || (extensions && isExtension(origin)) ? 'listed' : 'foreign'
}

/** Whether a page of another site sent this request. Then it must not change anything: browsers send our cookies along. */
export function isForeign(header: (name: string) => string | null, site: string | null): boolean {
  return judgeOrigin(header, { site }) === 'foreign'
}

/**
 * Without APP_ORIGIN only the `Host` header can be compared, and it must be an IP address, because any domain name can be pointed
 * at ours (DNS rebinding). With APP_ORIGIN, only loopback is accepted besides.
 */
function isSame(origin: string, host: string | null, site: string | null): boolean {
  if (origin === site) return true
  if (host === null || hostOf(origin) !== host.toLowerCase()) return false
  return loopback.test(host) || (site === null && literal.test(host))
}

/**
 * The origin that a sign-in message must name: APP_ORIGIN. Clients choose the `Host` header, so it is used only in demo and dev,
 * on loopback.
 */
export function siteOf(
  host: string | null,
  { site, local }: { readonly site: string | null; readonly local: boolean },
): string | null {
  if (site !== null || !local || host === null || !loopback.test(host)) return site
  const origin = `http://${host.toLowerCase()}`
  return URL.canParse(origin) ? origin : null
}

/** The origin of a browser extension: an id in Chromium and Firefox, a UUID in Safari. */
function isExtension(origin: string): boolean {
  return /^(?:chrome|moz|safari-web)-extension:\/\/[0-9a-z-]{1,64}$/i.test(origin)
}

/** The origin of an app that shows its pages under a scheme of its own: `tauri://localhost`, `capacitor://localhost`, `app://.`. */
export function isApp(origin: string): boolean {
  return /^(?!https?:|file:)[a-z][a-z0-9+.-]{0,31}:\/\/[0-9a-z._-]{1,253}(?::\d{1,5})?$/i.test(origin)
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** An IP address. The pattern suffices: browsers normalize addresses, and no top-level domain is numeric. */
const literal = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** `host[:port]` of a web origin; null for `null`, extensions and anything else. */
function hostOf(origin: string): string | null {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return null
  const url = new URL(origin)
  return url.origin === origin ? url.host : null
}
