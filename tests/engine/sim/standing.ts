import { type Chance, createChance } from '../../support/chance.ts'
import { barsOf, isQuorum, mayTighten, operatorsOf, totalOf } from './bars.ts'
import { headAgeMsMax } from './head-bound.ts'
import { blankNodes, blocksMs } from './poison.ts'
import type { SpecialWorld } from './settings.ts'
import { delayMsMax, growingTips, since, tipAt, type WorldChain } from './world.ts'

const share = 0.04
/** A caller asks for the head so often; every second one is protected. */
const pollMs = 400

/**
 * A world in which some nodes stay at one block and go on answering, and the others are honest and a quorum of all kinds; null for most
 * seeds.
 */
export function drawStanding(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x4c8a1e27)
  if (!chance.roll(share)) return null
  const lengthMs = chance.pick([20_000, 40_000])
  return { lengthMs, arrange: (chain) => withStanding(chance, chain, lengthMs) }
}

function withStanding(chance: Chance, chain: WorldChain, lengthMs: number): WorldChain {
  // All voters stand still, and the witnesses are most of all weight.
  const isAll = chance.roll(0.2)
  const standing = polledWorld(chance, chain, {
    theme: 'standing',
    lengthMs,
    blocksMs,
    nodes: blankNodes(chance, chain, {
      voters: isAll ? 3 : chance.between(3, 5),
      witnesses: isAll ? 4 : chance.pick([0, 2, 3, 3, 4]),
      isHeavy: !isAll && chance.roll(0.5),
    }),
  })
  const drawn = standing.nodes
  const phases = since(0, { kind: 'stuck', untilMs: chance.int(lengthMs / 4) })
  const isFirst = chance.roll(0.7)
  const wanted = isAll ? 3 : chance.between(1, 3)
  const stuck = new Set<string>()
  for (const { operator } of isAll || chance.roll(0.5) ? drawn : drawn.toReversed())
    if (stuck.size < wanted && goOn(standing, new Set([...stuck, operator]))) stuck.add(operator)
  const nodes = drawn.map((node) =>
    stuck.has(node.operator) ? { ...node, delayMs: 0, priority: isFirst ? 0 : node.priority, phases } : node,
  )
  return { ...standing, nodes }
}

type PolledOptions = Pick<WorldChain, 'theme' | 'nodes'> & { lengthMs: number; blocksMs: readonly number[] }

/** A chain that a caller polls all the time, with a long deadline. */
export function polledWorld(
  chance: Chance,
  chain: WorldChain,
  { theme, nodes, lengthMs, blocksMs }: PolledOptions,
): WorldChain {
  const total = totalOf({ ...chain, nodes }, { isOfFull: false })
  return {
    ...chain,
    theme,
    nodes,
    total,
    quorum: chance.roll(0.7) ? total / 2 : (total + 1) / 2,
    operatorsMin: chance.pick([1, 2]),
    deadlineMs: 8000,
    pollsMs: Array.from({ length: lengthMs / pollMs }, (_, index) => index * pollMs),
    tips: growingTips(chance, chain.salt, { blockMs: chance.pick(blocksMs), lengthMs }),
    hasReorg: false,
  }
}

/** Without these operators, the others are a quorum by each rule that a head is agreed on by. */
export function goOn(chain: WorldChain, stuck: ReadonlySet<string>): boolean {
  const others = new Set([...operatorsOf(chain)].filter((operator) => !stuck.has(operator)))
  const { everyday, tightened, protected: protectedBar } = barsOf(chain)
  return [mayTighten(chain) ? tightened : everyday, protectedBar].every((bar) => isQuorum(chain, bar, others))
}

/** Nodes that a poll does not need are polled this often. */
const othersEveryMs = 10_000

/**
 * The block that a head served at this time must have reached, though nodes stand still: they are noticed when others are polled
 * and have been two blocks ahead for as long as a head is served, and what was found before is served for as long again.
 */
export function reachedBesideStanding(chain: WorldChain, servedMs: number): number {
  const ageMs = othersEveryMs + 2 * headAgeMsMax(chain) + 4 * pollMs + delayMsMax
  return tipAt(chain, servedMs - ageMs).number - 1
}
