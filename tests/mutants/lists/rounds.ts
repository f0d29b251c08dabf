import type { Mutant } from '../mutant.ts'

/** When a round ends, what it leaves behind, and whom it blames: S10, S14, S17, S19. */
export const rounds: readonly Mutant[] = [
  {
    name: 'sends to one node at a time',
    file: 'quorum/verdict.ts',
    in: 'lacksVotes',
    edit: { kind: 'return', value: '!isEmpty(situation.remaining) && isEmpty(situation.awaited)' },
    breaks: ['S10'],
    by: 'model',
  },
  {
    name: 'forgets to abort what it gave up',
    file: 'round/round.ts',
    in: 'RunningRound.#giveUp',
    edit: { kind: 'drop-statement', mentions: 'abort' },
    breaks: ['S14'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'chooses nodes by chance that no seed determines',
    file: 'upstreams/order.ts',
    in: 'inOrder',
    edit: { kind: 'property', key: 'chance', value: 'Math.random()' },
    breaks: ['S17'],
    by: 'sim',
  },
  {
    name: 'opens a breaker, or backs off from a node, for caller-controlled work',
    file: 'upstreams/health.ts',
    in: 'Health.#failed',
    edit: { kind: 'condition', mentions: 'kind', value: 'false' },
    breaks: ['S19'],
    by: 'sim',
  },
]
