import type { Mutant } from '../mutant.ts'

export const tally: readonly Mutant[] = [
  {
    name: 'takes two estimates of one operator for a contradiction',
    file: 'quorum/tally.ts',
    find: 'if (this.#options.mayDiffer && ',
    replace: 'if (this.#voted < 0 && ',
    by: 'scenarios/votes.test.ts',
  },
  {
    name: 'lets an operator revert where it has given a number',
    file: 'quorum/tally.ts',
    find: "&& camp.kind === 'answer') return",
    replace: ') return',
    by: 'scenarios/votes.test.ts',
  },
  {
    name: 'lets an operator that contradicts itself vote twice',
    file: 'quorum/tally.ts',
    find: 'if (elsewhere !== undefined) {',
    replace: 'if (elsewhere !== undefined && this.#split < 0) {',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves an operator that contradicts itself in its first camp',
    file: 'quorum/tally.ts',
    find: 'elsewhere.operators &= ~operator',
    replace: 'elsewhere.operators |= operator',
    by: 'model',
  },
  {
    name: 'lets an operator that contradicted itself come back',
    file: 'quorum/tally.ts',
    find: 'else if (!(this.#split & operator)) camp.operators |= operator',
    replace: 'else camp.operators |= operator',
    by: 'model',
  },
  {
    name: 'counts all answers as one camp',
    file: 'quorum/tally.ts',
    find: "other.kind === 'answer' && other.text === text",
    replace: "other.kind === 'answer'",
    by: 'model',
  },
  {
    name: 'counts all reverts as one camp, whatever their data',
    file: 'quorum/tally.ts',
    find: 'camp.kind === kind && camp.text === text',
    replace: 'camp.kind === kind',
    by: 'sim',
  },
  {
    name: 'lets bytes that are no JSON vote',
    file: 'quorum/tally.ts',
    find: 'value === unparsed ? null : this.#reading(value)',
    replace: 'value === unparsed ? raw : this.#reading(value)',
    by: 'sim',
  },
]
