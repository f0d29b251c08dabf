import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Cache,
  type CacheEntry,
  type CacheScope,
  createCache,
} from '../../../../rpc-proxy/cache/cache.ts'
import { bytesOf } from '../../../../rpc-proxy/evidence/stored-evidence.ts'
import { evidence, group } from '../../../support/evidence.ts'

const proof = evidence()
const entry = (raw: string, fields: Partial<CacheEntry> = {}): CacheEntry => ({
  raw,
  operators: 0b11,
  indispensable: 0,
  isOfMajority: false,
  epoch: 0,
  head: null,
  untilMs: null,
  evidence: proof,
  ...fields,
})
const here: CacheScope = { chain: 'x', head: '0x1', nowMs: 0 }
const any = () => true
/** The larger set stands for the stronger entry. */
const put = (cache: Cache, key: string, place: CacheScope, made: CacheEntry) =>
  cache.set(key, place, made, ({ operators }) => operators > made.operators)
const kilobytes = (count: number) => 'x'.repeat(count * 512)

describe('an entry', () => {
  test('is found under its key only', () => {
    const cache = createCache()
    put(cache, 'a', here, entry('1'))
    expect(cache.get('a', here, any)).toEqual(entry('1'))
    expect(cache.get('A', here, any)).toBeNull()
    expect(cache.get('__proto__', here, any)).toBeNull()
  })

  test('is found on its chain only', () => {
    const cache = createCache()
    put(cache, 'a', here, entry('1'))
    put(cache, 'b', here, entry('1', { head: '0x1' }))
    for (const key of ['a', 'b']) expect(cache.get(key, { ...here, chain: 'y' }, any)).toBeNull()
  })

  test('serves only callers for which it is strong enough', () => {
    const cache = createCache()
    put(cache, 'a', here, entry('1', { operators: 2 }))
    expect(cache.get('a', here, ({ operators }) => operators >= 2)).not.toBeNull()
    expect(cache.get('a', here, ({ operators }) => operators >= 3)).toBeNull()
  })

  test('is replaced by a stronger one, not by a weaker one', () => {
    const cache = createCache()
    put(cache, 'a', here, entry('1', { operators: 3 }))
    put(cache, 'a', here, entry('2', { operators: 2 }))
    expect(cache.get('a', here, any)?.raw).toBe('1')
    put(cache, 'a', here, entry('3', { operators: 3 }))
    expect(cache.get('a', here, any)?.raw).toBe('3')
    expect(cache.size().entries).toBe(1)
  })

  test('with an expiry serves until then, and can then be replaced by a weaker one', () => {
    const cache = createCache()
    put(cache, 'a', here, entry('1', { operators: 3, untilMs: 1000 }))
    expect(cache.get('a', { ...here, nowMs: 999 }, any)?.raw).toBe('1')
    const later = { ...here, nowMs: 1000 }
    expect(cache.get('a', later, any)).toBeNull()
    put(cache, 'a', later, entry('2', { operators: 2, untilMs: 2000 }))
    expect(cache.get('a', later, any)?.raw).toBe('2')
    expect(cache.size().entries).toBe(1)
  })
})

describe('the entries of a head', () => {
  test('are dropped when there is a new head', () => {
    const cache = createCache()
    const empty = cache.size()
    for (let index = 0; index < 1000; index++) put(cache, `k${index}`, here, entry('1', { head: '0x1' }))
    expect(cache.size().entries).toBe(1000)
    expect(cache.get('k1', { ...here, head: '0x2' }, any)).toBeNull()
    expect(cache.size()).toEqual(empty)
  })

  test('stay when another chain has a new head, and permanent entries always stay', () => {
    const cache = createCache()
    const there = { ...here, chain: 'y' }
    for (const place of [here, there]) {
      put(cache, 'a', place, entry('1', { head: '0x1' }))
      put(cache, 'b', place, entry('2'))
    }
    cache.get('a', { ...here, head: '0x2' }, any)
    expect(cache.get('a', there, any)?.raw).toBe('1')
    for (const place of [here, there]) expect(cache.get('b', { ...place, head: '0x3' }, any)?.raw).toBe('2')
  })

  test('are dropped from both generations', () => {
    const cache = createCache({ bytesMax: 64 * 1024 })
    for (let index = 0; index < 40; index++)
      put(cache, `k${index}`, here, entry(kilobytes(1), { head: '0x1' }))
    cache.get('other', { ...here, head: '0x2' }, any)
    expect(cache.size()).toMatchObject({ entries: 0, bytes: 0 })
  })
})

