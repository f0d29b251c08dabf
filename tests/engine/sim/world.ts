import type { Chance } from '../../support/chance.ts'
import type { GarbageName } from '../../support/garbage.ts'
import type { Dialect } from './shapes.ts'
import { startNumber, type Tip } from './universe.ts'

/** How a node behaves. */
export type Behavior =
  | { readonly kind: 'honest' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'jittery'; readonly msMax: number }
  | { readonly kind: 'liar'; readonly group: number }
  /** One of a group that tells one lie about everything, its head included. */
  | { readonly kind: 'poisoned'; readonly group: number; readonly view: PoisonedView }
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

/** Which head poisoned nodes show: the true one, one of a forged branch, or an old one. */
export type PoisonedView =
  | { readonly kind: 'true' }
  | { readonly kind: 'forged'; readonly branch: number; readonly from: number; readonly ahead: number }
  | { readonly kind: 'old'; readonly blocks: number }

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
  /** Its plan, in requests: they are spent soon. Absent where it has none. */
  readonly perMonth?: number
  readonly batchCallsMax: number | 'auto'
  /** Maximum characters of a batch reply; a single reply is never over the cap. */
  readonly batchCharsMax: number
  readonly writes: boolean
  readonly isWitness: boolean
  /** Without its vote a result is thin, or there is none. */
  readonly isRequired: boolean
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
  /** There are witnesses; some operators tell one lie, and some others cannot be reached. */
  | 'poisoned'
  /** Some nodes stay at one block and go on answering. */
  | 'standing'
  /** Some nodes hang, or one is slow with a long stall. The others are slow for a second. */
  | 'slow'

/** A reset of the chain. */
export interface Reset {
  /**
   * `replaced`: other blocks, far below all known ones. `rewound`: continues from a lower block of its own branch.
   * `claimed`: it keeps growing, and only liars say that it was reset.
   */
  readonly kind: 'replaced' | 'rewound' | 'claimed'
  /** Since the start of the world. */
  readonly atMs: number
  /** When a polled head must be on the new chain, epoch milliseconds; null if a node may prevent that. */
  readonly dueMs: number | null
}

/** What is protected, whoever calls. */
export interface Protect {
  readonly policy: 'standard'
  readonly all: false
  readonly methods: readonly string[]
  readonly contracts: readonly string[]
  readonly operatorsMin: number
}

export const unprotected: Protect = {
  policy: 'standard',
  all: false,
  methods: [],
  contracts: [],
  operatorsMin: 3,
}

/** Since the start of the world. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

export interface WorldChain {
  readonly id: number
  readonly theme: Theme
  readonly salt: number
  readonly quorum: number
  /** The weight of all voters. */
  readonly total: number
  readonly operatorsMin: number
  readonly protect: Protect
  readonly headMaxAgeMs: number
  readonly deadlineMs: number
  readonly reset: Reset | null
  /** No node replies meanwhile. */
  readonly outage: Outage | null
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

/** Honest until then, in milliseconds since the start. */
export function since(fromMs: number, behavior: Behavior): readonly Phase[] {
  const before: Phase = { fromMs: 0, behavior: { kind: 'honest' } }
  return fromMs === 0 ? [{ fromMs, behavior }] : [before, { fromMs, behavior }]
}

/** Of an operator of its own, with the usual limits. */
export const plainNode = (node: WorldNode): WorldNode => ({
  ...node,
  operator: node.name,
  weight: 1,
  stallMs: 750,
  inFlightMax: 64,
  perSecond: null,
})

/** How a node behaves at a time, in milliseconds since the epoch. */
export function behaviorAt({ phases }: WorldNode, atMs: number): Behavior {
  let found = (phases[0] as Phase).behavior
  for (const { fromMs, behavior } of phases) if (startMs + fromMs <= atMs) found = behavior
  return found
}

/** The tips of a chain without reorgs, from the first one that every world begins with. */
export function growingTips(
  chance: Chance,
  salt: number,
  { blockMs, lengthMs }: { readonly blockMs: number; readonly lengthMs: number },
): readonly TipAt[] {
  let tip: Tip = { salt, branch: 0, number: startNumber }
  const tips: TipAt[] = [{ atMs: Number.NEGATIVE_INFINITY, tip }]
  for (let atMs = chance.int(blockMs); atMs < lengthMs + 4000; atMs += blockMs) {
    tip = { ...tip, number: tip.number + 1 }
    tips.push({ atMs: startMs + atMs, tip })
  }
  return tips
}

/** The canonical tip at a time. */
export function tipAt({ tips }: WorldChain, atMs: number): Tip {
  for (let index = tips.length - 1; index > 0; index--) {
    const { atMs: bornMs, tip } = tips[index] as TipAt
    if (bornMs <= atMs) return tip
  }
  return (tips[0] as TipAt).tip
}
