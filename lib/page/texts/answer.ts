import type { AskOutcome, Certificate } from '#lib/read.ts'

/** What is said of one answer and what it rests on. */
export const answerTexts = {
  title: 'Answer',
  back: 'Nodes',
  gone: 'This answer is not kept any more: the last 1,000 are, and failures and disputes for a day.',
  disputes: 'Disputes',
  disputesStory: 'Answers on which nodes differed, and those on which no quorum agreed. The newest first.',
  noDisputes: 'Nobody has disagreed yet.',
  disputeColumns: ['Time (UTC)', 'Chain', 'Method', 'Result', 'Against', 'Where they differ'],
  more: (count: number) => `and ${count} more`,
  whole: 'the whole answer',
  result({ outcome, reason }: Pick<Certificate, 'outcome' | 'reason'>): string {
    if (outcome === 'agreed') return 'agreed'
    return reason === 'disagree' ? 'no agreement' : reason === 'heads' ? 'no agreed head' : 'too few replies'
  },
  weights: (agreed: string, total: string, needed: string) => `${agreed} of ${total} agree, ${needed} needed`,
  facts: {
    result: 'Result',
    weights: 'Weight',
    rule: 'Decided by',
    block: 'Block',
    took: 'Took',
    at: 'At (UTC)',
    id: 'Id',
  },
  noBlock: 'none',
  timeline: 'Timeline',
  timelineColumns: ['Node', 'Asked after', 'Replied after', 'Outcome', 'Camp'],
  stalled: (ms: string) => `stalled after ${ms}`,
  notEnded: 'not yet',
  outcome: {
    answer: 'answered',
    revert: 'reverted',
    refusal: 'refused',
    known: 'knew it already',
    behind: 'is behind',
    cannot: 'cannot answer this',
    fault: 'failed',
    cancelled: 'not needed any more',
    pending: 'no reply yet',
  } satisfies Record<AskOutcome, string>,
  camps: 'What they said',
  camp: (index: number) => `Camp ${String.fromCharCode(65 + (index % 26))}`,
  campWeight: (weight: string) => `weight ${weight}`,
  winner: 'this is the answer',
  noCamps: 'No node voted.',
  digest: 'SHA-256',
  differences: 'Where they differ',
  absent: 'absent',
  confirmation: (gas: string) => `The estimate was confirmed by a call with ${gas} gas.`,
} as const
