/**
 * The identity of the site; docs/build/identity.md says what stands elsewhere. Texts of pages are in `lib/page/texts/`, chains and nodes in
 * `quorate.config.ts`.
 */

export const site = {
  /** `APP_NAME` takes its place where it is set. */
  name: 'Quorate',
  claim: 'Believe no single node.',
  description: 'A wallet whose every balance was agreed on by independent nodes before you see it.',
  /** The statement in the sign-in message. Fixed, so that nobody can inject text into it. */
  statement: 'Sign in with your account. This costs nothing and sends no transaction.',
  /** `app/icon.svg`, which the wallet shows too. */
  logo: '/icon.svg',
  /** Links in the header, beside the home page. */
  menu: [
    { href: '/token', text: 'Token' },
    { href: '/status', text: 'Nodes' },
  ],
  /** The chain that a new connection asks the wallet to switch to. */
  initialChainId: 137,
} as const

/** Of the pages and of RainbowKit's modals: each is a CSS variable, `--gold`. What stands on gold is `on-gold`. */
export const colours = {
  ground: '#121214',
  surface: '#1b1b1e',
  'surface-2': '#232327',
  'surface-3': '#2d2d32',
  line: 'rgb(255 248 230 / 8%)',
  'line-strong': 'rgb(255 248 230 / 16%)',
  text: '#f4f1ea',
  muted: '#aca79d',
  faint: '#938e85',
  gold: '#e8c063',
  'gold-bright': '#ffdf94',
  'gold-deep': '#b78d35',
  'gold-tint': 'rgb(232 192 99 / 10%)',
  'gold-line': 'rgb(232 192 99 / 32%)',
  'gold-dim': '#5a5346',
  'on-gold': '#201703',
  bad: '#f5958a',
  'bad-tint': 'rgb(245 149 138 / 10%)',
  'bad-line': 'rgb(245 149 138 / 34%)',
  /** RainbowKit's accent, and what stands on it. */
  accent: '#2b2b30',
  'on-accent': 'rgb(242 205 120 / 94%)',
} as const

/** Agreed blocks until a transaction counts as confirmed; fewer on chains with slow blocks. */
export const confirmations: Readonly<Record<number | 'default', number>> = { default: 3, 1: 2 }

/** Tokens suggested on the token page. */
export const tokens = [
  { chainId: 137, symbol: 'USDC', address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  { chainId: 1, symbol: 'USDC', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
  { chainId: 42161, symbol: 'USDC', address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
] as const

/** The same for the local chains of `npm run demo`. */
export const localTokens = [
  { chainId: 137, symbol: 'DUSD', address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
] as const

/**
 * Other hosts that pages may load from; the Content Security Policy forbids all that are not named. Each as an origin,
 * `https://images.example`, with the reason beside it.
 */
export const hosts: { readonly images: readonly string[]; readonly api: readonly string[] } = {
  images: [],
  /** For `fetch`. */
  api: [],
}
