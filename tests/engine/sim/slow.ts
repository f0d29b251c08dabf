import { type Chance, createChance } from '../../support/chance.ts'
import { type Bar, isQuorum } from './bars.ts'
import { blankNodes } from './poison.ts'
import type { SpecialWorld } from './settings.ts'
import { goOn, polledWorld } from './standing.ts'
import {
  type Behavior,
  behaviorAt,
  type Outage,
  type Phase,
  since,
  startMs,
  tipAt,
  type WorldChain,
  type WorldNode,
} from './world.ts'

const share = 0.04
const lengthMs = 20_000
const blocksMs = [1000, 2000, 12_000]
/** The longest that a slow node takes: some take longer than their stall, and none as long as a deadline. */
const slowMsMax = 2000
/** The stall of the slow node. Its replies come before it. */
const patientMs = 5000
/** A read finds its block if the block comes at least this long before the end of the wait. */
const foundMs = 450

/**
 * A world in which some nodes hang, or one is slow with a long stall. The others are honest, form a quorum under every rule, and are
 * slow for a second. Null for most seeds.
 */
export function drawSlow(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x71d3a2c9)
  return chance.roll(share) ? { lengthMs, arrange: (chain) => withSlow(chance, chain) } : null
}

function withSlow(chance: Chance, chain: WorldChain): WorldChain {
  const isPatient = chance.roll(0.5)
  const drawn = blankNodes(chance, chain, {
    voters: chance.between(3, 5),
    witnesses: chance.pick([0, 0, 2, 3]),
    isHeavy: !isPatient && chance.roll(0.3),
  })
  // In half of these worlds the caller pauses for longer than a head is served.
  const polledMs = chance.pick([5000, Number.POSITIVE_INFINITY])
  const polled = polledWorld(chance, chain, { theme: 'slow', nodes: drawn, lengthMs, blocksMs })
  const slow = { ...polled, pollsMs: polled.pollsMs.filter((ms) => ms % 10_000 < polledMs) }
  // A poll asks one node more than a quorum.
  const silentMax = isPatient ? 1 : 2
  const silent = new Set<string>()
  for (const { operator } of chance.roll(0.5) ? drawn : drawn.toReversed())
    if (silent.size < silentMax && goOn(slow, new Set([...silent, operator]))) silent.add(operator)
  const late: Behavior = isPatient ? { kind: 'slow', ms: chance.between(1000, 4000) } : { kind: 'silent' }
  const hanging = since(chance.pick([0, chance.int(lengthMs / 2)]), late)
  const ms = chance.between(300, slowMsMax)
  const fromMs = chance.pick([0, chance.int(lengthMs / 2)])
  // Polls wait for no node that was too slow in the one before.
  const phases: readonly Phase[] = [
    ...since(fromMs, { kind: 'slow', ms }),
    { fromMs: fromMs + 1000, behavior: { kind: 'honest' } },
  ]
  const isSlow = ({ operator }: WorldNode) => silent.has(operator) || chance.roll(0.8)
  const nodes = drawn.map((node) => {
    if (silent.has(node.operator))
      return { ...node, stallMs: isPatient ? patientMs : node.stallMs, phases: hanging }
    return isSlow(node) ? { ...node, phases } : node
  })
  // A host whose network is away has no node that replies.
  const outMs = lengthMs / 2 + chance.int(lengthMs / 4)
  const outage = chance.roll(0.2) ? { fromMs: outMs, toMs: outMs + chance.between(1000, 5000) } : null
  return { ...slow, outage, nodes: outage === null ? nodes : nodes.map((node) => without(node, outage)) }
}

function without(node: WorldNode, { fromMs, toMs }: Outage): WorldNode {
  const after = behaviorAt(node, startMs + toMs)
  const out: readonly Phase[] = [
    { fromMs, behavior: { kind: 'silent' } },
    { fromMs: toMs, behavior: after },
  ]
  return { ...node, phases: [...node.phases.filter((phase) => phase.fromMs < fromMs), ...out] }
}

/**
 * Whether a read that began at `beganMs` and waits for this block must find it: under each bar, a quorum has the block in time and is
 * prompt until the wait ends.
 */
export function mustFind(
  chain: WorldChain,
  number: number,
  { beganMs, bars }: { readonly beganMs: number; readonly bars: readonly Bar[] },
): boolean {
  const endMs = beganMs + Math.min(...chain.nodes.map(({ stallMs }) => stallMs))
  const having = chain.nodes.filter(
    (node) =>
      // A poll does not ask a node whose plan is used up as its extra node.
      node.perMonth === undefined &&
      isPrompt(node, beganMs - slowMsMax, endMs) &&
      tipAt(chain, endMs - foundMs - node.delayMs).number >= number,
  )
  const operators = new Set(having.map(({ operator }) => operator))
  return bars.every((bar) => isQuorum(chain, bar, operators))
}

function isPrompt({ phases }: WorldNode, fromMs: number, toMs: number): boolean {
  return phases.every(({ fromMs: beginsMs, behavior }, index) => {
    const endsMs = phases[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY
    return behavior.kind === 'honest' || startMs + beginsMs > toMs || startMs + endsMs < fromMs
  })
}
