import { describe, expect, test } from 'vitest'
import type { NodeState } from '../../../../rpc-proxy/events/events.ts'
import { scoreOf } from '../../../../rpc-proxy/upstreams/latency-mean.ts'
import type { Node } from '../../../../rpc-proxy/upstreams/node.ts'
import { inOrder } from '../../../../rpc-proxy/upstreams/order.ts'

interface Traits {
  readonly name: string
  readonly state?: NodeState
  readonly serves?: boolean
  readonly head?: number | null
  readonly backlog?: number
  readonly deprioritized?: boolean
  readonly priority?: number
  readonly ms?: number | null
}

/** Only the fields of a node that the order depends on. */
function node({
  name,
  state = 'usable',
  serves = true,
  head = 100,
  backlog = 0,
  deprioritized = false,
  priority = 1,
  ms = 10,
}: Traits): Node {
  const part: Partial<Node> = {
    options: { name, priority } as Node['options'],
    status: () => ({ state, why: null, untilMs: null }),
    serves: () => serves,
    head: () => head,
    isReserved: () => false,
    backlog: () => backlog,
    isDeprioritized: () => deprioritized,
    score: () => scoreOf(ms),
  }
  return part as Node
}
const ordered = (traits: readonly Traits[], block: number | null = 100, random = () => 0.5) =>
  inOrder(traits.map(node), { electorate: { operatorOf: [] }, method: 'eth_call', block, random })
const names = (...given: Parameters<typeof ordered>) =>
  ordered(...given).map((each) => each.node.options.name)

describe('which node is asked first', () => {
  const worse: readonly (readonly [string, Partial<Traits>])[] = [
    ['slower', { ms: 100 }],
    ['later in priority', { priority: 2 }],
    ['without a free place', { backlog: 1 }],
    ['failing at such calls', { deprioritized: true }],
    ['behind', { head: 99 }],
    ['without the method', { serves: false }],
    ['rate-limited', { state: 'rate-limited' }],
  ]
  test.each(worse)('a node that is not %s', (_, traits) => {
    expect(names([{ name: 'worse', ...traits }, { name: 'good' }])).toEqual(['good', 'worse'])
  })

  test('and each of these outranks all earlier ones together', () => {
    let all: Partial<Traits> = {}
    for (const [, traits] of worse.slice(0, -1)) {
      expect(
        names([
          { name: 'worse', ...traits },
          { name: 'good', ...all },
        ]),
      ).toEqual(['good', 'worse'])
      all = { ...all, ...traits }
    }
  })

  test('when every place is taken, the node with the shortest queue', () => {
    expect(
      names([
        { name: 'long', backlog: 3 },
        { name: 'short', backlog: 1, priority: 2 },
      ]),
    ).toEqual(['short', 'long'])
  })

  test('no node is left out', () => {
    const states: readonly NodeState[] = [
      'open',
      'half-open',
      'rate-limited',
      'ejected',
      'cordoned',
      'usable',
    ]
    const candidates = ordered(states.map((state) => ({ name: state, state })))
    expect(candidates.map(({ isUsable }) => isUsable)).toEqual([true, false, false, false, false, false])
    expect(candidates.filter(({ open }) => open).map((each) => each.node.options.name)).toEqual([
      'open',
      'half-open',
    ])
  })

  test('a node without a head is not behind, and no node is behind when the call has no block', () => {
    expect(names([{ name: 'a', head: null }, { name: 'b' }])).toEqual(['a', 'b'])
    expect(names([{ name: 'a', head: 5 }, { name: 'b' }], null)).toEqual(['a', 'b'])
  })

  test('the order of equal nodes is random each time', () => {
    let turn = 0
    const chances = [0.9, 0.1, 0.2, 0.8]
    const draw = () => names([{ name: 'a' }, { name: 'b' }], 100, () => chances[turn++] ?? 0)
    expect([draw(), draw()]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ])
  })
})

describe('the score of a latency', () => {
  test('is equal for small differences and differs for large ones', () => {
    expect(scoreOf(92)).toBe(scoreOf(107))
    expect(scoreOf(100)).toBeLessThan(scoreOf(200))
    expect(scoreOf(null)).toBe(0)
    expect(scoreOf(0)).toBe(scoreOf(1))
  })
})
