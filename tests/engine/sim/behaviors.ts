import type { Chance } from '../../support/chance.ts'
import { type GarbageName, garbageNames } from '../../support/garbage.ts'
import { blockAt, branchOff, forge } from './universe.ts'
import type { Behavior, Phase, TipAt } from './world.ts'

export interface Forks {
  readonly forking: Behavior
  readonly forger: Behavior
  readonly colluder: Behavior
}

/** Branches that faulty nodes may follow, shared by all of them. */
export function forksOf(chance: Chance, tips: readonly TipAt[]): Forks {
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

export function phasesOf(chance: Chance, { isBad, id, index, fork, lengthMs }: PhaseSeed): readonly Phase[] {
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
