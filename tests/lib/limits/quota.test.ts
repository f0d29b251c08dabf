import { expect, test, vi } from 'vitest'
import { Quota } from '#lib/limits/quota.ts'

const me = '203.0.113.1'
const you = '203.0.113.2'

function quota() {
  const cut: string[] = []
  const met = vi.fn()
  const { acquire: lease, inUse } = new Quota({ perCallerMax: 10, max: 25 }, met)
  const take = (name: string, amount: number, caller: string | null = null) =>
    lease(amount, caller, () => cut.push(name))
  return { take, inUse, cut, met: () => met.mock.calls.length }
}

test('a caller may lease as much as its own limit only, independent of others', () => {
  const { take, inUse, met } = quota()
  take('a', 6, me)
  expect(take('b', 5, me)).toBeNull()
  expect(take('c', 4, me)).not.toBeNull()
  expect(take('d', 10, you)).not.toBeNull()
  expect([inUse(), met()]).toEqual([20, 1])
})

test('addresses of one IPv6 network are one caller', () => {
  const { take } = quota()
  take('a', 10, '2001:db8::1')
  expect(take('b', 1, '2001:db8::2')).toBeNull()
  expect(take('c', 1, '2001:db8:0:1::1')).not.toBeNull()
})

test('an amount above the own limit is granted to a caller that holds nothing', () => {
  const { take } = quota()
  const large = take('a', 20, me)
  expect(take('b', 1, me)).toBeNull()
  large?.end()
  expect(take('c', 1, me)).not.toBeNull()
})

test('a released amount can be leased again, and is released only once', () => {
  const { take, inUse } = quota()
  const lease = take('a', 10, me)
  lease?.give(4)
  expect(take('b', 4, me)).not.toBeNull()
  expect([take('c', 1, me), inUse()]).toEqual([null, 10])
  lease?.end()
  lease?.end()
  lease?.give(3)
  expect(inUse()).toBe(4)
})

test('when everything is leased, also by unknown callers, who have no limit of their own, the oldest are dropped, as few as needed', () => {
  const { take, inUse, cut, met } = quota()
  take('ended', 5)?.end()
  const first = take('a', 5)
  take('b', 5)
  take('c', 15)
  expect(cut).toEqual([])
  take('d', 10)
  expect([cut, inUse(), met()]).toEqual([['a', 'b'], 25, 2])
  first?.end()
  expect(inUse()).toBe(25)
})
