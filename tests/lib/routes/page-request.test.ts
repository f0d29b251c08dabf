import { parseAndValidateFlightRouterState as nextReads } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import { expect, test } from 'vitest'
import { pageError } from '#lib/routes/page-request.ts'

const built = { actions: new Set<string>(), isPage: () => true }
const refused = (state: string) =>
  pageError('GET', '/', {
    header: (name) => (name === 'next-router-state-tree' ? encodeURIComponent(state) : null),
    built,
  }) !== null

function isReadByNext(state: string): boolean {
  try {
    nextReads(encodeURIComponent(state))
    return true
  } catch {
    return false
  }
}

const states = [
  ['', { children: ['token', { children: ['__PAGE__', {}] }] }, null, 'refetch', 16],
  [
    '',
    {
      children: ['answers', { children: [['id', 'x', 'd', null], {}, ['/answers/x', '?a=b'], null, 0, 'x'] }],
    },
  ],
  [
    ['id', 'a', 'di(..)(..)', ['token']],
    { children: ['', {}], modal: ['', {}] },
    null,
    'inside-shared-layout',
  ],
]
const others = [
  null,
  true,
  1,
  '',
  'x',
  'oc',
  'ci(.)',
  'metadata-only',

  {},
  ['a', 'b'],
  ['a', 1],
  ['a', {}],
  { a: 1 },
]

/** This value, with another in one of all places of it, with one more, and with one fewer. */
function* variants(value: unknown): Generator<unknown> {
  yield* others
  if (Array.isArray(value)) {
    for (const other of others) yield [...value, other]
    yield value.slice(0, -1)
    for (const [at, member] of value.entries())
      for (const each of variants(member)) yield value.with(at, each)
  } else if (value instanceof Object)
    for (const [key, member] of Object.entries(value))
      for (const each of variants(member)) yield { ...value, [key]: each }
}

test('exactly the router states that Next can read get as far as Next', () => {
  const texts = [
    ...new Set(states.flatMap((state) => [...variants(state)].map((each) => JSON.stringify(each)))),
  ]
  const read = texts.filter(isReadByNext)
  expect(texts.filter((text) => !refused(text))).toEqual(read)
  expect([read.length > 50, texts.length > 500]).toEqual([true, true])
  for (const text of ['', '%', '{', 'undefined', '["",{"__proto__":1}]'])
    expect([text, isReadByNext(text), refused(text)]).toEqual([text, false, true])
})

test.each(states)('what its router sends is read: %j', (...state) => {
  expect(refused(JSON.stringify(state))).toBe(false)
})

test('a state that is deeper or longer than any of these pages is refused, and costs no stack', () => {
  const nested = (depth: number) => `${'["",{"children":'.repeat(depth)}["",{}]${'}]'.repeat(depth)}`
  expect([nested(32), nested(33), nested(1500), `["${'x'.repeat(40_000)}",{}]`].map(refused)).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('a built file is only read: Next would answer anything else with 500', () => {
  const facts = { header: () => null, built: { actions: new Set(['a']), isPage: () => false } }
  expect(pageError('POST', '/_next/static/chunks/a.js', facts)?.status).toBe(405)
  expect(pageError('GET', '/_next/static/chunks/a.js', facts)).toBe(null)
})
