import { expect, test } from 'vitest'
import { Abort } from '../../../../rpc-proxy/runtime/abort.ts'
import {
  createFairSlots,
  type FairSlotsOptions,
  RoundCallers,
} from '../../../../rpc-proxy/runtime/fair-slots.ts'

/** Slots, and what became of the work of each caller, in order: `a1 in`, `a2 away`. */
function slotsOf(options: Partial<FairSlotsOptions>) {
  const slots = createFairSlots({ max: 2, waitingMax: 6, ...options })
  const ends: string[] = []
  return {
    inFlight: slots.inFlight,
    waiting: slots.waiting,
    ends,
    async come(name: string, signal = new Abort(), callers = new RoundCallers(name.slice(0, 1))) {
      const onLeft = () => ends.push(`${name} left`)
      void Promise.resolve(slots.acquire(signal, callers, onLeft)).then((isTaken) => {
        ends.push(`${name} ${isTaken ? 'in' : 'away'}`)
      })
      await settled()
    },
    async leave() {
      slots.release()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('slots are taken while they are free, and handed to the callers in turn', async () => {
  const { come, leave, ends, inFlight, waiting } = slotsOf({})
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) await come(name)
  expect([ends.splice(0), inFlight(), waiting()]).toEqual([['a1 in', 'a2 in'], 2, 4])
  for (let count = 0; count < 4; count += 1) await leave()
  expect([ends, inFlight(), waiting()]).toEqual([['a3 in', 'b1 in', 'c1 in', 'a4 in'], 2, 0])
  await leave()
  await leave()
  expect(inFlight()).toBe(0)
})

test('work that has come while a slot is handed over does not overtake what waits', async () => {
  const { come, leave, ends } = slotsOf({ max: 1 })
  await come('a1')
  await come('b1')
  await leave()
  await come('c1')
  expect(ends).toEqual(['a1 in', 'b1 in'])
})

test('a caller with as many waiting as it may have gets no more, and others do', async () => {
  const { come, ends, waiting } = slotsOf({ waitingPerCallerMax: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) await come(name)
  expect([ends, waiting()]).toEqual([['a1 in', 'a2 in', 'a5 left', 'a5 away'], 3])
})

test('in a full queue the caller with most waiting loses its newest, in favour of one that would still have fewer', async () => {
  const { come, ends, waiting } = slotsOf({ waitingMax: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) await come(name)
  expect([ends.splice(0), waiting()]).toEqual([['a1 in', 'a2 in', 'a5 left', 'a5 away'], 3])
  await come('b2')
  expect([ends.splice(0), waiting()]).toEqual([['b2 left', 'b2 away'], 3])
})

test('work whose signal fires leaves the queue, and no slot goes to it', async () => {
  const { come, leave, ends, waiting, inFlight } = slotsOf({ max: 1 })
  const departure = new Abort()
  await come('a1')
  await come('b1', departure)
  departure.abort()
  await come('c1', departure)
  expect([ends.splice(0), waiting()]).toEqual([['a1 in', 'b1 left', 'c1 left', 'b1 away', 'c1 away'], 0])
  await leave()
  expect(inFlight()).toBe(0)
})

test('work that another caller joins is started in the earliest turn of both', async () => {
  const { come, leave, ends } = slotsOf({ max: 1 })
  const shared = new RoundCallers('a')
  await come('a1')
  await come('a2')
  await come('a3')
  await come('a4', new Abort(), shared)
  await come('b1')
  shared.join('c')
  for (let count = 0; count < 4; count += 1) await leave()
  expect(ends).toEqual(['a1 in', 'a2 in', 'b1 in', 'a4 in', 'a3 in'])
})
