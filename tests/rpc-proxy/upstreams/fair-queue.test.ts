import { describe, expect, test } from 'vitest'
import { createFairQueue, type Queued } from '../../../rpc-proxy/upstreams/fair-queue.ts'

interface Entry extends Queued {
  readonly name: string
}

/** A queue of these entries, each `caller` and a number. */
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

describe('callers who wait', () => {
  test('take turns, however many entries one of them has', () => {
    expect(drained(queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'))).toBe('a1 b1 c1 a2 b2 a3 a4')
  })

  test('keep their turn while others come and go', () => {
    const queue = queueOf('a1', 'a2', 'b1')
    expect(queue.next()).toBe('a1')
    queue.add('c1', 'c')
    expect(drained(queue)).toBe('b1 a2 c1')
  })

  test('who share an entry get it in the turn that comes first, once', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1')
    queue.add('a3', 'b')
    queue.add('a3', 'c')
    expect(queue.size()).toBe(4)
    expect(drained(queue)).toBe('a1 b1 a3 a2')
  })

  test('who have left are waited for by nobody', () => {
    const queue = queueOf('a1', 'b1')
    queue.delete('a1')
    queue.delete('a1')
    expect([queue.size(), queue.next(), queue.next(), queue.size()]).toEqual([1, 'b1', undefined, 0])
  })
})

test('a thousand who come and go out of turn leave the order of the others as it was', () => {
  const queue = queueOf('a1', 'a2', 'b1')
  for (let count = 0; count < 1000; count++) {
    queue.add(`a-${count}`, 'a')
    queue.delete(`a-${count}`)
  }
  queue.add('a3', 'a')
  expect(queue.size()).toBe(4)
  expect(drained(queue)).toBe('a1 b1 a2 a3')
})

describe('what gives way', () => {
  test('is the newest entry of the caller with the longest queue', () => {
    expect(queueOf('a1', 'a2', 'a3', 'b1').excess('b')).toBe('a3')
    expect(queueOf('a1', 'a2', 'b1').excess('c')).toBe('a2')
  })

  test('no entry gives way to a caller whose own queue would be as long as any', () => {
    expect(queueOf('a1', 'a2', 'b1').excess('b')).toBeUndefined()
    expect(queueOf('a1', 'a2').excess('a')).toBeUndefined()
    expect(queueOf('a1', 'b1').excess('c')).toBeUndefined()
  })

  test('an entry that another caller waits for too never gives way', () => {
    const queue = queueOf('a1', 'a2', 'a3')
    queue.add('a3', 'b')
    expect(queue.excess('c')).toBe('a2')
  })
})
