import { expect, test } from 'vitest'
import { statusTexts } from '#lib/page/texts/status.ts'
import { isLieCheap } from '#lib/status/cheap-lie.ts'

test.each([
  [
    3,
    4,
    '3 operators would have to tell the same lie for it to become an everyday result; 4 for a protected one.',
  ],
  [
    2,
    3,
    'Only 2 operators would have to tell the same lie for it to become an everyday result; 3 for a protected one.',
  ],
  [
    3,
    2,
    '3 operators would have to tell the same lie for it to become an everyday result; only 2 for a protected one.',
  ],
  [
    1,
    2,
    'Only 1 operator would have to lie for that to become an everyday result; only 2 for a protected one.',
  ],
  [null, null, 'No lie can become an everyday result; no lie can become a protected one.'],
])('with %o everyday and %o protected operators the page says: %3$s', (everyday, firm, sentence) => {
  const operators = { everyday, protected: firm }
  expect(statusTexts.lie(operators, isLieCheap(operators))).toBe(sentence)
})
