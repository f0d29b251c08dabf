import { expect, test } from 'vitest'
import { plainText } from '#lib/page/plain-text.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { decodeLieReports, isLieCheap } from '#lib/status/lie-report.ts'

test('each chain has how many operators a lie would take, as the health route says, and one without a number is left out', () => {
  const operatorsToLie = { 1: { everyday: 2, protected: 4 }, 137: { everyday: 3, protected: null } }
  const broken = [null, {}, { chainId: 5 }, { chainId: 6, operatorsToLie: { everyday: 0, protected: 1 } }]
  const known = Object.entries(operatorsToLie).map(([id, lie]) => ({
    chainId: Number(id),
    operatorsToLie: lie,
  }))
  const reports = decodeLieReports({ status: 'ok', chains: [...broken, ...known] })
  expect(Object.fromEntries(reports)).toEqual(operatorsToLie)
})

test.each([null, 'down', { chains: 'none' }, []])('of %j as the health nothing is said', (answer) => {
  expect(decodeLieReports(answer).size).toBe(0)
})

const same = 'would have to tell the same lie for it to become an everyday result'
const alone = 'would have to lie for that to become an everyday result'

test.each([
  [3, 4, `3 operators ${same}; 4 for a protected one.`],
  [2, 3, `Only 2 operators ${same}; 3 for a protected one.`],
  [3, 2, `3 operators ${same}; only 2 for a protected one.`],
  [1, 2, `Only 1 operator ${alone}; only 2 for a protected one.`],
  [null, null, 'No lie can become an everyday result; no lie can become a protected one.'],
])('with %o everyday and %o protected operators the page says: %3$s', (everyday, firm, sentence) => {
  const operators = { everyday, protected: firm }
  expect(plainText(statusTexts.lie(operators, isLieCheap(operators)))).toBe(sentence)
})

test('a lie of two operators is cheap, and none of three', () => {
  const cheap = [1, 2, 3, null].map((operators) => isLieCheap({ everyday: operators, protected: operators }))
  const both = (isCheap: boolean) => ({ everyday: isCheap, protected: isCheap })
  expect(cheap).toEqual([both(true), both(true), both(false), both(false)])
})
