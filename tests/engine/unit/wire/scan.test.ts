import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elementsOf, isDeeperThan, isTooFine, owned, walkMembers } from '../../../../rpc-proxy/wire/scan.ts'
import { anyText } from '../../../support/strange.ts'

/** JSON texts with whitespace between tokens, as some nodes write them. */
const json = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, '\t'))
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent))
function members(text: string, from = 0, to = text.length) {
  const found: { readonly key: string; readonly from: number; readonly to: number }[] = []
  const isObject = walkMembers(
    text,
    { from, to },
    (key, at, end) => found.push({ key, from: at, to: end }) > 0,
  )
  return isObject ? found : null
}
const slices = (text: string) => members(text)?.map(({ key, from, to }) => [key, text.slice(from, to)])

describe('members of an object', () => {
  test('are returned in order, with the text of their values', () => {
    expect(slices(' {"b" : [1, {"a":2}] ,"a":"x,}\\"", "c":-1.0e5 } ')).toEqual([
      ['b', '[1, {"a":2}]'],
      ['a', '"x,}\\""'],
      ['c', '-1.0e5'],
    ])
  })

  test('have no special names', () => {
    expect(slices('{"__proto__":{"x":1},"constructor":2,"":3}')).toEqual([
      ['__proto__', '{"x":1}'],
      ['constructor', '2'],
      ['', '3'],
    ])
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('are read from a place within a longer text', () => {
    const text = '[{"a":1},{"b":2}]'
    expect(members(text, 9, 16)?.map(({ key }) => key)).toEqual(['b'])
  })

  test.each([
    // Something else.
    ...['', ' ', '[]', '1', '"x"'],
    // Cut short.
    ...['{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":"x}', '{"a":[1}'],
    // With more behind it.
    ...['{"a":1}x', '{"a":1}{'],
    // Without a key, a value, a colon or a comma.
    ...['{"a":1,}', '{a:1}', '{"a":1 "b":2}', '{"a" 1}', '{,}', '{"\\ud83d":}', '{"a":,"b":1}'],
    // With a key that JSON cannot have.
    ...['{"a\nb":1}', '{"a\\qb":1}'],
  ])('are empty when the text is not an object: %j', (text) => {
    expect(members(text)).toBeNull()
  })

  test('match JSON.parse for every object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (object) => {
        const text = JSON.stringify(object)
        const read = (members(text) ?? []).map(({ key, from, to }) => [key, JSON.parse(text.slice(from, to))])
        expect(Object.fromEntries(read)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('are read from any text without throwing and never past its end', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), hostile), (text) => {
        for (const { from, to } of members(text) ?? []) {
          if (from >= to || to > text.length) throw new Error(`a member from ${from} to ${to}`)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('elements of an array', () => {
  test('match JSON.parse', () => {
    fc.assert(
      fc.property(fc.array(json), (texts) => {
        const text = ` [${texts.join(' , ')}] `
        expect(elementsOf(text)?.map(({ from, to }) => JSON.parse(text.slice(from, to)))).toEqual(
          JSON.parse(text),
        )
      }),
    )
  })

  test.each(['', '{}', '[', '[1', '[1,', '[1,]', '[,]', '[]x', '[1 2]', '["a]'])('are none in %j', (text) => {
    expect(elementsOf(text)).toBeNull()
  })
})

describe('depth', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

  test('is limited on both sides of the bound', () => {
    expect(isDeeperThan(nested(32), 32)).toBe(false)
    expect(isDeeperThan(nested(33), 32)).toBe(true)
    expect(isDeeperThan('{"a":[{"b":[]}]}', 4)).toBe(false)
    expect(isDeeperThan('{"a":[{"b":[]}]}', 3)).toBe(true)
  })

  test('ignores brackets in strings', () => {
    expect(isDeeperThan(JSON.stringify(['['.repeat(99), '"[{'.repeat(99), '\\'.repeat(7)]), 1)).toBe(false)
  })

  test('is found in a text that would overflow the stack', () => {
    expect(isDeeperThan(nested(1_000_000), 32)).toBe(true)
  })
})

/** Texts that are nearly JSON. */
const hostile = fc
  .array(fc.constantFrom(...'{}[]":,\\a1 \n', 'null', '\\u0069', '{"a":', '"b"'))
  .map((parts) => parts.join(''))

describe('text with too many tokens', () => {
  const list = (items: readonly unknown[]) => JSON.stringify(items)
  const keyed = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 0])))

  test('has more parts than one in eight characters, and many of them', () => {
    expect(isTooFine(list(Array(130_000).fill(0)))).toBe(false)
    expect(isTooFine(list(Array(400_000).fill(0)))).toBe(true)
    expect(isTooFine(list(Array(400_000).fill('0x000000')))).toBe(false)
    expect(isTooFine(`"${',{['.repeat(400_000)}"`)).toBe(false)
  })

  test('or too many keys', () => {
    expect(isTooFine(keyed(2048))).toBe(false)
    expect(isTooFine(keyed(2049))).toBe(true)
    expect(isTooFine(list(Array(5000).fill({ one: 1, two: 'a:b' })))).toBe(false)
  })

  test('is never an honest answer, at any length', () => {
    const call = { returnData: '0x', logs: [], gasUsed: '0x0', status: '0x1' }
    expect(isTooFine(list([{ calls: Array(130_000).fill(call) }]))).toBe(false)
    const rewards = Array(1024).fill(Array(100).fill('0x0'))
    expect(isTooFine(JSON.stringify({ reward: rewards }))).toBe(false)
  })
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMegabytes(): number {
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

test('an owned copy equals the slice, at any length', () => {
  const text = 'abcdefghijklmnopqrstuvwxyzé'
  for (let from = 0; from <= text.length; from++)
    for (let to = from; to <= text.length; to++) expect(owned(text, from, to)).toBe(text.slice(from, to))
})

test('a kept substring does not retain the megabyte it was cut from', () => {
  const before = heapMegabytes()
  const words = Array.from({ length: 60 }, (_, index) => {
    const text = JSON.parse(`"${String.fromCharCode(97 + (index % 26)).repeat(1_000_000)}"`) as string
    return owned(text, 500_000, 500_100)
  })
  expect(heapMegabytes() - before).toBeLessThan(10)
  expect(words.every(({ length }) => length === 100)).toBe(true)
})
