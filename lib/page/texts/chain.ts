export const chainTexts = {
  chains: 'Chains',
  balances: 'Balances',
  head: 'Agreed head',
  block: 'at block',
  waiting: 'Asking the nodes…',
  lastKnown: 'Last known',
  agreement: (agreed: string, total: string) => `${agreed} of ${total} agree`,
  needed: (needed: string) => `${needed} needed`,
  active: 'Active',
  since: (time: string) => `Not answering since ${time}`,
  notFollowed: 'Figures are not being updated.',
  degraded: (names: string) =>
    `${names}: some nodes do not answer, or disagree with the others. Figures still need a quorum.`,
  down: (names: string) => `${names}: no quorum can be met right now. Figures may be old.`,
} as const

/** One sentence for each reason why there is no agreed answer. */
export const refusalTexts = {
  disagree: 'The nodes disagree.',
  silent: 'Too few nodes answered.',
  heads: 'The nodes do not agree on the latest block.',
  busy: 'Too many requests right now.',
  unreachable: 'The gateway cannot be reached.',
  refused: 'The gateway refused the request.',
} as const
