import type { Mutant } from '../mutant.ts'

export const ask: readonly Mutant[] = [
  {
    name: 'forgets to abort what it gave up',
    file: 'round/round.ts',
    find: 'for (const request of dropped) request.abort()',
    replace: '',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves its timers behind',
    file: 'round/round.ts',
    find: 'if (this.#isOver) this.#cancelTimer?.()\n',
    replace: '',
    by: 'scenarios/asking.test.ts',
  },
  {
    name: 'repeats for ever what a node is behind with',
    file: 'quorum/read-round.ts',
    find: 'request.sends === 1 && ',
    replace: '',
    by: 'sim',
  },
  {
    name: 'lets a deadline pass',
    file: 'round/round.ts',
    find: 'this.#isLate = true',
    replace: 'this.#isLate = false',
    by: 'sim',
  },
  {
    name: 'hears nobody leave',
    file: 'round/round.ts',
    find: "signal?.addEventListener('abort', this.#leave, { once: true })",
    replace: '',
    by: 'sim',
  },
]
