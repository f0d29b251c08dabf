import type { Quorum } from '../reading.ts'

export const chainTexts = {
  chains: 'Chains',
  balances: 'Balances',
  head: 'Latest block',
  block: 'at block',
  waiting: 'Asking the nodes…',
  lastKnown: 'Last known',
  /** “3 of 7 operators confirm this; 2 could not be reached” where that is thin. */
  agreement({ operators, dissenting, unreached, isProven }: Quorum): string {
    if (unreached > 0)
      return `${operators} of ${operators + dissenting + unreached} operators ${operators === 1 ? 'confirms' : 'confirm'} this; ${unreached} could not be reached`
    if (isProven) return `Proven at a block of ${operators} ${operators === 1 ? 'operator' : 'operators'}`
    return operators === 1 ? 'Answered by one operator' : `Agreed by ${operators} independent operators`
  },
  /** Empty where every operator that voted agrees. */
  dissent: ({ dissenting }: Quorum) =>
    dissenting === 0 ? '' : dissenting === 1 ? '1 operator disagreed' : `${dissenting} operators disagreed`,
  needed: (needed: string) => `${needed} needed`,
  why: 'Why?',
  whyOf: (what: string) => `Why? ${what}`,
  /** In the seal, where there is place for three words. */
  agreeing: (operators: number) => `${operators} ${operators === 1 ? 'operator agrees' : 'operators agree'}`,
  active: 'Active',
  since: (time: string) => `Not answering since ${time}`,
  degraded: (names: string) => `${names}: some nodes do not answer or disagree.`,
  down: (names: string) => `${names}: too few nodes answer. Figures may be old.`,
  closeNotice: 'Close this notice',
} as const

/** "Agreed by 2 independent operators, 1 operator disagreed" */
export function agreementLine(quorum: Quorum): string {
  return [chainTexts.agreement(quorum), chainTexts.dissent(quorum)].filter(Boolean).join(', ')
}

/** One sentence for each reason why there is no agreed answer. */
export const failureTexts = {
  disagree: 'The nodes disagree.',
  silent: 'Too few nodes answered.',
  heads: 'The nodes do not agree on the latest block.',
  thin: 'Too few independent nodes can be reached.',
  unproven: 'No node can prove this.',
  busy: 'Too many requests right now.',
  unreachable: 'This site cannot be reached. Check your connection.',
  refused: 'The request was refused.',
} as const
