import type { Chance } from '../../support/chance.ts'
import { type Forks, forksOf, phasesOf } from './behaviors.ts'
import { dialects } from './shapes.ts'
import { chainIds } from './signed.ts'
import { arranged } from './themes.ts'
import { branchOff, startNumber, type Tip } from './universe.ts'
import { startMs, type Theme, type TipAt, unprotected, type WorldChain, type WorldNode } from './world.ts'

/** The chains of a world, with their nodes, weights, tips and faults. */
export function createChains(chance: Chance, lengthMs: number): readonly WorldChain[] {
  const count = chance.roll(0.3) ? 2 : 1
  const ids = chance.roll(0.5) ? chainIds : [...chainIds].reverse()
  // Twin chains share all block hashes, like two chains from one genesis, and differ only in their chain id.
  const areTwins = count === 2 && chance.roll(0.6)
  const badShare = chance.pick([0, 0.15, 0.3, 0.3, 0.5, 0.8])
  return ids
    .slice(0, count)
    .map((id) => createChain(chance, { id, salt: areTwins ? 7 : id, badShare, lengthMs }))
}

interface ChainSeed {
  readonly id: number
  readonly salt: number
  readonly badShare: number
  readonly lengthMs: number
}

/** How many nodes a chain has, by weight. */
const sizes = [
  [1, 1],
  [2, 2],
  [6, 3],
  [6, 4],
  [3, 5],
  [2, 6],
] as const

function createChain(chance: Chance, { id, salt, badShare, lengthMs }: ChainSeed): WorldChain {
  const { tips, hasReorg } = createTips(chance, salt, lengthMs)
  const size = chance.weighted(sizes)
  const hasOperators = chance.roll(0.3)
  const isHeavy = chance.roll(0.3)
  const fork = forksOf(chance, tips)
  const theme = chance.weighted<Theme>([
    [88, 'anything'],
    [3, 'liar first'],
    [5, 'split operator'],
    [4, 'missing logs'],
    [3, 'falling back'],
    [4, 'pending'],
    [5, 'heavy work'],
    [5, 'estimates'],
  ])
  const colluders = theme === 'anything' && chance.roll(0.25) ? chance.between(1, 3) : 0
  const isAlike = chance.roll(0.5)
  const node = { id, lengthMs, badShare, fork, colluders, isAlike, hasOperators, isHeavy, size }
  const drawn = Array.from({ length: size }, (_, index) => drawNode(chance, index, node))
  const nodes = arranged(chance, theme, drawn, lengthMs)
  const weights = new Map<string, number>()
  for (const { operator, weight } of nodes)
    weights.set(operator, Math.max(weight, weights.get(operator) ?? 0))
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return {
    id,
    theme,
    salt,
    total,
    quorum:
      theme === 'estimates'
        ? (total + 1) / 2
        : chance.roll(0.4)
          ? total / 2
          : Math.min(total, chance.between(1, 2 * total) / 2),
    operatorsMin: chance.roll(0.6) ? 1 : chance.between(1, Math.min(weights.size, 3)),
    protect: unprotected,
    headMaxAgeMs: chance.pick([500, 1000, 2000]),
    deadlineMs: chance.roll(0.85) ? 8000 : 2000,
    reset: null,
    outage: null,
    pollsMs: [],
    nodes,
    tips,
    hasReorg,
  }
}

interface NodeSeed extends Omit<ChainSeed, 'salt'> {
  readonly fork: Forks
  /** The first nodes are faulty in one way. */
  readonly colluders: number
  readonly isAlike: boolean
  readonly hasOperators: boolean
  readonly isHeavy: boolean
  readonly size: number
}

function drawNode(chance: Chance, index: number, seed: NodeSeed): WorldNode {
  const { id, lengthMs, badShare, fork, colluders, isAlike, hasOperators, isHeavy, size } = seed
  const isBad = chance.roll(badShare)
  const isColluder = index < colluders && badShare > 0
  return {
    index,
    name: `n${index}`,
    url: `http://n${index}.chain${id}.example/SECRET-8f2c`,
    operator: hasOperators ? `o${chance.int(Math.max(2, size - 1))}` : `n${index}`,
    weight: isHeavy ? chance.pick([1, 2, 3, 5, 512]) : 1,
    priority: chance.roll(0.7) ? 1 : 2,
    stallMs: chance.weighted([
      [6, 750],
      [1, 100],
      [1, 2000],
    ]),
    inFlightMax: chance.roll(0.9) ? 64 : chance.between(1, 3),
    perSecond: chance.roll(0.05) ? chance.between(1, 20) : null,
    batchCallsMax: chance.roll(0.2) ? learnedOr(chance.between(2, 10)) : 1,
    batchCharsMax: chance.roll(0.5) ? chance.between(60, 400) : Number.POSITIVE_INFINITY,
    writes: chance.roll(0.85),
    isWitness: false,
    isRequired: false,
    dialect: isAlike || chance.roll(0.5) ? 'plain' : chance.pick(dialects),
    latencyMs: chance.between(1, chance.pick([5, 50, 50, 200])),
    delayMs: chance.roll(0.5) ? 0 : chance.between(0, 800),
    phases: isColluder
      ? [{ fromMs: 0, behavior: fork.colluder }]
      : phasesOf(chance, { isBad, id, fork, lengthMs, index }),
  }
}

function createTips(chance: Chance, salt: number, lengthMs: number): Pick<WorldChain, 'tips' | 'hasReorg'> {
  const blockMs = chance.pick([250, 1000, 2000, 2000])
  const reorgs = chance.roll(0.25) ? chance.between(1, 2) : 0
  const reorgMs = Array.from({ length: reorgs }, () => chance.int(lengthMs)).sort((a, b) => a - b)
  let tip: Tip = { salt, branch: 0, number: startNumber }
  const tips: TipAt[] = [{ atMs: Number.NEGATIVE_INFINITY, tip }]
  for (let atMs = chance.int(blockMs); atMs < lengthMs + 20_000; atMs += blockMs) {
    let { branch } = tip
    let number = tip.number + 1
    if (reorgMs.length > 0 && (reorgMs[0] as number) <= atMs) {
      reorgMs.shift()
      const depth = chance.between(1, 3)
      branch = branchOff(branch, tip.number - depth + 1, chance.int(2))
      number = tip.number + chance.between(0, 1)
    }
    tip = { salt, branch, number }
    tips.push({ atMs: startMs + atMs, tip })
    // The last seconds need no new blocks.
    if (atMs > lengthMs + 4000) break
  }
  return { tips, hasReorg: reorgs > 0 }
}

/** A third of the nodes learn their batch size. */
function learnedOr(calls: number): number | 'auto' {
  return calls > 7 ? 'auto' : calls
}
