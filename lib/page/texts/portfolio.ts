import { sentence } from '../sentence.ts'

export const portfolioTexts = {
  token: 'Token',
  balance: 'Balance',
  none: 'No tokens yet',
  noneText: 'Tokens that this site lists appear here once you have some. Add others by their address.',
  unknown: 'Unknown',
  unknownText: 'The token did not answer.',
  lastKnown: (ago: string) => sentence`Last known ${ago} ago.`,
  whyOf: (chain: string) => `tokens on ${chain}`,
  add: 'Add a token',
  address: 'Token address',
  addAction: 'Add',
  addAnyway: 'Add it all the same',
  remove: 'Remove',
  removeOf: (symbol: string) => `Remove ${symbol}`,
  isListed: 'This token is in the list already.',
  isFull: (max: number) => sentence`You have added ${max} tokens on this network. Remove one first.`,
} as const
