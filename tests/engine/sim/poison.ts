import { type Chance, createChance } from '../../support/chance.ts'
import { mayTighten, operatorsOf, totalOf, weightOf } from './bars.ts'
import { contracts } from './questions.ts'
import type { Cordoning, SpecialWorld } from './settings.ts'
import { forge, startNumber } from './universe.ts'
import {
  type Behavior,
  growingTips,
  type Phase,
  type PoisonedView,
  plainNode,
  since,
  type WorldChain,
  type WorldNode,
} from './world.ts'

const share = 0.2
/** Times between blocks. */
export const blocksMs = [250, 1000, 2000, 12_000]

/** A world in which some operators tell one lie, and some others cannot be reached; null for most seeds. */
export function drawPoison(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x1f6e9a43)
  if (!chance.roll(share)) return null
  const lengthMs = chance.pick([2000, 5000, 9000, 12_000])
  return {
    lengthMs,
    arrange: (chain) => withPoison(chance, chain, lengthMs),
    // No audits: they send to more nodes than a round needs.
    settings: (chain) => ({
      cordons: cordonsOf(chance, chain, lengthMs),
      hasAudits: false,
      ignoresAbort: false,
    }),
  }
}

/** The chain with voters and witnesses, without reorgs. */
function withPoison(chance: Chance, chain: WorldChain, lengthMs: number): WorldChain {
  const voters = chance.between(2, 5)
  const witnesses = chance.weighted([
    [2, 0],
    [1, 1],
    [2, 2],
    [4, 3],
    [2, 4],
  ])
  const blank = blankNodes(chance, chain, { voters, witnesses, isHeavy: chance.roll(0.4) })
  const nodes = chance.roll(0.1) && witnesses > 0 ? sharing(blank) : blank
  const votersTotal = totalOf({ ...chain, nodes }, { isOfFull: false })
  const quorum = chance.roll(0.7) ? votersTotal / 2 : chance.between(votersTotal, 2 * votersTotal) / 2
  const drawn: WorldChain = {
    ...chain,
    theme: 'poisoned',
    nodes,
    total: votersTotal,
    quorum,
    operatorsMin: chance.pick([1, 1, 2]),
    protect: {
      policy: 'standard',
      all: false,
      methods: chance.roll(0.15) ? ['eth_getBalance'] : [],
      contracts: chance.roll(0.15) ? [contracts[0] as string] : [],
      operatorsMin: chance.pick([3, 3, 3, 1, 2, 4]),
    },
    deadlineMs: 8000,
    pollsMs: chance.roll(0.3) ? Array.from({ length: lengthMs / 500 }, (_, index) => index * 500) : [],
    tips: growingTips(chance, chain.salt, { blockMs: chance.pick(blocksMs), lengthMs }),
    hasReorg: false,
  }
  return withSets(chance, drawn, lengthMs)
}

interface NodesOptions {
  readonly voters: number
  readonly witnesses: number
  readonly isHeavy: boolean
}

/** Honest nodes, each of an operator of its own: voters, then witnesses. */
export function blankNodes(
  chance: Chance,
  chain: WorldChain,
  { voters, witnesses, isHeavy }: NodesOptions,
): readonly WorldNode[] {
  return Array.from(
    { length: voters + witnesses },
    (_, index): WorldNode => ({
      ...plainNode({ ...(chain.nodes[index % chain.nodes.length] as WorldNode), name: `n${index}` }),
      index,
      url: `http://n${index}.chain${chain.id}.example/SECRET-8f2c`,
      weight: isHeavy ? chance.pick([1, 2, 2, 3]) : 1,
      priority: chance.between(1, 2),
      latencyMs: chance.between(1, 40),
      delayMs: chance.roll(0.7) ? 0 : chance.int(800),
      isWitness: index >= voters,
      isRequired: false,
      phases: since(0, { kind: 'honest' }),
    }),
  )
}

/** The first operator runs a witness as well. */
function sharing(nodes: readonly WorldNode[]): readonly WorldNode[] {
  const { operator } = nodes[0] as WorldNode
  return nodes.map((node, index) => (index === nodes.length - 1 ? { ...node, operator } : node))
}

interface Sets {
  readonly poisoned: ReadonlySet<string>
  readonly unreachable: ReadonlySet<string>
}

