import { describe, expect, test } from 'vitest'
import { foldersOf, type Layers, wrongWays } from '../../architecture/support/layers.ts'
import { type Import, within } from '../../architecture/support/sources.ts'

/**
 * The folders of the engine in layers, lowest first. The files of the root are the top.
 */
const layers: Layers = [
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
  ['proving'],
  ['subscriptions'],
  ['calls'],
  ['http'],
  ['root'],
]

const engine = within('rpc-proxy')
/** @noble/curves recovers the sender of a raw transaction, ipaddr.js parses caller addresses, quick-lru bounds caches. */
const packages = ['@noble/curves', '@noble/hashes', 'ipaddr.js', 'quick-lru', 'zod']

function described(from: string, { specifier }: Import): string {
  return `${from} imports ${specifier}`
}

describe('the engine', () => {
  test('has exactly the folders of this map', () => {
    expect(foldersOf(engine, layers)).toEqual(layers.flat().toSorted())
  })

  test('imports lead down, and folders of one layer are independent', () => {
    expect(wrongWays(engine, layers)).toEqual([])
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
})