test('all entries of a reconfigured chain are dropped', () => {
  const cache = createCache()
  put(cache, 'a', here, entry('1'))
  put(cache, 'b', here, entry('1', { head: '0x1' }))
  put(cache, 'a', { ...here, chain: 'y' }, entry('2'))
  cache.forget('x')
  cache.forget('z')
  expect(cache.size().entries).toBe(1)
  cache.forget('y')
  expect(cache.size()).toMatchObject({ entries: 0, bytes: 0 })
})

describe('the bytes', () => {
  test('are bounded: the least recently used entry is dropped', () => {
    const cache = createCache({ bytesMax: 64 * 1024 })
    for (let index = 0; index < 400; index++) {
      put(cache, `k${index}`, here, entry(kilobytes(1)))
      expect(cache.get('k0', here, any)).not.toBeNull()
      expect(cache.size().bytes).toBeLessThanOrEqual(64 * 1024)
    }
    expect(cache.get('k1', here, any)).toBeNull()
    expect(cache.get('k399', here, any)).not.toBeNull()
  })

  test('include the evidence', () => {
    const text = 'y'.repeat(4000)
    const bytesWith = (groups: Parameters<typeof evidence>[0]) => {
      const cache = createCache()
      put(cache, 'a', here, entry('1', { evidence: evidence(groups) }))
      return cache.size().bytes
    }
    const one = bytesWith({ groups: [group('1')] })
    expect(bytesWith({ groups: [group('1'), group(text)] }) - one).toBeGreaterThan(text.length * 2)
  })

  test('are not spent on an entry of an eighth of the limit', () => {
    const cache = createCache({ bytesMax: 64 * 1024 })
    put(cache, 'small', here, entry(kilobytes(6)))
    put(cache, 'large', here, entry(kilobytes(8)))
    expect([cache.get('small', here, any) !== null, cache.get('large', here, any)]).toEqual([true, null])
  })

  test('are counted correctly after any operations', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    const place = fc.record({
      chain: fc.constantFrom('x', 'y'),
      head: fc.constantFrom('0x1', '0x2'),
      nowMs: fc.nat(3),
    })
    const life = fc.constantFrom<'good' | 'head' | 'time'>('good', 'head', 'time')
    const step = fc.tuple(key, place, life, fc.nat(20), fc.integer({ min: 1, max: 3 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = createCache({ bytesMax: 64 * 1024 })
        const written = new Set<string>()
        for (const [name, at, how, size, agreed, isWrite] of steps) {
          const mark = `${at.chain}${name}${agreed}`
          if (isWrite) {
            const head = how === 'head' ? at.head : null
            const untilMs = how === 'time' ? at.nowMs + 1 : null
            put(cache, name, at, entry(mark + kilobytes(size), { operators: agreed, head, untilMs }))
            written.add(mark)
          } else {
            const found = cache.get(name, at, any)
            if (found === null) continue
            if (!found.raw.startsWith(`${at.chain}${name}`)) return false
            if (found.head !== null && found.head !== at.head) return false
            if (found.untilMs !== null && found.untilMs <= at.nowMs) return false
          }
          const { bytes, entries } = cache.size()
          if (bytes > 64 * 1024 || bytes < entries * bytesOf(proof, '')) return false
        }
        cache.forget('x')
        cache.forget('y')
        return cache.size().bytes === 0 && cache.size().entries === 0
      }),
      { numRuns: 100 },
    )
  })
})
