import { expect, test } from 'vitest'
import { runSeed } from './run.ts'

/** Worlds in which an invariant was once reported as broken. */
test.each([
  [
    7_116_599,
    'a head of liars who are more than half of all weight is kept, and thin, while they show a lower one',
  ],
])('seed %i breaks no invariant: %s', (seed) => {
  expect(runSeed(seed, { note: () => {}, isTraced: false }).breaches).toEqual([])
})
