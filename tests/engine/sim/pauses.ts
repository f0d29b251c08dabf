import { type Chance, createChance } from '../../support/chance.ts'
import type { SpecialWorld } from './settings.ts'
import { forge } from './universe.ts'
import { type Behavior, growingTips, plainNode, since, type WorldChain, type WorldNode } from './world.ts'

/** When callers poll: `pollsCount` times every `pollMs`, then nobody calls for one of `pausesMs`. */
interface Rhythm {
  readonly pollMs: number
  readonly pollsCount: number
  readonly pausesMs: readonly number[]
}

interface PausedWorld {
  readonly chance: Chance
  readonly rhythm: Rhythm
  readonly lengthMs: number
}

const share = 0.04
/** Maximum delay of a node that follows the chain. */
const lateMsMax = 6000
/** Times between blocks. */
const blocksMs = [250, 1000, 2000, 2000, 12_000]

/** A world whose callers are away for a while, again and again; null for most seeds. */
export function drawPauses(seed: number): SpecialWorld | null {
  const chance = createChance(seed ^ 0x2c1b3c6d)
  if (!chance.roll(share)) return null
  const rhythm: Rhythm = {
    pollMs: chance.pick([30, 300, 1000, 4000]),
    pollsCount: chance.between(2, 5),
    pausesMs: Array.from({ length: chance.between(2, 3) }, () => chance.between(8000, 60_000)),
  }
  const lengthMs = (pollTimes(rhythm).at(-1) ?? 0) + 1000
  return { lengthMs, arrange: (chain) => withPauses(chain, { chance, rhythm, lengthMs }) }
}

/** When callers poll the head, since the start of the world. */
function pollTimes({ pollMs, pollsCount, pausesMs }: Rhythm): readonly number[] {
  const times: number[] = []
  let atMs = 0
  for (const pauseMs of [0, ...pausesMs]) {
    atMs += pauseMs
    for (let poll = 0; poll < pollsCount; poll++) times.push(atMs + poll * pollMs)
    atMs = times.at(-1) as number
  }
  return times
}

/** The chain without reorgs. Honest nodes are a quorum, and faulty ones are not. */
function withPauses(chain: WorldChain, { chance, rhythm, lengthMs }: PausedWorld): WorldChain {
  const total = chain.nodes.length
  const quorum = chance.roll(0.6) ? Math.ceil(total / 2) : (total >> 1) + 1
  const badMax = Math.min(total - quorum, quorum - 1)
  const bad = chance.roll(0.4) ? 0 : chance.int(badMax + 1)
  const isFirst = chance.roll(0.5)
  const nodes = chain.nodes.map((node, index): WorldNode => {
    const isBad = (isFirst ? index : total - 1 - index) < bad
    return {
      ...plainNode(node),
      latencyMs: chance.between(1, 40),
      delayMs: chance.roll(0.35) ? chance.between(1000, lateMsMax) : chance.int(800),
      phases: since(0, isBad ? behaviorOf(chance, lengthMs) : { kind: 'honest' }),
    }
  })
  return {
    ...chain,
    theme: 'pauses',
    total,
    quorum,
    operatorsMin: 1,
    deadlineMs: 8000,
    pollsMs: pollTimes(rhythm),
    nodes,
    tips: growingTips(chance, chain.salt, { blockMs: chance.pick(blocksMs), lengthMs }),
    hasReorg: false,
  }
}

function behaviorOf(chance: Chance, lengthMs: number): Behavior {
  return chance.pick<Behavior>([
    { kind: 'silent' },
    { kind: 'slow', ms: chance.between(300, 9000) },
    { kind: 'lagging', blocks: chance.between(1, 5) },
    { kind: 'balancer', lags: [0, chance.int(3), chance.int(6)] },
    { kind: 'stuck', untilMs: chance.int(lengthMs) },
    { kind: 'liar', group: 10 },
    { kind: 'forger', branch: forge(0, 1, 1), from: 1, ahead: chance.pick([1000, 1, -3, -20]) },
  ])
}
