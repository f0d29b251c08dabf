export const shellTexts = {
  skip: 'Skip to content',
  home: 'Wallet',
  nodes: 'Nodes',
  mainNavigation: 'Main',
  demo: 'Local chains. Nothing here is real money.',
  footer: 'Every figure here was agreed on by independent nodes.',
  privacy: 'No trackers. Your wallet is asked only when you ask it.',
} as const
