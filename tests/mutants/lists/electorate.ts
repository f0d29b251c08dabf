import type { Mutant } from '../mutant.ts'

export const electorate: readonly Mutant[] = [
  {
    name: 'counts nodes instead of weight',
    file: 'quorum/operator-set.ts',
    find: 'sum += values[31 - Math.clz32(bits & -bits)] ?? 0',
    replace: 'sum += values.length > 0 ? 1 : 0',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'forgets operatorsMin',
    file: 'quorum/electorate.ts',
    find: ' || countOperators(operators) < electorate.operatorsMin',
    replace: '',
    by: 'sim',
  },
  {
    name: 'takes a quorum that is reached for one that must be passed',
    file: 'quorum/electorate.ts',
    find: 'weight < electorate.needed',
    replace: 'weight <= electorate.needed',
    by: 'sim',
  },
  {
    name: 'lets an operator weigh the sum of its nodes',
    file: 'quorum/electorate.ts',
    find: 'Math.max(weight, heaviest.get(operator) ?? 0)',
    replace: 'weight + (heaviest.get(operator) ?? 0)',
    by: 'sim',
  },
  {
    name: 'takes half for more than half',
    file: 'quorum/electorate.ts',
    find: 'weight * 2 > electorate.total',
    replace: 'weight * 2 >= electorate.total',
    by: 'rpc-proxy/quorum/electorate.test.ts',
  },
  {
    name: 'requests one operator for a majority',
    file: 'quorum/electorate.ts',
    find: 'Math.min(2, electorate.operators.length)',
    replace: '1',
    by: 'rpc-proxy/quorum/electorate.test.ts',
  },
  {
    name: 'gives a caller who requests for a majority what less agree on',
    file: 'calls/cached-read.ts',
    find: 'isQuorum(electorate, standing(chain, entry))',
    replace: 'isQuorum(chain.electorate, standing(chain, entry))',
    by: 'scenarios/majority.test.ts',
  },
  {
    name: 'has a caller who requests for a majority share what others ask',
    file: 'calls/cached-read.ts',
    find: "${electorate.majority ? '|majority' : ''}",
    replace: '',
    by: 'scenarios/majority.test.ts',
  },
]
