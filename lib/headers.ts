type Headers = Readonly<Record<string, string>>

/** Sent with every response, page or not. */
const common: Headers = {
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`: browsers then send `Origin: null` with our own forms, which reads as a form of another site.
  'referrer-policy': 'strict-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Sent with every response that is not a page: nothing in it may run, load anything or be framed. */
export const closedHeaders: Headers = {
  ...common,
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** Two years. Sent over https only, as RFC 6797 requires. */
export const strictTransport: Headers = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

/** Where browsers report violations of a page's policy: below the gateway, because its isolate holds the metrics on the edge host. */
export const reportPath = '/api/rpc/csp-reports'

export interface PageFacts {
  readonly path: string
  /** Random, for this response alone. */
  readonly nonce: string
  readonly secure: boolean
  /** `next dev`, where React evaluates text and Next styles its own overlay. */
  readonly dev: boolean
  /** Under DEMO its own wallet is the only one. */
  readonly demo: boolean
  /** Whether there is a project id, without which nothing of WalletConnect is asked. */
  readonly walletConnect: boolean
  /** GATEWAY_URL, where it is set. */
  readonly gateway: string | null
}

/** Sent with a page: what it may run, load and connect to, and who may frame it. */
export function pageHeaders(facts: PageFacts): Headers {
  return {
    ...common,
    'content-security-policy': pagePolicy(facts),
    // Not `same-origin`: the smart wallet of Coinbase refuses a page that is cut off from its pop-up.
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

/** Coinbase Wallet needs no project id: the relay to its phone app, and the RPC of its smart wallet. */
const coinbaseHosts = [
  'wss://www.walletlink.org',
  'https://www.walletlink.org',
  'https://rpc.wallet.coinbase.com',
]
const relayHosts = ['wss://relay.walletconnect.org', 'https://relay.walletconnect.org']
const verifyHosts = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Text becomes neither HTML nor a script; instrumentation-client.ts has the one policy. Tools of `next dev` need both. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

/** Safe shows apps in a frame of its own page. */
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
    // React writes `style` attributes into the HTML, and so does RainbowKit. They run nothing.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' blob: data:",
    'font-src': "'self'",
    'connect-src': [
      "'self'",
      ...(demo ? [] : coinbaseHosts),
      ...(relayed ? relayHosts : []),
      ...(gateway ? [new URL(gateway).origin] : []),
    ].join(' '),
    'frame-src': relayed ? verifyHosts.join(' ') : "'none'",
    'manifest-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': path === '/' ? framers : "'none'",
    'report-uri': reportPath,
    // Chromium takes endpoints over https only, and ignores `report-uri` as soon as `report-to` is there.
    ...(secure && { 'report-to': 'csp' }),
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
