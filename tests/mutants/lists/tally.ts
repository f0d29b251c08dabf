import type { Mutant } from '../mutant.ts'

export const tally: readonly Mutant[] = [
  {
    name: 'takes two estimates of one operator for a contradiction',
    file: 'quorum/reply-tally.ts',
    find: 'mayDiffer ? areResults : undefined',
    replace: 'mayDiffer && this.#textOf === undefined ? areResults : undefined',
    by: 'scenarios/votes.test.ts',
  },
  {
    name: 'lets an operator revert where it has given a number',
    file: 'quorum/reply-tally.ts',
    find: " && second.kind === 'result'",
    replace: ' && second.kind !== undefined',
    by: 'scenarios/votes.test.ts',
  },
  {
    name: 'lets an operator that contradicts itself vote twice',
    file: 'quorum/tally.ts',
    find: 'if (other === undefined) this.#join(group, operator)',
    replace: 'if (other === undefined || this.#split >= 0) this.#join(group, operator)',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves an operator that contradicts itself in its first group',
    file: 'quorum/tally.ts',
    find: 'group.operators = difference(group.operators, own)',
    replace: 'group.operators = union(group.operators, own)',
    by: 'model',
  },
  {
    name: 'lets an operator that contradicted itself come back',
    file: 'quorum/tally.ts',
    find: 'if (!contains(this.#split, operator)) group.operators',
    replace: 'group.operators',
    by: 'model',
  },
  {
    name: 'counts all answers as one group',
    file: 'quorum/reply-tally.ts',
    find: "other.kind === 'result' && other.text === text",
    replace: "other.kind === 'result'",
    by: 'model',
  },
  {
    name: 'counts all reverts as one group, whatever their data',
    file: 'quorum/reply-tally.ts',
    find: 'group.kind === kind && group.text === text',
    replace: 'group.kind === kind',
    by: 'sim',
  },
  {
    name: 'lets bytes that are no JSON vote',
    file: 'quorum/reply-tally.ts',
    find: 'value === unparsed ? null : this.#textOf(value)',
    replace: 'value === unparsed ? raw : this.#textOf(value)',
    by: 'sim',
  },
]
