import { type Chance, createChance } from '../../support/chance.ts'
import { blankNodes } from './poison.ts'
import type { SpecialWorld } from './settings.ts'
import { goOn, polledWorld } from './standing.ts'
import { type Phase, since, type WorldChain, type WorldNode } from './world.ts'

const share = 0.04
const lengthMs = 20_000
/** The longest that a slow node takes: some take longer than their stall, and none as long as a deadline. */
const slowMsMax = 2000

/**
 * A world in which some nodes hang, and the others are honest, a quorum of all kinds, and slow for a second; null for most seeds.
 */
export function drawSlow(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x71d3a2c9)
  return chance.roll(share) ? { lengthMs, arrange: (chain) => withSlow(chance, chain) } : null
}

function withSlow(chance: Chance, chain: WorldChain): WorldChain {
  const drawn = blankNodes(chance, chain, {
    voters: chance.between(3, 5),
    witnesses: chance.pick([0, 0, 2, 3]),
    isHeavy: chance.roll(0.3),
  })
  // In half of these worlds the caller pauses for longer than a head is served.
  const polledMs = chance.pick([5000, Number.POSITIVE_INFINITY])
  const polled = polledWorld(chance, chain, {
    theme: 'slow',
    nodes: drawn,
    lengthMs,
    blocksMs: [1000, 2000, 12_000],
  })
  const slow = { ...polled, pollsMs: polled.pollsMs.filter((ms) => ms % 10_000 < polledMs) }
  const silent = new Set<string>()
  for (const { operator } of chance.roll(0.5) ? drawn : drawn.toReversed())
    if (silent.size < 2 && goOn(slow, new Set([...silent, operator]))) silent.add(operator)
  const hanging = since(chance.pick([0, chance.int(lengthMs / 2)]), { kind: 'silent' })
  const ms = chance.between(300, slowMsMax)
  const fromMs = chance.pick([0, chance.int(lengthMs / 2)])
  // Polls wait for no node that was too slow in the one before.
  const phases: readonly Phase[] = [
    ...since(fromMs, { kind: 'slow', ms }),
    { fromMs: fromMs + 1000, behavior: { kind: 'honest' } },
  ]
  const isSlow = ({ operator }: WorldNode) => silent.has(operator) || chance.roll(0.8)
  const nodes = drawn.map((node) =>
    isSlow(node) ? { ...node, phases: silent.has(node.operator) ? hanging : phases } : node,
  )
  return { ...slow, nodes }
}
