import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCache, type Entry } from '../../../rpc-proxy/memory/cache.ts'

const entry = (raw: string, agreed = 2, operators = 2): Entry<string> => ({
  raw,
  agreed,
  operators,
  head: null,
  proof: `of ${raw}`,
})
const any = () => true
const kilobytes = (count: number) => 'x'.repeat(count * 512)

describe('an entry', () => {
  test('is found under its key and no other', () => {
    const cache = createCache<string>()
    cache.set('a', entry('1'))
    expect(cache.get('a', any)).toEqual(entry('1'))
    expect(cache.get('A', any)).toBeNull()
    expect(cache.get('__proto__', any)).toBeNull()
  })

  test('serves only who thinks it strong enough', () => {
    const cache = createCache<string>()
    cache.set('a', entry('1', 2, 1))
    expect(cache.get('a', ({ agreed }) => agreed >= 2)).not.toBeNull()
    expect(cache.get('a', ({ agreed }) => agreed >= 3)).toBeNull()
    expect(cache.get('a', ({ operators }) => operators >= 2)).toBeNull()
  })

  test('gives way to a stronger one and to none that is weaker', () => {
    const cache = createCache<string>()
    cache.set('a', entry('1', 3))
    cache.set('a', entry('2', 2))
    expect(cache.get('a', any)?.raw).toBe('1')
    cache.set('a', entry('3', 3))
    expect(cache.get('a', any)?.raw).toBe('3')
    expect(cache.size().entries).toBe(1)
  })
})

describe('the bytes', () => {
  test('are bounded: what is not used for longest goes, what is used stays', () => {
    const cache = createCache<string>({ bytesMax: 64 * 1024 })
    for (let index = 0; index < 400; index++) {
      cache.set(`k${index}`, entry(kilobytes(1)))
      expect(cache.get('k0', any)).not.toBeNull()
      expect(cache.size().bytes).toBeLessThanOrEqual(64 * 1024)
    }
    expect(cache.get('k1', any)).toBeNull()
    expect(cache.get('k399', any)).not.toBeNull()
  })

  test('are not spent on one that is an eighth of them', () => {
    const cache = createCache<string>({ bytesMax: 64 * 1024 })
    cache.set('small', entry(kilobytes(7)))
    cache.set('large', entry(kilobytes(8)))
    expect([cache.get('small', any) !== null, cache.get('large', any)]).toEqual([true, null])
  })

  test('are counted right, whatever is done', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    const step = fc.tuple(key, fc.nat(20), fc.integer({ min: 1, max: 3 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = createCache<string>({ bytesMax: 64 * 1024 })
        const latest = new Map<string, Set<string>>()
        for (const [name, size, agreed, isWrite] of steps) {
          if (isWrite) {
            const raw = `${name}${agreed}${kilobytes(size)}`
            cache.set(name, entry(raw, agreed))
            latest.set(name, (latest.get(name) ?? new Set()).add(raw))
          } else {
            const found = cache.get(name, any)
            if (found !== null && !latest.get(name)?.has(found.raw)) return false
          }
          const held = [...latest.keys()].flatMap((each) => {
            const found = createProbe(cache, each)
            return found === null ? [] : [found]
          })
          const { bytes, entries } = cache.size()
          if (bytes > 64 * 1024 || entries !== held.length) return false
          if (bytes < held.reduce((sum, { raw }) => sum + raw.length * 2, 0)) return false
        }
        return true
      }),
      { numRuns: 50 },
    )
  })

  /** Looks without using: nobody thinks the entry strong enough. */
  function createProbe(cache: ReturnType<typeof createCache<string>>, name: string): Entry<string> | null {
    let seen: Entry<string> | null = null
    cache.get(name, (found) => {
      seen = found
      return false
    })
    return seen
  }
})
