import type { Certificate, UpstreamOutcome } from '#lib/engine/engine-reads.ts'

const reasons = {
  disagree: 'no agreement',
  silent: 'too few replies',
  heads: 'no agreed head',
  pruned: 'too few replies',
  thin: 'too few nodes could be reached for a protected result',
  unproven: 'no node sent a proof that holds',
  refused: 'refused by a quorum',
  malformed: 'replies that cannot be read',
} satisfies Record<NonNullable<Certificate['reason']>, string>

/** How many nodes had to agree, and why as many: `docs/risk.md`. */
const policies = {
  everyday: () => 'Every usual node could be asked, so enough of those had to agree.',
  tightened: () =>
    'A usual node did not answer or was outvoted, so more than half of all nodes had to agree, by weight.',
  protected: (operatorsMin) =>
    `It was asked for a transaction, so more than half of all nodes had to agree, by weight, and at least ${operatorsMin} operators.`,
  bridge: () =>
    'It was asked for messages between chains, so all operators had to agree, and three at least.',
} satisfies Record<Certificate['policy'], (operatorsMin: number) => string>

/** What is said of one answer and what it rests on. */
export const answerTexts = {
  title: 'Answer',
  back: 'Status',
  unread: 'The gateway is busy or cannot be reached. Try again in a moment.',
  gone: 'This answer is not kept any more: the last 1,000 are, and failures and disputes for a day.',
  disputes: 'Disputes',
  disputeCount: (count: number) => (count === 1 ? '1 answer' : `The last ${count} answers`),
  disputesTable: 'Table of disputes',
  rests: 'What it rests on',
  disputesStory: 'Answers on which nodes differed, and those on which no quorum agreed. The newest first.',
  noDisputes: 'Nobody has disagreed yet.',
  disputeColumns: ['Time (UTC)', 'Chain', 'Method', 'Result', 'Against', 'Where they differ'],
  more: (count: number) => `and ${count} more`,
  whole: 'the whole answer',
  result({ outcome, reason }: Pick<Certificate, 'outcome' | 'reason'>): string {
    if (outcome === 'agreed') return 'agreed'
    return reasons[reason ?? 'silent']
  },
  weights: (agreed: string, total: string, needed: string) => `${agreed} of ${total} agree, ${needed} needed`,
  policy: ({ policy, operatorsMin }: Pick<Certificate, 'policy' | 'operatorsMin'>) =>
    policies[policy](operatorsMin),
  thin: 'Only the usual nodes agree: too few others could be reached.',
  facts: {
    result: 'Result',
    weights: 'Weight',
    rule: 'Decided by',
    block: 'Block',
    took: 'Took',
    at: 'At (UTC)',
    id: 'Id',
    trace: 'Trace',
  },
  noBlock: 'none',
  timeline: 'Timeline',
  timelineColumns: ['Node', 'Asked after', 'Replied after', 'Outcome', 'Group'],
  stalled: (ms: string) => `stalled after ${ms}`,
  notEnded: 'not yet',
  outcome: {
    result: 'answered',
    reverted: 'reverted',
    rejected: 'rejected',
    known: 'knew it already',
    behind: 'is behind',
    unsupported: 'cannot answer this',
    fault: 'failed',
    cancelled: 'not needed any more',
    pending: 'no reply yet',
  } satisfies Record<UpstreamOutcome, string>,
  groups: 'What they said',
  group: (index: number) => `Group ${String.fromCharCode(65 + (index % 26))}`,
  groupWeight: (weight: string) => `weight ${weight}`,
  winner: 'this is the answer',
  noGroups: 'No node voted.',
  digest: 'SHA-256',
  differences: 'Where they differ',
  absent: 'absent',
  confirmation: (gas: string) => `The estimate was confirmed by a call with ${gas} gas.`,
} as const
