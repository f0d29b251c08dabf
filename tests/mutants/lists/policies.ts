import type { Mutant } from '../mutant.ts'

const by = 'scenarios/protection.test.ts'

/** Everyday, tightened and protected rounds: silence must not lower the bar. */
export const policies: readonly Mutant[] = [
  {
    name: 'lets a voter that fails make a quorum cheaper',
    file: 'quorum/read-round.ts',
    in: 'ReadRound.#isInDoubt',
    edit: { kind: 'return', value: 'false' },
    breaks: ['S16'],
    by,
  },
  {
    name: 'begins as ever while a voter is unusable',
    file: 'quorum/progress.ts',
    in: 'isVoterDown',
    edit: { kind: 'return', value: 'false' },
    breaks: ['S16'],
    by,
  },
  {
    name: 'passes over a witness that contradicts',
    file: 'quorum/read-round.ts',
    in: 'ReadRound.#witnessesBeside',
    edit: { kind: 'return', value: 'noOperators' },
    breaks: ['S2'],
    by,
  },
  {
    name: 'gives a protected caller what the voters alone say',
    file: 'quorum/read-round.ts',
    in: 'ReadRound.#decided',
    edit: { kind: 'condition', mentions: '#policy', value: 'false' },
    breaks: ['thin', 'S2'],
    by,
  },
  {
    name: 'protects with two operators where three are configured',
    file: 'quorum/electorate.ts',
    in: 'electoratesOf',
    edit: { kind: 'name', from: 'protectMin', to: 'operatorsMin' },
    nth: 1,
    breaks: ['S2'],
    by,
  },
]
