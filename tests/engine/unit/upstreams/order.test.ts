import { describe, expect, test } from 'vitest'
import type { NodeState } from '../../../../rpc-proxy/events/events.ts'
import { scoreOf } from '../../../../rpc-proxy/upstreams/health.ts'
import type { Node } from '../../../../rpc-proxy/upstreams/node.ts'
import { inOrder } from '../../../../rpc-proxy/upstreams/order.ts'

interface Traits {
  readonly name: string
  readonly state?: NodeState
  readonly serves?: boolean
  readonly head?: number | null
  readonly backlog?: number
  readonly isSpent?: boolean
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
  isSpent = false,
  deprioritized = false,
  priority = 1,
  ms = 10,
}: Traits): Node {
  return {
    options: { name, priority },
    head: () => head,
    isReserved: () => false,
    plan: { isSpent: () => isSpent },
    budget: { backlog: () => backlog },
    health: {
      status: () => ({ state, why: null, untilMs: null }),
      unsupported: { serves: () => serves },
      deprioritized: { has: () => deprioritized },
      score: () => scoreOf(ms),
    },
  } as unknown as Node
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
    ['on a plan that is spent', { isSpent: true }],
    ['without the method', { serves: false }],
    ['rate-limited', { state: 'rate-limited' }],
  ]

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
})

describe('the score of a latency', () => {
  test('is equal for small differences and differs for large ones', () => {
    expect(scoreOf(92)).toBe(scoreOf(107))
    expect(scoreOf(100)).toBeLessThan(scoreOf(200))
    expect(scoreOf(null)).toBe(0)
    expect(scoreOf(0)).toBe(scoreOf(1))
  })
})
