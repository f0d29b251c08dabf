import type { Mutant } from '../mutant.ts'

export const ask: readonly Mutant[] = [
  {
    name: 'forgets to abort what it gave up',
    file: 'race/race.ts',
    find: 'if (inFlight.length > 0) this.#abort.abort()',
    replace: '',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves its timers behind',
    file: 'race/race.ts',
    find: 'this.#isOver = true\n    this.#cancelTimer?.()',
    replace: 'this.#isOver = true',
    by: 'scenarios/asking.test.ts',
  },
  {
    name: 'repeats for ever what a node is behind with',
    file: 'quorum/ask.ts',
    find: 'asked.sends === 1 && ',
    replace: '',
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
    find: "signal?.addEventListener('abort', this.#leave, { once: true })",
    replace: '',
    by: 'sim',
  },
]
