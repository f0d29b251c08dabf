import { describe, expect, test } from 'vitest'
import { type Import, within } from './support/sources.ts'

/**
 * The floors of the engine, lowest first. An import leads to the same place or further down, never up, and never from
 * one room into another; a type-only import is an import like any other.
 */
const rooms = ['admission', 'filters', 'heads', 'ledger', 'memory', 'quorum', 'upstreams', 'writes']
const floors = [
  {
    name: 'ground',
    places: ['abort', 'callers', 'clock', 'config-types', 'dictionary', 'errors', 'fields', 'names'],
    neighbours: true,
  },
  { name: 'wire', places: ['wire'], neighbours: false },
  // What happened and what comes in from outside: both speak of the faults that wire names.
  { name: 'tidings', places: ['events', 'packed-evidence', 'ports'], neighbours: true },
  { name: 'methods', places: ['methods'], neighbours: false },
  { name: 'race', places: ['race'], neighbours: false },
  { name: 'rooms', places: rooms, neighbours: false },
  { name: 'top', places: ['top'], neighbours: false },
] as const

const lowFiles: readonly string[] = [...floors[0].places, ...floors[2].places]

const engine = within('rpc-proxy')
/** @noble/curves recovers the sender of a raw transaction; ipaddr.js reads callers’ addresses, quick-lru bounds what is remembered. */
const packages = ['@noble/curves', '@noble/hashes', 'ipaddr.js', 'quick-lru', 'zod']

/** A folder is a place, and so is each file of the ground; the other files beside the folders are the top. */
function placeOf(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  const name = first.replace(/\.ts$/, '')
  return rest.length > 0 || lowFiles.includes(name) ? name : 'top'
}

function floorOf(place: string): number {
  return floors.findIndex(({ places }) => places.some((known) => known === place))
}

function isAllowed(from: string, to: string): boolean {
  const [here, there] = [placeOf(from), placeOf(to)]
  if (floorOf(here) < 0 || floorOf(there) < 0) return false
  return here === there || floorOf(there) < floorOf(here) || areNeighbours(here, there)
}

/** Rooms are apart; ground stands on ground, and the pages of the journey read each other. */
function areNeighbours(here: string, there: string): boolean {
  return floorOf(here) === floorOf(there) && floors[floorOf(here)]?.neighbours === true
}

function described(from: string, { specifier }: Import): string {
  return `${from} imports ${specifier}`
}

describe('the engine', () => {
  test('has no place that this picture does not name, and no empty one in it but rooms still to come', () => {
    const places = new Set(engine.map(({ path }) => placeOf(path)))
    expect([...places].filter((place) => floorOf(place) < 0)).toEqual([])
    const named = floors.flatMap((floor): readonly string[] => floor.places)
    expect(named.filter((place) => !places.has(place) && !rooms.includes(place))).toEqual([])
  })

  test('imports lead down, and no room knows another', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => seen.kind === 'file' && !isAllowed(path, seen.path))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test('imports nothing from outside but its five packages', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => (seen.kind === 'package' ? !packages.includes(seen.name) : seen.kind === 'builtin'))
        .concat(imports.filter((seen) => seen.kind === 'file' && !seen.path.startsWith('rpc-proxy/')))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test('names its own files relatively, with their endings', () => {
    const wrong = engine.flatMap(({ path, imports }) =>
      imports
        .filter((seen) => seen.kind === 'file' && !/^\.{1,2}\/.*\.ts$/.test(seen.specifier))
        .map((seen) => described(path, seen)),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    ['rpc-proxy/quorum/ask.ts', 'rpc-proxy/upstreams/send.ts'],
    ['rpc-proxy/wire/decode.ts', 'rpc-proxy/methods/rule.ts'],
    ['rpc-proxy/methods/rule.ts', 'rpc-proxy/heads/head.ts'],
    ['rpc-proxy/ledger/ledger.ts', 'rpc-proxy/handler.ts'],
    ['rpc-proxy/errors.ts', 'rpc-proxy/wire/types.ts'],
    ['rpc-proxy/wire/types.ts', 'rpc-proxy/events.ts'],
    ['rpc-proxy/quorum/ask.ts', 'rpc-proxy/shortcut.ts'],
  ])('the rule itself refuses %s -> %s', (from, to) => {
    expect(isAllowed(from, to)).toBe(false)
  })

  test('the rule itself allows what the picture shows', () => {
    expect(isAllowed('rpc-proxy/call.ts', 'rpc-proxy/quorum/ask.ts')).toBe(true)
    expect(isAllowed('rpc-proxy/quorum/ask.ts', 'rpc-proxy/methods/rule.ts')).toBe(true)
    expect(isAllowed('rpc-proxy/quorum/ask.ts', 'rpc-proxy/errors.ts')).toBe(true)
  })
})
