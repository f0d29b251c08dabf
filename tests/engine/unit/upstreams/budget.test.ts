import { describe, expect, test } from 'vitest'
import { type Budget, createBudget, monthOf } from '../../../../rpc-proxy/upstreams/budget.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const plenty = { inFlightMax: 2, perSecond: null, perDay: null }
const never = new AbortController().signal
const dayMs = 86_400_000

/** A budget at the start of a day, and its clock. */
function fresh(options: Partial<Parameters<typeof createBudget>[0]>) {
  const clock = virtualClock(19_000 * dayMs)
  return { clock, budget: createBudget({ ...plenty, ...options }, clock) }
}

/** Starts asks now; returns how many of them were admitted at once. */
async function enter({ budget }: ReturnType<typeof fresh>, count: number) {
  const places = Array.from({ length: count }, () => budget.enter(never))
  for (const place of places) if (place === true) budget.leave()
  return places.filter((place) => place === true).length
}

test('places in flight are not charged for refused asks', async () => {
  const { budget } = fresh({ inFlightMax: 1, perDay: 4100 })
  // One is in, 4,096 wait, and the rest is refused.
  for (let turn = 0; turn < 4200; turn++) void budget.enter(never)
  expect(budget.leftToday()).toBe(3)
})

test('what is left of the day is told, and resets at midnight', async () => {
  const one = fresh({ inFlightMax: 100, perDay: 6 })
  expect(one.budget.leftToday()).toBe(6)
  await enter(one, 4)
  expect(one.budget.leftToday()).toBe(2)
  await enter(one, 4)
  expect(one.budget.leftToday()).toBe(0)
  one.budget.spend()
  expect(one.budget.leftToday()).toBe(0)
  await one.clock.advance(dayMs)
  expect(one.budget.leftToday()).toBe(6)
  expect(fresh({}).budget.leftToday()).toBeNull()
})

describe('engines that keep the limits of a node together', () => {
  function together(count: number, options: Parameters<typeof fresh>[0]) {
    const clock = virtualClock(19_000 * dayMs)
    const budgets: Budget[] = []
    for (let own = 0; own < count; own += 1)
      budgets.push(
        createBudget({ ...plenty, ...options }, clock, (requests) => {
          for (const [at, budget] of budgets.entries()) if (at !== own) budget.spentElsewhere(requests)
        }),
      )
    const admitted = async (most: number) => {
      let total = 0
      for (let turn = 0; turn < most; turn += 1)
        for (const budget of budgets) total += await enter({ budget, clock }, 1)
      return total
    }
    return { clock, budgets, admitted }
  }

  test('ten of them send it as much per second as one may', async () => {
    const { clock, admitted } = together(10, { perSecond: 20 })
    expect(await admitted(5)).toBe(20)
    await clock.advance(500)
    expect(await admitted(5)).toBe(10)
  })

  test('what was never sent is given back to all', async () => {
    const { budgets } = together(2, { perDay: 10, inFlightMax: 1 })
    const [one, two] = budgets
    const leaving = new AbortController()
    expect(one?.enter(never)).toBe(true)
    const waiting = one?.enter(leaving.signal)
    expect(two?.leftToday()).toBe(8)
    leaving.abort()
    expect(await waiting).toBe(false)
    expect(two?.leftToday()).toBe(9)
  })
})

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
