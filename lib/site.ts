/** The site's name, texts and colours: what a fork changes first. */
export const site = {
  name: 'Quorate',
  claim: 'Believe no single node.',
  description: 'A wallet whose every balance was agreed on by independent nodes before you see it.',
  /** The statement in the sign-in message. Fixed, so that nobody can inject text into it. */
  statement: 'Sign in to Quorate. This costs nothing and moves nothing.',
  logo: '/icon.svg',
  /** The chain that a new connection asks the wallet to switch to. */
  initialChainId: 137,
  /** Tokens suggested on the token page. */
  tokens: [
    { chainId: 137, symbol: 'USDC', address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
    { chainId: 1, symbol: 'USDC', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    { chainId: 42161, symbol: 'USDC', address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
  ],
  /** The same for the local chains of `npm run demo`. */
  localTokens: [{ chainId: 137, symbol: 'DUSD', address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
  colours: {
    ground: '#121214',
    surface: '#1b1b1e',
    accent: '#2b2b30',
    gold: '#e8c063',
    goldTranslucent: 'rgba(242, 205, 120, 0.94)',
    text: '#f4f1ea',
    muted: '#a8a39a',
  },
} as const
