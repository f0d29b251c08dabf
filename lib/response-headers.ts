import { hosts } from '#site'

type Headers = Readonly<Record<string, string>>

/** For every response. */
const common: Headers = {
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`: browsers would send `Origin: null` with our own forms, like a form of another site.
  'referrer-policy': 'strict-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** For every response that is not a page: it may not run or load anything, or be framed. */
export const closedHeaders: Headers = {
  ...common,
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** Two years. Only over https, as RFC 6797 requires. */
export const strictTransport: Headers = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

/** Where browsers report policy violations. Below the gateway's path, because on the edge host its isolate has the metrics. */
export const reportPath = '/api/rpc/csp-reports'

export interface PageFacts {
  readonly path: string
  /** Random per response. */
  readonly nonce: string
  readonly secure: boolean
  /** `next dev`, where React uses eval and Next injects styles. */
  readonly dev: boolean
  /** DEMO, which offers only its own wallet. */
  readonly demo: boolean
  /** Whether WalletConnect has a project id. Without one it is not used. */
  readonly walletConnect: boolean
  /** GATEWAY_URL, if set. */
  readonly gateway: string | null
}

/** For pages: what they may run, load and connect to, and who may frame them. */
export function pageHeaders(facts: PageFacts): Headers {
  return {
    ...common,
    'content-security-policy': pagePolicy(facts),
    // Not `same-origin`: Coinbase's smart wallet needs the connection between the page and its pop-up.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    ...(facts.secure && { ...strictTransport, 'reporting-endpoints': `csp="${reportPath}"` }),
  }
}

const refusedFeatures = [
  ...['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media', 'geolocation'],
  ...['gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]

/** The relay of Coinbase Wallet's mobile app, and the RPC of its smart wallet. They need no project id. */
const coinbaseHosts = [
  'wss://www.walletlink.org',
  'https://www.walletlink.org',
  'https://rpc.wallet.coinbase.com',
]
const relayHosts = ['wss://relay.walletconnect.org', 'https://relay.walletconnect.org']
const verifyHosts = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Forbids text as HTML or script; the only policy is in instrumentation-client.ts. Not in `next dev`, whose tools need both. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

/** Safe embeds apps in a frame. */
const framers = "'self' https://app.safe.global"

export function pagePolicy({ path, nonce, secure, dev, demo, walletConnect, gateway }: PageFacts): string {
  const relayed = walletConnect && !demo
  const own = `'self' 'nonce-${nonce}'`
  const directives: Readonly<Record<string, string>> = {
    ...(!dev && trustedTypes),
    'default-src': "'none'",
    'script-src': `${own} 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    'style-src': own,
    'style-src-elem': dev ? "'self' 'unsafe-inline'" : own,
    // React and RainbowKit write `style` attributes. They cannot run code.
    'style-src-attr': "'unsafe-inline'",
    'img-src': ["'self' blob: data:", ...hosts.images].join(' '),
    'font-src': "'self'",
    'connect-src': [
      "'self'",
      ...(demo ? [] : coinbaseHosts),
      ...(relayed ? relayHosts : []),
      ...(gateway ? [new URL(gateway).origin] : []),
      ...hosts.api,
    ].join(' '),
    'frame-src': relayed ? verifyHosts.join(' ') : "'none'",
    'manifest-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': path === '/' ? framers : "'none'",
    'report-uri': reportPath,
    // Chromium accepts endpoints over https only, and ignores `report-uri` when there is a `report-to`.
    ...(secure && { 'report-to': 'csp' }),
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
