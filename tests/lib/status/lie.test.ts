import { expect, test } from 'vitest'
import { statusTexts } from '#lib/page/texts/status.ts'
import { isLieCheap } from '#lib/status/lie.ts'

test.each([
  [
    3,
    4,
    '3 operators would have to tell the same lie for it to become an everyday result; 4 for a protected one.',
  ],
  [1, 2, '1 operator that lies is enough for an everyday result; 2 for a protected one.'],
  [null, null, 'No lie can become an everyday result; no lie can become a protected one.'],
])('with %o everyday and %o protected operators the page says: %3$s', (everyday, firm, sentence) => {
  expect(statusTexts.lie({ everyday, protected: firm })).toBe(sentence)
})

test.each([
  [3, 3, false],
  [2, 4, true],
  [3, 2, true],
  [null, null, false],
])('%o everyday and %o protected operators are a warning: %o', (everyday, firm, isCheap) => {
  expect(isLieCheap({ everyday, protected: firm })).toBe(isCheap)
})
