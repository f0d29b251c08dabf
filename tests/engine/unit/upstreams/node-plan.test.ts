import { expect, test } from 'vitest'
import { monthOf } from '../../../../rpc-proxy/upstreams/budget.ts'

test.each([
  ['2026-11-27', 1, '2026-11-01', '2026-12-01'],
  ['2026-11-27', 27, '2026-11-27', '2026-12-27'],
  ['2026-11-26', 27, '2026-10-27', '2026-11-27'],
  ['2026-01-05', 10, '2025-12-10', '2026-01-10'],
  // A month without that day begins on its last one.
  ['2026-02-10', 31, '2026-01-31', '2026-02-28'],
  ['2026-03-01', 31, '2026-02-28', '2026-03-31'],
  ['2028-02-29', 30, '2028-02-29', '2028-03-30'],
])('on %s a plan whose month begins on day %i is in the month from %s to %s', (now, day, from, to) => {
  expect(monthOf(day, Date.parse(`${now}T00:00:00Z`))).toEqual({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  })
})
