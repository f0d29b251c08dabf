import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createView,
  type Header,
  highestGroup,
  type NodeView,
} from '../../../../rpc-proxy/heads/head-views.ts'
import { electorateOf } from '../../../../rpc-proxy/quorum/electorate.ts'
import type { NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import { hashOf } from '../../../support/scripted-chain.ts'
import { header } from './agreed-header.ts'

const x = { name: 'x', from: 1000 }
const y = { name: 'y', from: 1000 }

describe('what one node has shown', () => {
  test('is replaced by its newer reply, after a reorg and after falling behind', () => {
    const view = createView()
    view.saw(header(1001, x))
    view.saw(header(1001, y))
    expect([1000, 1001].map(view.hashAt)).toEqual([hashOf(1000, y), hashOf(1001, y)])
    view.saw(header(1000, y))
    expect([1000, 1001].map(view.hashAt)).toEqual([hashOf(1000, y), null])
  })

  test('is bounded', () => {
    const view = createView()
    for (let number = 0; number < 2000; number++) view.saw(header(number))
    expect(view.hashAt(1999)).toBe(hashOf(1999))
    expect(view.hashAt(100)).toBeNull()
  })
})

const showing = (node: number, ...headers: readonly Header[]): NodeView => {
  const view = createView()
  for (const each of headers) view.saw(each)
  return { node: node as NodeIndex, view }
}
/** So many operators are a quorum; each node is an operator of its own, unless said otherwise. */
const quorumOf = (operatorsMin: number, operatorOf = (node: number) => node) =>
  electorateOf(
    Array.from({ length: nodesMax }, (_, node) => ({ operator: String(operatorOf(node)), weight: 1 })),
    0,
    operatorsMin,
  )
const nodesMax = 10

const from = (from: number, to: number) => ({
  from,
  to,
  electorate: quorumOf(2),
  hasSpoken: () => true,
})

describe('the highest block that a quorum shows', () => {
  test('is never outside the requested range', () => {
    const shown = [showing(0, header(1000)), showing(1, header(1000))]
    expect(highestGroup(shown, from(1001, 2000))).toBeNull()
    expect(highestGroup(shown, from(0, 998))).toBeNull()
  })

  test('does not count an operator whose nodes differ at that number, but counts it below', () => {
    const shown = [header(1000, x), header(1000, y), header(1000, y), header(1000, x)].map((each, node) =>
      showing(node, header(998), header(999), each),
    )
    const operatorOf = (node: number) => Math.max(node, 1)
    expect(highestGroup(shown, { ...from(0, 2000), electorate: quorumOf(2, operatorOf) })).toMatchObject({
      block: { number: 999, hash: hashOf(999) },
      members: [0, 1, 2, 3],
    })
  })

  test('is never raised by one node or lowered by a minority', () => {
    const honest = fc.array(fc.integer({ min: 995, max: 1000 }), { minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(honest, fc.integer({ min: 0, max: 3000 }), (places, lie) => {
        const liar = showing(nodesMax - 1, header(lie, { name: 'liar', from: 0 }))
        const shown = [liar, ...places.map((place, node) => showing(node, header(place)))]
        // The liar's group may be the first of the number.
        const found = (among: readonly NodeView[]) => {
          const group = highestGroup(among, from(0, 3000))
          return group === null ? null : { ...group, index: null }
        }
        expect(found(shown)).toEqual(found(shown.slice(1)))
      }),
    )
  })
})
