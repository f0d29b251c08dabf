import { describe, expect, test } from 'vitest'
import { type Import, within } from './support/sources.ts'

/**
 * The folders of the engine in layers, lowest first. An import leads to the same folder or to a lower layer, never up, and
 * never to another folder of the same layer. Type-only imports count too. The files of the root are the top.
 */
const layers: readonly (readonly string[])[] = [
  ['runtime'],
  ['wire'],
  // Events name the faults that wire defines.
  ['events'],
  ['methods'],
  ['round'],
  // Reads, transactions and heads count the same votes.
  ['quorum'],
  ['evidence'],
  ['config'],
  ['admission', 'cache', 'filters', 'heads', 'ledger', 'upstreams', 'writes'],
  ['chain'],
  ['calls'],
  ['http'],
  ['root'],
]

const engine = within('rpc-proxy')
/** @noble/curves recovers the sender of a raw transaction, ipaddr.js parses caller addresses, quick-lru bounds caches. */
const packages = ['@noble/curves', '@noble/hashes', 'ipaddr.js', 'quick-lru', 'zod']

function folderOf(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  return rest.length > 0 ? first : 'root'
}

function layerOf(folder: string): number {
  return layers.findIndex((folders) => folders.includes(folder))
}

function isAllowed(from: string, to: string): boolean {
  const [here, there] = [folderOf(from), folderOf(to)]
  if (layerOf(here) < 0 || layerOf(there) < 0) return false
  return here === there || layerOf(there) < layerOf(here)
}

function described(from: string, { specifier }: Import): string {
  return `${from} imports ${specifier}`
}

describe('the engine', () => {
  test('has exactly the folders of this map', () => {
    const folders = new Set(engine.map(({ path }) => folderOf(path)))
    expect([...folders].toSorted()).toEqual(layers.flat().toSorted())
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
