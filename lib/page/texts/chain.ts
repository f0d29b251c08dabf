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
  degraded: (names: string) =>
    `${names}: some nodes do not answer or do not agree. Answers still need a quorum.`,
  down: (names: string) => `${names}: no quorum can be met right now. Figures may be old.`,
} as const

/** One sentence for each reason why there is no agreed answer. */
export const refusalTexts = {
  disagree: 'The nodes disagree, so no figure is shown.',
  silent: 'Too few nodes answered.',
  heads: 'The nodes do not agree on the latest block.',
  busy: 'Too many questions at once. Trying again…',
  unreachable: 'The gateway cannot be reached.',
  refused: 'The gateway refused the question.',
} as const
