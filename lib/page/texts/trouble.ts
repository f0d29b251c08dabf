export const troubleTexts = {
  titles: { connect: 'Wallet not connected', switchChain: 'Network not switched' },
  again: 'Try again',
  dismiss: 'Dismiss',
} as const
