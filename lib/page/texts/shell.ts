export const shellTexts = {
  skip: 'Skip to content',
  home: 'Wallet',
  account: 'Your account',
  retry: 'Try again',
  dismiss: 'Dismiss',
  mainNavigation: 'Main',
  demo: 'Local chains. Nothing here is real money.',
  withoutScripts: 'Connecting a wallet needs JavaScript. You can still look up any address.',
  footer: 'Every figure here was agreed on by independent nodes.',
  privacy: 'No trackers. Wallets are contacted only when you choose one.',
} as const