function drawSets(chance: Chance, chain: WorldChain): Sets {
  const operators = inOrder(chance, chain)
  const half = totalOf(chain, { isOfFull: true }) / 2
  // Mostly as many as may be, by the rule.
  const poisoned = new Set<string>()
  const isBounded = chance.roll(0.85)
  const poisonedMax = chance.between(0, operators.length)
  for (const operator of operators) {
    const isOver = weightOf(chain, { isOfFull: true }, new Set([...poisoned, operator])) > half
    if (poisoned.size < poisonedMax && !(isBounded && isOver)) poisoned.add(operator)
  }
  const others = inOrder(chance, chain).filter((operator) => !poisoned.has(operator))
  return { poisoned, unreachable: new Set(others.slice(0, chance.int(Math.min(4, others.length + 1)))) }
}

/** Every other voter is poisoned, and no witness can be reached: each half may be an everyday quorum. */
function halves({ nodes }: WorldChain): Sets {
  const voters = nodes.filter(({ isWitness }) => !isWitness).map(({ operator }) => operator)
  return {
    poisoned: new Set(voters.filter((_, index) => index % 2 === 1)),
    unreachable: new Set(nodes.map(({ operator }) => operator).filter((each) => !voters.includes(each))),
  }
}

/** Poisons some operators, takes some others out of reach, and may require one. */
function withSets(chance: Chance, chain: WorldChain, lengthMs: number): WorldChain {
  const { poisoned, unreachable } = chance.roll(0.1) ? halves(chain) : drawSets(chance, chain)
  const required = chance.roll(0.15) ? chance.pick([...operatorsOf(chain)]) : null
  const isFirst = chance.roll(0.5)
  const lie: Behavior = { kind: 'poisoned', group: chance.between(1, 60), view: viewOf(chance, chain) }
  const lieMs = chance.roll(0.6) ? 0 : chance.int(lengthMs)
  const nodes = chain.nodes.map((node): WorldNode => {
    const { operator } = node
    const own = { ...node, isRequired: operator === required && !node.isWitness }
    if (poisoned.has(operator))
      return { ...own, delayMs: 0, priority: isFirst ? 0 : node.priority, phases: since(lieMs, lie) }
    return unreachable.has(operator) ? { ...own, phases: outOfReach(chance, lengthMs) } : own
  })
  return { ...chain, nodes }
}

/** Operators by chance, mostly those of voters first. */
function inOrder(chance: Chance, { nodes }: WorldChain): readonly string[] {
  const isVoters = chance.roll(0.6)
  const keyed = nodes.map(({ operator, isWitness }) => ({
    operator,
    key: chance.next() + (isVoters && isWitness ? 1 : 0),
  }))
  return [...new Set(keyed.sort((a, b) => a.key - b.key).map(({ operator }) => operator))]
}

function viewOf(chance: Chance, { id }: WorldChain): PoisonedView {
  const from = chance.pick([1, startNumber - chance.int(3)])
  return chance.weighted<PoisonedView>([
    [5, { kind: 'true' }],
    [
      4,
      { kind: 'forged', branch: forge(0, from, 1 + (id % 3)), from, ahead: chance.pick([0, 0, 1, 5, 1000]) },
    ],
    [2, { kind: 'old', blocks: chance.between(1, 20) }],
  ])
}

function outOfReach(chance: Chance, lengthMs: number): readonly Phase[] {
  const behavior = chance.pick<Behavior>([
    { kind: 'silent' },
    { kind: 'garbage', name: 'connection lost', share: 1 },
    { kind: 'limiting', share: 1, style: chance.int(6) },
  ])
  const fromMs = chance.roll(0.5) ? 0 : chance.int(lengthMs)
  const phases = since(fromMs, behavior)
  return chance.roll(0.75)
    ? phases
    : [...phases, { fromMs: fromMs + chance.int(lengthMs), behavior: { kind: 'honest' } }]
}

/** In some of these worlds an operator cordons a voter, so that it is unusable whatever it does. */
function cordonsOf(chance: Chance, chain: WorldChain, lengthMs: number): readonly Cordoning[] {
  if (!mayTighten(chain) || !chance.roll(0.15)) return []
  const { name } = chance.pick(chain.nodes.filter(({ isWitness }) => !isWitness))
  return [{ atMs: chance.int(lengthMs / 4), node: name, isOut: true }]
}
