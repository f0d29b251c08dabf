import type { Mutant } from '../mutant.ts'

const trust = 'scenarios/trust.test.ts'

/** What is cached, and on whose word: S8, S20. */
export const memory: readonly Mutant[] = [
  {
    name: 'keys the cache without the chain',
    file: 'calls/share.ts',
    in: 'cacheScopeOf',
    edit: { kind: 'property', key: 'chain', value: "''" },
    breaks: ['S5', 'S8'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'ignores how strong a cached result is',
    file: 'calls/share.ts',
    in: 'look',
    edit: { kind: 'call', mentions: 'satisfies', value: 'standing(side, entry) !== 0' },
    breaks: ['S1', 'S8'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'gives a caller who asks for a majority what less agree on',
    file: 'calls/share.ts',
    in: 'look',
    edit: {
      kind: 'call',
      mentions: 'satisfies',
      value: "satisfies(chain, standing(side, entry), 'everyday')",
    },
    breaks: ['S8'],
    by: 'scenarios/majority.test.ts',
  },
  {
    name: 'caches receipts for good before their block is final',
    file: 'calls/lifetime.ts',
    in: 'lifetimeOf',
    edit: { kind: 'call', mentions: 'isFinal', value: 'number >= 0' },
    breaks: ['S8'],
    by: 'sim',
  },
  {
    name: 'caches for ever what a minority agrees on',
    file: 'calls/lifetime.ts',
    in: 'lifetimeOf',
    edit: { kind: 'name', from: 'minorityTtlMs', to: '1e12' },
    breaks: ['S8'],
    by: 'sim',
  },
  {
    name: 'serves results of a chain that was reset',
    file: 'chain/head-tracker.ts',
    in: 'headEvents.onReorg',
    edit: { kind: 'drop-statement', mentions: 'onDeepReorg' },
    breaks: ['S8'],
    by: 'sim',
  },
  {
    name: 'serves what an operator said before it was distrusted',
    file: 'chain/trust.ts',
    in: 'createTrust.believed',
    edit: { kind: 'operator', mentions: 'epoch', from: '>', to: '<' },
    breaks: ['S20'],
    by: 'sim',
  },
  {
    name: 'caches on the word of a suspect',
    file: 'calls/share.ts',
    in: 'keep',
    edit: { kind: 'call', mentions: 'difference', value: 'agreement.operators' },
    breaks: ['S20'],
    by: trust,
  },
  {
    name: 'believes heads that suspects have shown',
    file: 'chain/head-tracker.ts',
    in: 'createChainHeads.distrust',
    edit: { kind: 'call', mentions: 'contains', value: 'false' },
    breaks: ['S9', 'S20'],
    by: trust,
  },
]
