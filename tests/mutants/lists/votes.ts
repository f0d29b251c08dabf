import type { Mutant } from '../mutant.ts'

/** Who votes, and with how much weight: S1, S2, S16. */
export const votes: readonly Mutant[] = [
  {
    name: 'counts nodes instead of weight',
    file: 'quorum/operator-set.ts',
    in: 'sumOver',
    edit: { kind: 'return', value: 'countOperators(set)' },
    breaks: ['S1'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'forgets operatorsMin',
    file: 'quorum/electorate.ts',
    in: 'isQuorum',
    edit: { kind: 'drop-operand', mentions: 'countEligible' },
    breaks: ['S1'],
    by: 'sim',
  },
  {
    name: 'lets an operator weigh the sum of its nodes',
    file: 'quorum/electorate.ts',
    in: 'electorateOf',
    edit: { kind: 'call', mentions: 'max', value: 'weight + (heaviest.get(operator) ?? 0)' },
    breaks: ['S2', 'S16'],
    by: 'sim',
  },
  {
    name: 'takes half for more than half',
    file: 'quorum/electorate.ts',
    in: 'isQuorum',
    edit: { kind: 'operator', mentions: 'total', from: '>', to: '>=' },
    breaks: ['S2'],
    by: 'rpc-proxy/quorum/electorate.test.ts',
  },
  {
    name: 'lets an operator that contradicts itself vote twice',
    file: 'quorum/tally.ts',
    in: 'Tally.vote',
    edit: { kind: 'condition', mentions: 'other', value: 'true' },
    nth: 0,
    breaks: ['S2'],
    by: 'sim',
    isVisible: true,
  },
]
