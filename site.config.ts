/**
 * The identity of the site; docs/build/identity.md says what stands elsewhere. Texts of pages are in `lib/page/texts/`, chains and nodes in
 * `quorate.config.ts`.
 */

export const site = {
  /** `APP_NAME` takes its place where it is set. */
  name: 'Quorate',
  /** The heading of the wallet's page, and the title of `/`. */
  claim: 'Believe no single node.',
  /** For search engines and wallets. */
  description: 'A wallet whose every balance was agreed on by independent nodes before you see it.',
  /** The statement in the sign-in message. Fixed, so that nobody can inject text into it. */
  statement: 'Sign in with your account. This costs nothing and sends no transaction.',
  /** Of header, browser tab, manifest and wallets: drawn by `app/icon.svg/route.ts` in the site's colours, or a file of `public/`. */
  logo: '/icon.svg',
  /** The page that `/` shows. Where it is another one, the wallet's page is `/wallet`. */
  home: '/',
  /** Pages whose styles are sent before the page is rendered, as long as none of them redirects or is not found: their status is 200. */
  earlyPages: ['/', '/token', '/approvals', '/status'],
  /** Links in header and footer, beside the home page. */
  menu: [
    { href: '/token', text: 'Token' },
    { href: '/approvals', text: 'Approvals' },
    { href: '/status', text: 'Status' },
  ],
  /** Of `/token` and `useContract` where none is named; a wallet on no configured chain is asked to switch to it. */
  initialChainId: 137,
} as const

/** What is on. What is off is not found, is in no menu and loads nothing. */
export const features: Readonly<
  Record<'token' | 'console' | 'status' | 'signIn' | 'names' | 'portfolio' | 'approvals', boolean>
> = {
  /** `/token`. */
  token: true,
  /** `/console`, for operators. */
  console: true,
  /** `/status` and `/status/answers/{id}`. The gateway's own views and metrics stay. */
  status: true,
  /** `/sign-in`, `/account` and `/api/auth/`. */
  signIn: true,
  /** Names of ENS, where chain 1 is configured: visitors, recipients, look-ups, `/api/names`. */
  names: true,
  /** The visitor's balances of the tokens in `tokens.json`. */
  portfolio: true,
  /** `/approvals`. */
  approvals: true,
}

/**
 * The wallets that are listed where they are not installed, in this order; an installed one that announces itself is listed anyway.
 * Each is a row of `factories` in `lib/wallet/listed.ts`.
 */
export const wallets = [
  'injected',
  'safe',
  'rainbow',
  'coinbase',
  'metaMask',
  'walletConnect',
  'brave',
] as const

/** `system` follows the visitor's device. */
export const theme: 'light' | 'dark' | 'system' = 'system'

/**
 * Of the pages and of RainbowKit's modals: each is a CSS variable, `--accent`; `app/_ui/theme.css` derives tints and lines from them.
 * A test holds the contrast of both themes to WCAG AA.
 */
export const colours = {
  ground: { light: '#f8f5ed', dark: '#121214' },
  surface: { light: '#fffdf8', dark: '#1b1b1e' },
  'surface-2': { light: '#f3eee2', dark: '#232327' },
  'surface-3': { light: '#e9e3d4', dark: '#2d2d32' },
  text: { light: '#211d14', dark: '#f4f1ea' },
  muted: { light: '#57513f', dark: '#aca79d' },
  faint: { light: '#655e4e', dark: '#9b968c' },
  /** The border of what is typed into. */
  field: { light: '#857d6a', dark: '#7f7b72' },
  /** Of text, signs and charts; `accent-strong` where it matters more. */
  accent: { light: '#7d5a06', dark: '#e8c063' },
  'accent-strong': { light: '#664800', dark: '#ffdf94' },
  /** Of buttons, below `on-accent`. */
  'accent-fill': { light: '#e5b443', dark: '#e8c063' },
  'on-accent': { light: '#201703', dark: '#201703' },
  bad: { light: '#ab2217', dark: '#f5958a' },
  /** Of shadows, and of what lies behind a dialog. */
  shade: { light: 'rgb(74 58 20 / 28%)', dark: 'rgb(0 0 0 / 65%)' },
  backdrop: { light: 'rgb(52 45 28 / 45%)', dark: 'rgb(8 8 10 / 62%)' },
} as const

/** Bytes of the longest body for a Server Action or a route of your own: 413 beyond. JSON-RPC has `limits.bodyBytesMax` of its own. */
export const bodyBytesMax = 1 << 20

/** Agreed blocks until a transaction counts as confirmed; fewer on chains with slow blocks. */
export const confirmations: Readonly<Record<number | 'default', number>> = { default: 3, 1: 2 }

/** Tokens suggested on `/token`. Other tokens with the name of one of these, or of one in `tokens.json`, are marked everywhere. */
export const tokens = [
  { chainId: 137, symbol: 'USDC', name: 'USD Coin', address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  { chainId: 1, symbol: 'USDC', name: 'USD Coin', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
  { chainId: 42161, symbol: 'USDC', name: 'USD Coin', address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
] as const

/** Tokens suggested on `/token` for the local chains of `npm run demo`. */
export const localTokens = [
  {
    chainId: 137,
    symbol: 'DUSD',
    name: 'Demo Dollar',
    address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  },
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
