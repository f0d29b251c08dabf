import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Cache,
  type CacheEntry,
  type CacheScope,
  createCache,
} from '../../../../rpc-proxy/cache/cache.ts'
import { bytesOf } from '../../../../rpc-proxy/evidence/build.ts'
import { evidence } from '../../../support/evidence.ts'

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

test('an entry is replaced by a stronger one, not by a weaker one', () => {
  const cache = createCache()
  put(cache, 'a', here, entry('1', { operators: 3 }))
  put(cache, 'a', here, entry('2', { operators: 2 }))
  expect(cache.get('a', here, any)?.raw).toBe('1')
  put(cache, 'a', here, entry('3', { operators: 3 }))
  expect(cache.get('a', here, any)?.raw).toBe('3')
  expect(cache.size().entries).toBe(1)
})

test('the entries of a head are dropped from both generations', () => {
  const cache = createCache({ bytesMax: 64 * 1024 })
  for (let index = 0; index < 40; index++) put(cache, `k${index}`, here, entry(kilobytes(1), { head: '0x1' }))
  cache.get('other', { ...here, head: '0x2' }, any)
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
