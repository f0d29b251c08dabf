export const accountTexts = {
  connect: 'Connect Wallet',
  connecting: 'Connecting…',
  wrongNetwork: 'Wrong network',
  reconnect: 'Reconnect',
  stopLooking: 'Close',
  account: 'Account',
  send: 'Send',
  switch: 'Switch network',
  network: 'Network',
  copy: 'Copy address',
  copied: 'Copied',
  failed: 'The wallet list did not load. Check your connection and try again.',
} as const
