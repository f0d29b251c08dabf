import { expect, test } from 'vitest'
import { createHoldings } from '#lib/limits/holdings.ts'

const me = '203.0.113.1'
const you = '203.0.113.2'

function holdings() {
  const cut: string[] = []
  const met: string[] = []
  const { hold, held } = createHoldings({ perCallerMax: 10, max: 25 }, (which) => met.push(which))
  const take = (name: string, amount: number, caller: string | null = null) =>
    hold(amount, caller, () => cut.push(name))
  return { take, held, cut, met }
}

test('a caller may hold its share only, independent of others', () => {
  const { take, held, met } = holdings()
  take('a', 6, me)
  expect(take('b', 5, me)).toBeNull()
  expect(take('c', 4, me)).not.toBeNull()
  expect(take('d', 10, you)).not.toBeNull()
  expect([held(), met]).toEqual([20, ['own']])
})

test('addresses of one IPv6 network are one caller', () => {
  const { take } = holdings()
  take('a', 10, '2001:db8::1')
  expect(take('b', 1, '2001:db8::2')).toBeNull()
  expect(take('c', 1, '2001:db8:0:1::1')).not.toBeNull()
})

test('an amount above a full share is granted to a caller that holds nothing', () => {
  const { take } = holdings()
  const large = take('a', 20, me)
  expect(take('b', 1, me)).toBeNull()
  large?.end()
  expect(take('c', 1, me)).not.toBeNull()
})

test('a released amount can be held again, and is released only once', () => {
  const { take, held } = holdings()
  const hold = take('a', 10, me)
  hold?.give(4)
  expect(take('b', 4, me)).not.toBeNull()
  expect([take('c', 1, me), held()]).toEqual([null, 10])
  hold?.end()
  hold?.end()
  hold?.give(3)
  expect(held()).toBe(4)
})

test('when everything is held, the oldest are dropped, as few as needed', () => {
  const { take, held, cut, met } = holdings()
  const first = take('a', 5)
  take('b', 5)
  take('c', 15)
  expect(cut).toEqual([])
  take('d', 6)
  expect([cut, held(), met]).toEqual([['a', 'b'], 21, ['all', 'all']])
  first?.end()
  expect(held()).toBe(21)
})

test('unknown callers have no share, only the total limit', () => {
  const { take, cut } = holdings()
  for (let count = 0; count < 3; count += 1) take(String(count), 10)
  expect(cut).toEqual(['0'])
})
