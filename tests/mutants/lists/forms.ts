import type { Mutant } from '../mutant.ts'

export const forms: readonly Mutant[] = [
  {
    name: 'waits for a block number that one node added to a block',
    file: 'methods/answer.ts',
    find: "block: 'number',",
    replace: "block: 'blockNumber',",
    by: 'scenarios/batch.test.ts',
  },
]
