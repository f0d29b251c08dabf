import { expect, test } from 'vitest'
import type { NodeState } from '../../../../rpc-proxy/events/events.ts'
import { scoreOf } from '../../../../rpc-proxy/upstreams/health.ts'
import type { Node } from '../../../../rpc-proxy/upstreams/node.ts'
import { inOrder } from '../../../../rpc-proxy/upstreams/order.ts'

const usual = {
  state: 'usable' as NodeState,
  serves: true,
  head: 100,
  backlog: 0,
  isSpent: false,
  deprioritized: false,
  priority: 1,
  ms: 10,
}
type Traits = Partial<typeof usual>

/** Only the fields of a node that the order depends on. */
function node(name: string, traits: Traits): Node {
  const { state, serves, head, backlog, isSpent, deprioritized, priority, ms } = { ...usual, ...traits }
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

test('a node that is worse in this is asked later, however much worse another one is in all that stands above it', () => {
  let all: Traits = {}
  for (const [title, traits] of Object.entries<Traits>({
    slower: { ms: 100 },
    'later in priority': { priority: 2 },
    'without a free place': { backlog: 1 },
    'failing at such calls': { deprioritized: true },
    behind: { head: 99 },
    'on a plan that is spent': { isSpent: true },
    'without the method': { serves: false },
  })) {
    const nodes = [node('worse', traits), node('good', all)]
    const ordered = inOrder(nodes, {
      electorate: { operatorOf: [] },
      method: 'eth_call',
      block: 100,
      random: () => 0.5,
    })
    expect([title, ...ordered.map((each) => each.node.options.name)]).toEqual([title, 'good', 'worse'])
    all = { ...all, ...traits }
  }
})

test('the score of a latency is equal for small differences and differs for large ones', () => {
  expect(scoreOf(92)).toBe(scoreOf(107))
  expect(scoreOf(100)).toBeLessThan(scoreOf(200))
  expect(scoreOf(null)).toBe(0)
  expect(scoreOf(0)).toBe(scoreOf(1))
})
