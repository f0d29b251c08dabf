import { describe, expect, test } from 'vitest'
import { type Import, within } from './support/sources.ts'

/**
 * The layers of the engine, lowest first. An import leads to the same folder or to a lower layer, never up, and never to
 * another folder of the same layer. Type-only imports count too.
 */
const features = ['admission', 'filters', 'heads', 'ledger', 'memory', 'upstreams', 'writes']
const layers = [
  {
    name: 'base',
    places: [
      'abort',
      'callers',
      'clock',
      'config-types',
      'dictionary',
      'errors',
      'fields',
      'indexes',
      'names',
    ],
    mayImportEachOther: true,
  },
  { name: 'wire', places: ['wire'], mayImportEachOther: false },
  // Events and ports: both use the faults that wire defines.
  { name: 'events', places: ['events', 'packed-evidence', 'ports'], mayImportEachOther: true },
  { name: 'methods', places: ['methods'], mayImportEachOther: false },
  { name: 'round', places: ['round'], mayImportEachOther: false },
  // Reads, transactions and heads count the same votes.
  { name: 'quorum', places: ['quorum'], mayImportEachOther: false },
  { name: 'evidence', places: ['evidence'], mayImportEachOther: false },
  { name: 'features', places: features, mayImportEachOther: false },
  { name: 'top', places: ['top'], mayImportEachOther: false },
] as const

const lowFiles: readonly string[] = [...layers[0].places, ...layers[2].places]

const engine = within('rpc-proxy')
/** @noble/curves recovers the sender of a raw transaction, ipaddr.js parses caller addresses, quick-lru bounds caches. */
const packages = ['@noble/curves', '@noble/hashes', 'ipaddr.js', 'quick-lru', 'zod']

/** Each folder and each file of the base layer is a place. The other top-level files are the top layer. */
function placeOf(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  const name = first.replace(/\.ts$/, '')
  return rest.length > 0 || lowFiles.includes(name) ? name : 'top'
}

function layerOf(place: string): number {
  return layers.findIndex(({ places }) => places.some((known) => known === place))
}

function isAllowed(from: string, to: string): boolean {
  const [here, there] = [placeOf(from), placeOf(to)]
  if (layerOf(here) < 0 || layerOf(there) < 0) return false
  return here === there || layerOf(there) < layerOf(here) || areConnected(here, there)
}

/** Layers whose places may import each other: base and top. */
function areConnected(here: string, there: string): boolean {
  return layerOf(here) === layerOf(there) && layers[layerOf(here)]?.mayImportEachOther === true
}

function described(from: string, { specifier }: Import): string {
  return `${from} imports ${specifier}`
}

describe('the engine', () => {
  test('has exactly the places of this map, except for planned folders', () => {
    const places = new Set(engine.map(({ path }) => placeOf(path)))
    expect([...places].filter((place) => layerOf(place) < 0)).toEqual([])
    const named = layers.flatMap((layer): readonly string[] => layer.places)
    expect(named.filter((place) => !places.has(place) && !features.includes(place))).toEqual([])
  })

  test('imports lead down, and folders of one layer are independent', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => seen.kind === 'file' && !isAllowed(path, seen.path))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test('imports only its five packages from outside', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => (seen.kind === 'package' ? !packages.includes(seen.name) : seen.kind === 'builtin'))
        .concat(imports.filter((seen) => seen.kind === 'file' && !seen.path.startsWith('rpc-proxy/')))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test('imports its own files by relative paths with extensions', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => seen.kind === 'file' && !/^\.{1,2}\/.*\.ts$/.test(seen.specifier))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    ['rpc-proxy/quorum/read-round.ts', 'rpc-proxy/upstreams/send.ts'],
    ['rpc-proxy/quorum/tally.ts', 'rpc-proxy/heads/views.ts'],
    ['rpc-proxy/wire/decode.ts', 'rpc-proxy/methods/rule.ts'],
    ['rpc-proxy/methods/rule.ts', 'rpc-proxy/heads/head.ts'],
    ['rpc-proxy/ledger/ledger.ts', 'rpc-proxy/http/handler.ts'],
    ['rpc-proxy/runtime/errors.ts', 'rpc-proxy/wire/types.ts'],
    ['rpc-proxy/wire/types.ts', 'rpc-proxy/events/events.ts'],
    ['rpc-proxy/quorum/read-round.ts', 'rpc-proxy/shortcut.ts'],
  ])('the rule itself refuses %s -> %s', (from, to) => {
    expect(isAllowed(from, to)).toBe(false)
  })

  test('the rule itself allows the documented imports', () => {
    expect(isAllowed('rpc-proxy/calls/dispatch.ts', 'rpc-proxy/quorum/read-round.ts')).toBe(true)
    expect(isAllowed('rpc-proxy/quorum/read-round.ts', 'rpc-proxy/methods/rule.ts')).toBe(true)
    expect(isAllowed('rpc-proxy/quorum/read-round.ts', 'rpc-proxy/runtime/errors.ts')).toBe(true)
  })
})
