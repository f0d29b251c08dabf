import type { Chance } from './chance.ts'
import type { GarbageName } from './garbage.ts'
import { garbageNames } from './garbage.ts'
import { type Dialect, dialects } from './shapes.ts'
import { chainIds } from './signed.ts'
import { blockAt, branchOff, forge, startNumber, type Tip } from './universe.ts'

/** How a node behaves. */
export type Behavior =
  | { readonly kind: 'honest' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'jittery'; readonly msMax: number }
  | { readonly kind: 'liar'; readonly group: number }
  | { readonly kind: 'flapping'; readonly intervalMs: number }
  | { readonly kind: 'forking'; readonly branch: number; readonly from: number; readonly ahead: number }
  | { readonly kind: 'forger'; readonly branch: number; readonly from: number; readonly ahead: number }
  | { readonly kind: 'balancer'; readonly lags: readonly number[] }
  | { readonly kind: 'lagging'; readonly blocks: number }
  | { readonly kind: 'garbage'; readonly name: GarbageName; readonly share: number }
  | { readonly kind: 'limiting'; readonly share: number; readonly style: number }
  | { readonly kind: 'wrong-chain'; readonly chainId: number }
  | { readonly kind: 'unable'; readonly style: number }
  | { readonly kind: 'no index' }
  /** It follows the chain until then, in milliseconds since the start, and stays at that head. */
  | { readonly kind: 'stuck'; readonly untilMs: number }
  /** Honest, but cannot handle heavy work from callers. */
  | { readonly kind: 'fragile'; readonly hurt: Hurt }

/** How a fragile node replies to heavy work. */
export const hurts = [
  'silent',
  'slow',
  'connection',
  'too-large',
  'error',
  'limit',
  'limit in words',
  'http',
] as const
export type Hurt = (typeof hurts)[number]

export interface Phase {
  readonly fromMs: number
  readonly behavior: Behavior
}

export interface WorldNode {
  readonly index: number
  readonly name: string
  readonly url: string
  readonly operator: string
  readonly weight: number
  readonly priority: number
  readonly stallMs: number
  readonly inFlightMax: number
  readonly perSecond: number | null
  readonly batchCallsMax: number | 'auto'
  /** Maximum characters of a batch reply; a single reply is never over the cap. */
  readonly batchCharsMax: number
  readonly writes: boolean
  readonly dialect: Dialect
  readonly latencyMs: number
  /** Delay of new blocks. */
  readonly delayMs: number
  /** In order of time. The first starts with the world. */
  readonly phases: readonly Phase[]
}

export interface TipAt {
  readonly atMs: number
  readonly tip: Tip
}

/** The theme of a world. Themes set up rare combinations on purpose. */
export type Theme =
  | 'anything'
  /** The first node lies, all others are honest. */
  | 'liar first'
  /** One operator's first node is slow and its second one lies. */
  | 'split operator'
  /** Many nodes have no log index. */
  | 'missing logs'
  /** At some moment every node falls some blocks behind. */
  | 'falling back'
  /** Callers look for transactions that are being mined. */
  | 'pending'
  /** Callers choose work that is too heavy for the first node. All nodes are honest. */
  | 'heavy work'
  /** Callers ask for estimates. One node lies, one reports none, and honest ones differ. */
  | 'estimates'
  /** The chain is replaced by a shorter one, is rewound, or liars claim so. */
  | 'reset'
  /** Callers poll the head and pause; some nodes are late. */
  | 'pauses'

/** A reset of the chain. */
export interface Reset {
  /**
   * `replaced`: other blocks, far below all known ones. `rewound`: continues from a lower block of its own branch.
   * `claimed`: it keeps growing, and only liars say that it was reset.
   */
  readonly kind: 'replaced' | 'rewound' | 'claimed'
  /** Since the start of the world. */
  readonly atMs: number
  readonly headResetMs: number
  /** When a polled head must be on the new chain, epoch milliseconds; null if a node may prevent that. */
  readonly dueMs: number | null
}

export interface WorldChain {
  readonly id: number
  readonly theme: Theme
  readonly salt: number
  readonly quorum: number
  readonly total: number
  readonly operatorsMin: number
  readonly headMaxAgeMs: number
  readonly deadlineMs: number
  readonly headResetMs: number
  readonly reset: Reset | null
  /** When a caller polls the head, since the start of the world. */
  readonly pollsMs: readonly number[]
  readonly nodes: readonly WorldNode[]
  /** The canonical tip over time, in order. */
  readonly tips: readonly TipAt[]
  readonly hasReorg: boolean
}

