import { expect, test } from 'vitest'
import { BatchTurns, eachTurn, underWayMax } from '../../../../rpc-proxy/admission/batch-turns.ts'

/** Calls of batches with a hand that turns the event loop and ends calls; `begun` has the caller of each that has begun. */
function turnsOf() {
  const deferred: (() => void)[] = []
  const ends: ((fault?: Error) => void)[] = []
  const begun: string[] = []
  /** As browsers have it. */
  function defer(this: unknown, run: () => void) {
    if (this !== undefined) throw new TypeError('Illegal invocation')
    deferred.push(run)
  }
  const turns = new BatchTurns({ defer })
  return {
    begun,
    ends,
    come(caller: string, count: number) {
      const call = () => {
        begun.push(caller)
        return new Promise<string>((resolve, reject) =>
          ends.push((fault) => (fault === undefined ? resolve(caller) : reject(fault))),
        )
      }
      return Array.from({ length: count }, () => turns.begin(caller, call))
    },
    known: (caller: string) =>
      turns.begin(caller, () => {
        begun.push(caller)
        return 'known'
      }),
    turn() {
      for (const run of deferred.splice(0)) run()
    },
    pending: () => deferred.length,
  }
}

test('what has ended makes room, also where it failed', async () => {
  const { come, begun, turn, ends } = turnsOf()
  const all = Promise.allSettled([...come('a', underWayMax), ...come('a', 60)])
  for (const end of ends.splice(0, 30)) end()
  for (const end of ends.splice(0, 20)) end(new Error('refused'))
  await Promise.resolve()
  turn()
  expect(begun).toHaveLength(underWayMax + 50 + eachTurn)
  turn()
  for (const end of ends) end()
  expect((await all).filter(({ status }) => status === 'rejected')).toHaveLength(20)
})

test('a small batch beside one of a thousand calls begins in the next turn', () => {
  const { come, begun, turn } = turnsOf()
  void come('large', 1000)
  void come('small', 2)
  turn()
  expect(begun.slice(underWayMax).filter((caller) => caller === 'small')).toHaveLength(2)
})

test('what is known waits for no turn, and takes no room', () => {
  const { known, come, begun } = turnsOf()
  for (let count = 0; count < 2 * underWayMax; count++) expect(known('a')).toBe('known')
  void come('a', underWayMax)
  expect(begun).toHaveLength(3 * underWayMax)
})
