import { describe, expect, test } from 'vitest'
import { decideHead, type HeadDecision } from '../../../../rpc-proxy/heads/head-decision.ts'
import { createHeadViews, type Header } from '../../../../rpc-proxy/heads/head-views.ts'
import { createHeaders } from '../../../../rpc-proxy/heads/headers.ts'
import { electorateOf } from '../../../../rpc-proxy/quorum/electorate.ts'
import type { NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import { type Fork, hashOf } from '../../../support/scripted-chain.ts'
import { header } from './agreed-header.ts'

const id = (number: number, fork: Fork | null = null) => ({ number, hash: hashOf(number, fork) })
/** Another branch than ours. */
const other = { name: 'y', from: 99 }
const kinds = ({ kind }: HeadDecision) => kind

interface Case {
  /** What each node sends in this poll, by its position; null sends nothing. */
  readonly sent: readonly (Header | null)[]
  /** What each node sent in the poll before. */
  readonly sentBefore?: readonly (Header | null)[]
  /** What each node sends when it is asked for a lower block. */
  readonly walked?: readonly (Header | null)[]
  readonly head?: number | null
  /** The hashes that we know of our own branch. */
  readonly ours?: Readonly<Record<number, string>>
  readonly mayReset?: boolean
  readonly isComplete?: boolean
  readonly nodesCount?: number
  readonly quorum?: number
  readonly operatorOf?: (node: number) => number
  readonly walkMax?: number
}

function decided(given: Case): HeadDecision {
  const { sent, sentBefore = [], walked = [], head = null, ours = {} } = given
  const { mayReset = false, isComplete = true } = given
  const { nodesCount = sent.length, quorum = 2, operatorOf = (node) => node, walkMax = 64 } = given
  const views = createHeadViews()
  const headers = createHeaders()
  const heard = new Map<NodeIndex, number>()
  for (const [index, found] of sentBefore.entries())
    if (found !== null) views.of(index as NodeIndex).saw(found)
  for (const [index, found] of sent.entries()) {
    if (found === null) continue
    const node = index as NodeIndex
    views.of(node).saw(found)
    headers.add(node, found)
    heard.set(node, found.number)
  }
  for (const [index, found] of walked.entries())
    if (found !== null) views.of(index as NodeIndex).showed(found)
  const nodes = Array.from({ length: Math.max(sent.length, sentBefore.length) }, (_, index) => ({
    operator: String(operatorOf(index)),
    weight: 1,
  }))
  const electorate = electorateOf(nodes, 0, quorum)
  return decideHead(
    {
      head: head === null ? null : id(head),
      hashAt: (number) => ours[number] ?? null,
      nodeViews: views.nodeViews(),
      mayReset,
      isConfirmed: true,
    },
    {
      headers,
      polled: [...sent.keys()] as NodeIndex[],
      nodesCount,
      heard,
      witnesses: [],
      silent: new Set(),
      endMs: 0,
      isComplete,
      electorate,
      policy: 'everyday',
      isThin: false,
    },
    { electorate, walkMax },
  )
}

describe('a poll finds nothing', () => {
  test('when too few nodes reply', () => {
    expect(decided({ sent: [header(100), null, null] })).toEqual({ kind: 'nothing' })
  })

  test('when no two nodes show the same hash', () => {
    const sent = [header(100), header(100, other)]
    expect(decided({ sent })).toEqual({ kind: 'nothing' })
  })

  test('when the common block is further below than the search goes', () => {
    const fork = (name: string) => ({ name, from: 100 })
    const sent = [header(100, fork('x')), header(100, fork('y'))]
    expect(kinds(decided({ sent }))).toBe('adopt')
    expect(kinds(decided({ sent, walkMax: 0 }))).toBe('nothing')
  })

  test('when the others showed their blocks only in an earlier look', () => {
    const sentBefore = [null, header(100), header(100)]
    expect(decided({ sent: [header(100), null, null], sentBefore })).toEqual({ kind: 'nothing' })
  })

  test('when all that two nodes have in common is a block from before one of them jumped ahead', () => {
    const sentBefore = [header(100), header(100), null]
    const ours = { 100: hashOf(100) }
    expect(decided({ sent: [header(105), header(103)], sentBefore, head: 100, ours })).toEqual({
      kind: 'nothing',
    })
    // Each names the one before as its parent: nothing was jumped over.
    const next = decided({ sent: [header(101), header(100)], sentBefore, head: 100, ours })
    expect(next).toMatchObject({ kind: 'adopt', found: { block: id(100) } })
  })

  test('when only the two nodes of one operator agree', () => {
    const sent = [header(100), header(100), header(100, other)]
    expect(decided({ sent, operatorOf: (node) => Math.max(node, 1) })).toEqual({ kind: 'nothing' })
  })

  test('when one of the two that agree belongs to an operator whose other node contradicts it', () => {
    const sent = [header(100), header(100), header(100, other)]
    expect(decided({ sent, operatorOf: (node) => Math.min(node, 1) })).toEqual({ kind: 'nothing' })
  })
})

describe('the block that a quorum shows is adopted', () => {
  test('when silent nodes showed much higher blocks in an earlier look', () => {
    const sentBefore = [null, null, header(200), header(200)]
    const decision = decided({ sent: [header(100), header(100), null, null], sentBefore })
    expect(decision).toMatchObject({ kind: 'adopt', found: { block: id(100) } })
  })
})

describe('two quorums that contradict each other', () => {
  const ours = { 100: hashOf(100) }
  const sent = [header(100), header(100, other), header(100), header(100, other), header(100, other)]

  test('are not decided before every node has been asked', () => {
    const decision = decided({ sent, head: 100, ours, nodesCount: 6 })
    expect(decision).toEqual({ kind: 'poll-everybody', isLower: false })
  })

  test('leave the head as it is', () => {
    expect(decided({ sent, head: 100, ours })).toEqual({ kind: 'keep', isLower: false })
  })

  test('need everybody even where those of ours are silent now, but do not keep the head by them', () => {
    const sentBefore = [header(100), null, header(100), null, null]
    const now = [null, header(100, other), null, header(100, other), header(100, other)]
    const known = { sent: now, sentBefore, head: 100, ours }
    expect(kinds(decided({ ...known, nodesCount: 6 }))).toBe('poll-everybody')
    expect(decided(known)).toMatchObject({ kind: 'adopt', found: { block: id(100, other) } })
  })
})
