export const receiveTexts = {
  text: (chains: string) =>
    `The same address on ${chains}. What is sent on other networks is not shown here.`,
  codeOf: (text: string) => `QR code of ${text}`,
  copyLink: 'Copy link',
  share: 'Share',
  request: 'Ask for an amount',
  amount: 'Amount',
  warning:
    'Some wallets ignore the network and the amount of such a link. Tell the sender both, and check what arrives.',
} as const
