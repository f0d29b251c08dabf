import { expect, test } from 'vitest'
import { decodeLieReports } from '#lib/status/lie-report.ts'

test('each chain has how many operators a lie would take, as the health route says', () => {
  const chains = [
    { chainId: 1, status: 'ok', operatorsToLie: { everyday: 2, protected: 4 } },
    { chainId: 137, status: 'ok', operatorsToLie: { everyday: 3, protected: null } },
  ]
  expect([...decodeLieReports({ status: 'ok', chains })]).toEqual([
    [1, { everyday: 2, protected: 4 }],
    [137, { everyday: 3, protected: null }],
  ])
})

test('a chain without a valid number is left out, and the others stay', () => {
  const broken = [null, {}, { chainId: 5 }, { chainId: 6, operatorsToLie: { everyday: 0, protected: 1 } }]
  const chains = [...broken, { chainId: 1, operatorsToLie: { everyday: 2, protected: 4 } }]
  expect([...decodeLieReports({ chains }).keys()]).toEqual([1])
})

test.each([null, 'down', { chains: 'none' }, []])(
  'nothing is said where the health route sends %j',
  (answer) => {
    expect(decodeLieReports(answer).size).toBe(0)
  },
)