export const startMs = 1_700_000_000_000
/** Maximum delay of a block to a node that is in sync. */
export const delayMsMax = 1000

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

function createChain(chance: Chance, { id, salt, badShare, lengthMs }: ChainSeed): WorldChain {
  const { tips, hasReorg } = createTips(chance, salt, lengthMs)
  const size = chance.weighted([
    [1, 1],
    [2, 2],
    [6, 3],
    [6, 4],
    [3, 5],
    [2, 6],
  ])
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
  const drawn = Array.from({ length: size }, (_, index): WorldNode => {
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
      dialect: isAlike || chance.roll(0.5) ? 'plain' : chance.pick(dialects),
      latencyMs: chance.between(1, chance.pick([5, 50, 50, 200])),
      delayMs: chance.roll(0.5) ? 0 : chance.between(0, 800),
      phases: isColluder
        ? [{ fromMs: 0, behavior: fork.colluder }]
        : phasesOf(chance, { isBad, id, fork, lengthMs, index }),
    }
  })
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
    headMaxAgeMs: chance.pick([500, 1000, 2000]),
    deadlineMs: chance.roll(0.85) ? 8000 : 2000,
    headResetMs: 30_000,
    reset: null,
    pollsMs: [],
    nodes,
    tips,
    hasReorg,
  }
}

