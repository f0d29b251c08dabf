import type { Mutant } from '../mutant.ts'

export const reorgs: readonly Mutant[] = [
  {
    name: 'takes a transaction without a block hash for one in a block',
    file: 'quorum/lookup.ts',
    find: 'const { blockHash = null } =',
    replace: 'const { blockHash } =',
    by: 'scenarios/objects.test.ts',
  },
  {
    name: 'waits for a block above the head that nobody has shown',
    file: 'heads/heads.ts',
    find: '(view.latest()?.number ?? -1) >= number),',
    replace: '(view.latest()?.number ?? -1) >= 0),',
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'answers an error for a block above the head',
    file: 'heads/pin.ts',
    find: 'if (rule.nullable) return null',
    replace: '',
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'answers a range of logs as far as the head, though it ends above it',
    file: 'heads/pin.ts',
    find: 'if (number <= height) return number',
    replace: "if (number <= height || rule.pin === 'range') return Math.min(number, height)",
    by: 'scenarios/logs.test.ts',
  },
  {
    name: 'waits before it refuses a range that runs backwards',
    file: 'heads/pin.ts',
    find: 'rangeOf(rule, params, Number.POSITIVE_INFINITY)',
    replace: '',
    by: 'scenarios/logs.test.ts',
  },
]
