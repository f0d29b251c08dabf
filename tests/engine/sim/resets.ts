import { headResetMsOf } from '../../../rpc-proxy/chain/head-tracker.ts'
import { type Chance, createChance } from '../../support/chance.ts'
import type { SpecialWorld } from './settings.ts'
import { blockAt, branchOff, forge, startNumber, type Tip } from './universe.ts'
import {
  type Behavior,
  delayMsMax,
  plainNode,
  type Reset,
  since,
  startMs,
  type TipAt,
  type WorldChain,
  type WorldNode,
} from './world.ts'

interface ResetWorld {
  readonly chance: Chance
  readonly reset: Omit<Reset, 'dueMs'>
  /** Interval at which a caller polls the head. */
  readonly pollMs: number
  readonly lengthMs: number
}

const share = 0.03
/** Maximum delay of a node that follows the chain. */
const lateMsMax = 3000
const headMaxAgeMs = 500
/** A poll without agreement lasts this long when a node is silent. */
const deadlineMs = 3000
/** Maximum time between two polls under polling: the maximum head age, a poll interval and a stalled look. */
const pollEveryMs = headMaxAgeMs + 2000

/** A world whose chain is reset, or said to be; null for most seeds. */
export function drawReset(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x7f4a7c15)
  if (!chance.roll(share)) return null
  const kind = chance.weighted<Reset['kind']>([
    [5, 'replaced'],
    [3, 'rewound'],
    [2, 'claimed'],
  ])
  const atMs = chance.between(1500, 4000)
  const reset = { kind, atMs }
  const pollMs = chance.between(100, 250)
  const lengthMs = atMs + lateMsMax + followingMs + 3000
  return { lengthMs, arrange: (chain) => withReset(chain, { chance, reset, pollMs, lengthMs }) }
}

const headResetMs = headResetMsOf(1)
/** Maximum time until the head is given up. A pause between two polls counts for at most a third of it. */
const followingMs = deadlineMs + Math.max(headResetMs, 3 * pollEveryMs) + pollEveryMs

/** The chain with its reset. Faulty nodes are always fewer than a quorum, and two quorums always overlap. */
function withReset(chain: WorldChain, { chance, reset, pollMs, lengthMs }: ResetWorld): WorldChain {
  const total = chain.nodes.length
  const quorum = (total >> 1) + 1
  const bad = reset.kind === 'claimed' ? total - quorum : chance.int(total - quorum + 1)
  const behaviors = Array.from({ length: bad }, () => behaviorOf(chance, reset))
  const isFirst = chance.roll(0.5)
  const nodes = chain.nodes.map((node, index): WorldNode => {
    const position = isFirst ? index : total - 1 - index
    const behavior = behaviors[position] ?? { kind: 'honest' }
    return {
      ...plainNode(node),
      latencyMs: chance.between(1, 40),
      delayMs: chance.roll(0.15) ? chance.between(delayMsMax, lateMsMax) : chance.int(delayMsMax),
      phases: since(behavior.kind === 'forger' ? reset.atMs : 0, behavior),
    }
  })
  const tips = tipsOf(chance, chain.salt, reset, lengthMs)
  // A rewound chain is followed only when no node shows the old head any more.
  const isSure = reset.kind === 'replaced' || (reset.kind === 'rewound' && bad === 0)
  const dueMs = isSure ? startMs + reset.atMs + lateMsMax + followingMs : null
  return {
    ...chain,
    theme: 'reset',
    total,
    quorum,
    operatorsMin: 1,
    headMaxAgeMs,
    deadlineMs,
    reset: { ...reset, dueMs },
    pollsMs: Array.from({ length: Math.floor(lengthMs / pollMs) }, (_, index) => index * pollMs),
    nodes,
    tips,
    hasReorg: reset.kind !== 'claimed',
  }
}

function behaviorOf(chance: Chance, { kind, atMs }: Omit<Reset, 'dueMs'>): Behavior {
  const lower: Behavior = {
    kind: 'forger',
    branch: forge(0, 1, 1),
    from: 1,
    ahead: chance.pick([-900, -900, -20]),
  }
  if (kind === 'claimed') return lower
  return chance.pick<Behavior>([
    { kind: 'stuck', untilMs: atMs },
    { kind: 'forger', branch: forge(0, 1, 1), from: 1, ahead: chance.pick([900, 1, -90]) },
    { kind: 'liar', group: 10 },
    { kind: 'silent' },
    { kind: 'no index' },
  ])
}

function tipsOf(
  chance: Chance,
  salt: number,
  { kind, atMs }: Omit<Reset, 'dueMs'>,
  lengthMs: number,
): readonly TipAt[] {
  const blockMs = chance.pick([500, 1000, 2000])
  let tip: Tip = { salt, branch: 0, number: startNumber }
  const tips: TipAt[] = [{ atMs: Number.NEGATIVE_INFINITY, tip }]
  let isDue = kind !== 'claimed'
  for (let nextMs = chance.int(blockMs); nextMs < lengthMs + 4000; nextMs += blockMs) {
    const isReset = isDue && nextMs >= atMs
    if (isReset) isDue = false
    tip = isReset ? afterReset(chance, tip, kind) : { ...tip, number: tip.number + 1 }
    tips.push({ atMs: startMs + (isReset ? atMs : nextMs), tip })
  }
  return tips
}

function afterReset(chance: Chance, { salt, branch, number }: Tip, kind: Reset['kind']): Tip {
  if (kind === 'replaced')
    return { salt, branch: branchOff(0, chance.roll(0.7) ? 1 : 0, 5), number: chance.between(100, 160) }
  const lower = number - chance.between(1, 40)
  // It continues with the same blocks or with new ones.
  return chance.roll(0.5)
    ? { salt, branch, number: lower }
    : { salt, branch: branchOff(branch, lower, 4), number: lower }
}

/** The block number to which the chain was rewound or reset; null if it never was. */
export function resetNumber({ tips }: WorldChain): number | null {
  const index = tips.findIndex(({ tip }, at) => at > 0 && tip.number < (tips[at - 1] as TipAt).tip.number)
  return tips[index]?.tip.number ?? null
}

export function tipsSinceReset({ tips, reset }: WorldChain): readonly TipAt[] {
  if (reset === null || reset.kind === 'claimed') return tips
  return tips.filter(({ atMs }) => atMs >= startMs + reset.atMs)
}

export function tipBeforeReset({ tips, reset }: WorldChain): Tip | null {
  if (reset === null || reset.kind === 'claimed') return null
  return tips.findLast(({ atMs }) => atMs < startMs + reset.atMs)?.tip ?? null
}

export const isBelow = (head: Tip, block: Tip): boolean =>
  block.number < head.number - blocksMax ||
  (block.number < head.number && blockAt(head, block.number).branch === block.branch)

/** How many agreed blocks the engine keeps. */
const blocksMax = 256
