import { describe, expect, test } from 'vitest'
import { createFairQueue, type Queued } from '../../../../rpc-proxy/runtime/fair-queue.ts'

interface Entry extends Queued {
  readonly name: string
}

/** A queue of entries `caller number`. */
function queueOf(...names: readonly string[]) {
  const queue = createFairQueue<Entry>()
  const entries = new Map<string, Entry>()
  const entryOf = (name: string) => {
    const entry = entries.get(name) ?? { name, callers: [] }
    entries.set(name, entry)
    return entry
  }
  const add = (name: string, caller: string) => queue.add(entryOf(name), caller)
  for (const name of names) add(name, name.slice(0, 1))
  return {
    add,
    delete: (name: string) => queue.delete(entryOf(name)),
    next: () => queue.next()?.name,
    excess: (caller: string) => queue.excess(caller)?.name,
    size: queue.size,
  }
}

function drained(queue: ReturnType<typeof queueOf>): string {
  const order: string[] = []
  for (let entry = queue.next(); entry !== undefined; entry = queue.next()) order.push(entry)
  return order.join(' ')
}

describe('waiting callers', () => {
  test('take turns, regardless of how many entries each has', () => {
    expect(drained(queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'))).toBe('a1 b1 c1 a2 b2 a3 a4')
  })

  test('keep their turn while others come and go', () => {
    const queue = queueOf('a1', 'a2', 'b1')
    expect(queue.next()).toBe('a1')
    queue.add('c1', 'c')
    expect(drained(queue)).toBe('b1 a2 c1')
  })

  test('that share an entry get it once, in the earliest turn', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1')
    queue.add('a3', 'b')
    queue.add('a3', 'c')
    expect(queue.size()).toBe(4)
    expect(drained(queue)).toBe('a1 b1 a3 a2')
  })

  test('that have left are skipped', () => {
    const queue = queueOf('a1', 'b1')
    queue.delete('a1')
    queue.delete('a1')
    expect([queue.size(), queue.next(), queue.next(), queue.size()]).toEqual([1, 'b1', undefined, 0])
  })
})

test('keep their order while a thousand others join and leave', () => {
  const queue = queueOf('a1', 'a2', 'b1')
  for (let count = 0; count < 1000; count++) {
    queue.add(`a-${count}`, 'a')
    queue.delete(`a-${count}`)
  }
  queue.add('a3', 'a')
  expect(queue.size()).toBe(4)
  expect(drained(queue)).toBe('a1 b1 a2 a3')
})

describe('eviction', () => {
  test('removes the newest entry of the caller with the longest queue', () => {
    expect(queueOf('a1', 'a2', 'a3', 'b1').excess('b')).toBe('a3')
    expect(queueOf('a1', 'a2', 'b1').excess('c')).toBe('a2')
  })

  test('removes nothing for a caller whose own queue would be the longest', () => {
    expect(queueOf('a1', 'a2', 'b1').excess('b')).toBeUndefined()
    expect(queueOf('a1', 'a2').excess('a')).toBeUndefined()
    expect(queueOf('a1', 'b1').excess('c')).toBeUndefined()
  })

  test('never removes an entry that another caller shares', () => {
    const queue = queueOf('a1', 'a2', 'a3')
    queue.add('a3', 'b')
    expect(queue.excess('c')).toBe('a2')
  })
})
