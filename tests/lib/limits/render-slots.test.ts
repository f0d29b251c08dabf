import { beforeEach, expect, test, vi } from 'vitest'
import { createRenderSlots } from '#lib/limits/render-slots.ts'

beforeEach(() => void vi.useFakeTimers())

const options = { max: 2, waitingMax: 4, waitingPerCallerMax: 3, waitMsMax: 1000 }

/** Slots, and the admitted and refused requests in order. */
function slots() {
  const { acquire, inFlight } = createRenderSlots(options)
  const ends: string[] = []
  const leaves: (() => void)[] = []
  const come = (name: string, caller: string | null = name) =>
    void acquire(caller).then((leave) => {
      ends.push(leave === null ? `${name} away` : `${name} in`)
      if (leave !== null) leaves.push(leave)
    })
  const settled = () => vi.advanceTimersByTimeAsync(0)
  return { come, ends, leaves, inFlight, settled }
}
const attacker = '203.0.113.1'
const visitor = '203.0.113.2'

test('a caller with many requests waits in its own queue, and is refused beyond it', async () => {
  const { come, ends, leaves, settled } = slots()
  for (const name of ['1', '2', '3', '4', '5', '6']) come(name, attacker)
  come('visitor', visitor)
  await settled()
  expect(ends).toEqual(['1 in', '2 in', '6 away'])
  // The whole queue is full: the longest gives way.
  come('another', '198.51.100.1')
  await settled()
  expect(ends.slice(3)).toEqual(['5 away'])
  for (const at of [0, 1, 2]) {
    leaves[at]?.()
    await settled()
  }
  expect(ends.slice(4)).toEqual(['3 in', 'visitor in', 'another in'])
})

test('a request that has waited too long is refused, and takes no place later', async () => {
  const { come, ends, leaves, inFlight, settled } = slots()
  for (const name of ['a', 'b', 'c']) come(name, null)
  await vi.advanceTimersByTimeAsync(999)
  expect(ends).toEqual(['a in', 'b in'])
  await vi.advanceTimersByTimeAsync(1)
  expect(ends).toEqual(['a in', 'b in', 'c away'])
  for (const leave of leaves) leave()
  await settled()
  expect(inFlight()).toBe(0)
  come('d', null)
  await settled()
  expect(ends.at(-1)).toBe('d in')
})
