import { expect, test } from 'vitest'
import { barsOf } from './bars.ts'
import { drawWorld } from './draw-world.ts'
import { judgePolicy } from './judge-policy.ts'
import type { JudgedCall } from './judged-call.ts'
import type { Network } from './network.ts'
import { soundnessOf } from './soundness.ts'
import { startMs, type WorldChain } from './world.ts'

/** In this world five of seven nodes show a forged branch: no everyday quorum, and more than half of all weight. */
const [chain] = drawWorld(7_116_599).chains as [WorldChain]

/** A head above the chain, marked as thin, where these operators lie. */
function breachesOf(liars: readonly string[]): readonly string[] {
  const bars = barsOf(chain)
  const soundness = { ...soundnessOf(chain, { bars: [bars.thin], isTouched: false }), liars: new Set(liars) }
  const reply = { policy: 'tightened', isThin: true, block: 5000, cache: null }
  const judged = {
    ...{ chain, soundness, bars, reply, bar: bars.thin, isProtected: false, isByAll: false },
    ...{ entry: { agreement: 'head', call: null, text: 'eth_blockNumber' }, startMs, endMs: startMs + 5000 },
  }
  const breaches: string[] = []
  judgePolicy(judged as unknown as JudgedCall, {} as Network, '', (_, detail) => breaches.push(detail))
  return breaches
}

test('a head of more than half of all weight may be kept, and thin, while its liars show a lower one', () => {
  expect(breachesOf(['n0', 'n1', 'n3', 'n5', 'n6'])).toEqual([])
  expect(breachesOf(['n0', 'n1'])).toHaveLength(1)
})
