export const walletErrorTexts = {
  titles: { connect: 'Wallet not connected', switchChain: 'Network not switched' },
  safeSilent: 'Safe did not say which account to use. Your balances cannot be shown until it does.',
  broken: 'The wallet list stopped working, maybe because of a browser extension.',
} as const
