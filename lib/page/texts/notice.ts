export const notFoundTexts = {
  title: 'No node knows this page.',
  text: 'We asked, and all of them agreed: there is nothing at this address.',
  back: 'Back to the wallet',
} as const

export const errorTexts = {
  title: 'This page failed to meet quorum with itself.',
  text: 'Something went wrong on our side. Nothing was sent from your wallet.',
  retry: 'Try again',
  reference: 'Reference',
} as const
