import { expect, test } from 'vitest'
import type { Evidence } from '../../../../rpc-proxy/events/evidence-types.ts'
import { savedRequests } from '../../../../rpc-proxy/ledger/ledger.ts'

const proven = (weights: readonly number[], needed: number, operatorsMin = 1, required = 0) =>
  ({
    electorate: { weights, operators: weights.map((_, index) => `operator ${index}`), required },
    needed,
    operatorsMin,
  }) as unknown as Evidence

test.each([
  ['a proof in place of two votes', proven([1, 1, 1], 2), 1, 1],
  ['nothing where another call asked', proven([1, 1, 1], 2), 0, 2],
  ['nothing where forged proofs took as many', proven([1, 1, 1], 2), 3, 0],
  ['a heavy operator needs no other', proven([1, 3, 1], 2.5), 1, 0],
  ['but where operators must be three', proven([1, 3, 1], 2.5, 3), 1, 2],
  ['or where a light one must vote', proven([1, 3, 1], 2.5, 1, 0b100), 1, 1],
])('%s', (_, evidence, requests, saved) => {
  expect(savedRequests(evidence, requests)).toBe(saved)
})
