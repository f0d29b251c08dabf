import type { Mutant } from '../mutant.ts'

export const ask: readonly Mutant[] = [
  {
    name: 'forgets to abort what it gave up',
    file: 'quorum/ask.ts',
    find: 'if (isAnyInFlight) controller.abort(over)',
    replace: 'if (isAnyInFlight) void over',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves its timers behind',
    file: 'quorum/ask.ts',
    find: 'for (const cancel of timers) cancel()',
    replace: '',
    by: 'scenarios/asking.test.ts',
  },
  {
    name: 'repeats for ever what a node is behind with',
    file: 'quorum/ask.ts',
    find: 'hear(voter, record, false)',
    replace: 'hear(voter, record, true)',
    by: 'sim',
  },
  {
    name: 'lets a deadline pass',
    file: 'quorum/ask.ts',
    find: 'late = true',
    replace: 'late = false',
    by: 'sim',
  },
  {
    name: 'hears nobody leave',
    file: 'quorum/ask.ts',
    find: "signal?.addEventListener('abort', leave, { once: true })",
    replace: '',
    by: 'sim',
  },
]