function arranged(
  chance: Chance,
  theme: Theme,
  nodes: readonly WorldNode[],
  lengthMs: number,
): readonly WorldNode[] {
  const always = (behavior: Behavior): readonly Phase[] => [{ fromMs: 0, behavior }]
  switch (theme) {
    case 'liar first':
      return nodes.map((node, index) => ({
        ...node,
        operator: node.name,
        weight: 1,
        priority: index === 0 ? 0 : 1,
        phases: always(index === 0 ? { kind: 'liar', group: 10 } : { kind: 'honest' }),
      }))
    case 'split operator':
      return nodes.map((node, index) =>
        index > 1
          ? node
          : {
              ...node,
              operator: 'o0',
              priority: index,
              stallMs: 100,
              phases: always(
                index === 0 ? { kind: 'slow', ms: chance.between(101, 900) } : { kind: 'liar', group: 11 },
              ),
            },
      )
    case 'missing logs':
      return nodes.map((node) =>
        chance.roll(0.5)
          ? node
          : { ...node, phases: always(chance.roll(0.7) ? { kind: 'no index' } : { kind: 'honest' }) },
      )
    case 'pending':
      return nodes.map((node) => ({
        ...node,
        delayMs: chance.between(0, 4000),
        ...(chance.roll(0.3) && { phases: always({ kind: 'liar', group: 12 }) }),
      }))
    case 'heavy work': {
      const batchCallsMax = chance.pick([1, 10])
      return nodes.map((node, index) => ({
        ...node,
        priority: index,
        stallMs: 750,
        inFlightMax: 64,
        perSecond: null,
        batchCallsMax,
        batchCharsMax: chance.between(60, 120),
        latencyMs: chance.between(1, 20),
        delayMs: 0,
        phases: always(index === 0 ? { kind: 'fragile', hurt: chance.pick(hurts) } : { kind: 'honest' }),
      }))
    }
    case 'estimates': {
      const mute = chance.pick<Behavior>([
        { kind: 'silent' },
        { kind: 'slow', ms: chance.between(300, 9000) },
        { kind: 'limiting', share: 1, style: chance.int(8) },
        { kind: 'lagging', blocks: 2 },
        { kind: 'honest' },
      ])
      const behaviors = [{ kind: 'liar', group: 10 } as const, mute]
      const positions = chance.roll(0.5) ? [0, 1] : [nodes.length - 1, 0]
      return nodes.map((node, index) => ({
        ...node,
        operator: node.name,
        weight: 1,
        phases: always(behaviors[positions.indexOf(index)] ?? { kind: 'honest' }),
      }))
    }
    case 'falling back': {
      const fromMs = chance.int(lengthMs)
      const blocks = chance.between(1, 4)
      return nodes.map((node) => ({
        ...node,
        phases: [
          { fromMs: 0, behavior: { kind: 'honest' } },
          { fromMs, behavior: { kind: 'lagging', blocks } },
        ],
      }))
    }
    default:
      return nodes
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

interface Forks {
  readonly forking: Behavior
  readonly forger: Behavior
  readonly colluder: Behavior
}

/** Branches that faulty nodes may follow, shared by all of them. */
function forksOf(chance: Chance, tips: readonly TipAt[]): Forks {
  const { tip } = chance.pick(tips)
  const from = tip.number - chance.int(3)
  const ahead = chance.between(-1, 2)
  const forking: Behavior = {
    kind: 'forking',
    branch: branchOff(blockAt(tip, from).branch, from, 3),
    from,
    ahead,
  }
  const forger: Behavior = {
    kind: 'forger',
    branch: forge(blockAt(tip, from).branch, from, 1),
    from,
    ahead: chance.pick([0, 1, 5, 1000]),
  }
  const colluder = chance.weighted<Behavior>([
    [5, { kind: 'liar', group: 1 }],
    [2, forger],
    [1, forking],
  ])
  return { forking, forger, colluder }
}

interface PhaseSeed {
  readonly isBad: boolean
  readonly id: number
  readonly index: number
  readonly fork: Forks
  readonly lengthMs: number
}

function phasesOf(chance: Chance, { isBad, id, index, fork, lengthMs }: PhaseSeed): readonly Phase[] {
  if (!isBad) return [{ fromMs: 0, behavior: { kind: 'honest' } }]
  const first: Phase = { fromMs: 0, behavior: behaviorOf(chance, { id, index, fork }) }
  if (chance.roll(0.7)) return [first]
  const switched: Phase = {
    fromMs: chance.int(lengthMs),
    behavior: chance.roll(0.4) ? { kind: 'honest' } : behaviorOf(chance, { id, index, fork, isLater: true }),
  }
  return chance.roll(0.5) ? [first, switched] : [{ fromMs: 0, behavior: { kind: 'honest' } }, switched]
}

function behaviorOf(
  chance: Chance,
  { id, index, fork, isLater = false }: { id: number; index: number; fork: Forks; isLater?: boolean },
): Behavior {
  return chance.weighted<Behavior>([
    [3, { kind: 'silent' }],
    [2, { kind: 'slow', ms: chance.between(300, 9000) }],
    [2, { kind: 'jittery', msMax: chance.between(200, 2500) }],
    [4, { kind: 'liar', group: 10 + index }],
    [1, { kind: 'liar', group: 1 }],
    [1, { kind: 'flapping', intervalMs: chance.between(200, 3000) }],
    [1, fork.forking],
    [1, fork.forger],
    [1, { kind: 'balancer', lags: [0, chance.int(3), chance.int(6)] }],
    [1, { kind: 'lagging', blocks: chance.between(1, 5) }],
    [6, { kind: 'garbage', name: garbageOf(chance), share: chance.pick([0.3, 1, 1]) }],
    [2, { kind: 'limiting', share: chance.pick([0.3, 1]), style: chance.int(8) }],
    [1, { kind: 'unable', style: chance.int(4) }],
    [1, { kind: 'no index' }],
    // The chain id is checked at the start and hourly, so a change in between would not be noticed.
    [isLater ? 0 : 1, { kind: 'wrong-chain', chainId: id === 1 ? 137 : 1 }],
  ])
}

/** Rare kinds of garbage are picked more often, so that each meets every situation. */
function garbageOf(chance: Chance): GarbageName {
  return chance.roll(0.35)
    ? chance.pick(['an unknown error', 'connection lost', 'redirect', 'too large', 'another id'])
    : chance.pick(garbageNames)
}

/** How a node behaves at a time, in milliseconds since the epoch. */
export function behaviorAt({ phases }: WorldNode, atMs: number): Behavior {
  let found = (phases[0] as Phase).behavior
  for (const { fromMs, behavior } of phases) if (startMs + fromMs <= atMs) found = behavior
  return found
}

/** The canonical tip at a time. */
export function tipAt({ tips }: WorldChain, atMs: number): Tip {
  for (let index = tips.length - 1; index > 0; index--) {
    const { atMs: bornMs, tip } = tips[index] as TipAt
    if (bornMs <= atMs) return tip
  }
  return (tips[0] as TipAt).tip
}

/** A third of the nodes learn their batch size. */
function learnedOr(calls: number): number | 'auto' {
  return calls > 7 ? 'auto' : calls
}
