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

const importsThat = (isWrong: (seen: Import) => boolean) =>
  engine.flatMap(({ path, imports }) =>
    imports.filter(isWrong).map(({ specifier }) => `${path} imports ${specifier}`),
  )

describe('the engine', () => {
  test('has exactly the folders of this map', () => {
    expect(foldersOf(engine, layers)).toEqual(layers.flat().toSorted())
  })

  test('imports lead down, and folders of one layer are independent', () => {
    expect(wrongWays(engine, layers)).toEqual([])
  })

  test('imports only its five packages from outside', () => {
    const isOutside = (seen: Import) =>
      seen.kind === 'package'
        ? !packages.includes(seen.name)
        : seen.kind === 'builtin' || !seen.path.startsWith('rpc-proxy/')
    expect(importsThat(isOutside)).toEqual([])
  })

  test('imports its own files by relative paths with extensions', () => {
    const isOdd = ({ kind, specifier }: Import) => kind === 'file' && !/^\.{1,2}\/.*\.ts$/.test(specifier)
    expect(importsThat(isOdd)).toEqual([])
  })
})
