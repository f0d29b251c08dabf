import { describe, expect, test } from 'vitest'
import { createView, highestGroup } from '../../../../rpc-proxy/heads/head-views.ts'
import { electorateOf } from '../../../../rpc-proxy/quorum/electorate.ts'
import type { NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import { hashOf } from '../../../support/scripted-chain.ts'
import { header } from './agreed-header.ts'

const x = { name: 'x', from: 1000 }
const y = { name: 'y', from: 1000 }

describe('what one node has shown', () => {
  test('is replaced by its newer reply, after a reorg, after falling behind and after a jump', () => {
    const view = createView()
    view.saw(header(1001, x))
    view.saw(header(1001, y))
    expect([1000, 1001].map(view.hashAt)).toEqual([hashOf(1000, y), hashOf(1001, y)])
    view.saw(header(1000, y))
    expect([1000, 1001].map(view.hashAt)).toEqual([hashOf(1000, y), null])
    view.saw(header(1005, x))
    expect([1000, 1005].map(view.hashAt)).toEqual([null, hashOf(1005, x)])
  })

  test('is bounded', () => {
    const view = createView()
    for (let number = 0; number < 2000; number++) view.saw(header(number))
    expect(view.hashAt(1999)).toBe(hashOf(1999))
    expect(view.hashAt(100)).toBeNull()
  })
})

test('the highest block that a quorum shows is never outside the requested range', () => {
  const shown = [0, 1].map((node) => {
    const view = createView()
    view.saw(header(1000))
    return { node: node as NodeIndex, view }
  })
  const operators = ['a', 'b'].map((operator) => ({ operator, weight: 1 }))
  const found = (from: number, to: number) =>
    highestGroup(shown, { from, to, electorate: electorateOf(operators, 0, 2), hasSpoken: () => true })
  expect([found(1001, 2000), found(0, 998), found(0, 2000)?.block.number]).toEqual([null, null, 1000])
})
