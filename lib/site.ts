/** What a fork changes first: who we are, in words and colours. */
export const site = {
  name: 'Quorate',
  claim: 'Believe no single node.',
  description: 'A wallet whose every balance was agreed on by independent nodes before you see it.',
  /** What a visitor signs when they sign in; fixed, so that nobody can slip words into it. */
  statement: 'Sign in to Quorate. This costs nothing and moves nothing.',
  logo: '/icon.svg',
  /** The chain that a fresh connection asks the wallet for. */
  initialChainId: 137,
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
