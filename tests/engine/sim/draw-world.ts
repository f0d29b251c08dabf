import { type Chance, createChance } from '../../support/chance.ts'
import { type ClientRequest, createClientRequests } from './calls.ts'
import { createChains } from './draw-chain.ts'
import { drawPauses, withPauses } from './pauses.ts'
import { drawPoison, poisonSettings, withPoison } from './poison.ts'
import { withProtection } from './protection.ts'
import { drawReset, withReset } from './resets.ts'
import { createSettings, drawCordons, type Settings, withPlans } from './settings.ts'
import { drawStanding, withStanding } from './standing.ts'
import { startMs, type WorldChain } from './world.ts'

/** All that a seed decides before the world begins. */
export interface World {
  readonly seed: number
  /** What is left of the generator: moments among those of one millisecond. */
  readonly chance: Chance
  readonly chains: readonly WorldChain[]
  /** Until the last request. */
  readonly lengthMs: number
  readonly clientRequests: readonly ClientRequest[]
  readonly settings: Settings
  /** When the gateway is drained or closed; epoch milliseconds. */
  readonly endMs: number
}

/** In one of this many worlds callers pause for longer than any temporary cache entry lives. */
const longEvery = 32
const longPauseMs = 61_000

/** Worlds with a reset or with pauses refuse no calls and keep their quorum. */
const uneventful = { inFlightMax: 1000, costPerMinute: null, deny: [], reload: null, cordons: [] }

export function drawWorld(seed: number): World {
  const chance = createChance(seed)
  const reset = drawReset(seed)
  const pauses = reset === null ? drawPauses(seed) : null
  const isOrdinary = reset === null && pauses === null
  const poison = isOrdinary ? drawPoison(seed) : null
  const standing = isOrdinary && poison === null ? drawStanding(seed) : null
  const isPlain = isOrdinary && poison === null && standing === null
  const pauseMs = seed % longEvery === 0 && isPlain ? longPauseMs : 0
  const lengthMs =
    (reset ?? pauses ?? poison ?? standing)?.lengthMs ?? chance.pick([300, 2000, 5000, 9000]) + pauseMs
  const drawn = createChains(chance, lengthMs)
  const arranged = (chain: WorldChain) =>
    reset !== null
      ? withReset(chain, reset)
      : pauses !== null
        ? withPauses(chain, pauses)
        : poison !== null
          ? withPoison(chain, poison)
          : standing !== null
            ? withStanding(chain, standing)
            : chain
  const chains = withPlans(seed, isPlain ? drawn : drawn.slice(0, 1).map(arranged))
  const clientRequests = withProtection(seed, chains, createClientRequests(chance, chains, lengthMs, pauseMs))
  const settings = createSettings(chance, chains, lengthMs)
  const cordons =
    standing === null
      ? [...settings.cordons, ...drawCordons(seed, chains[0] as WorldChain, lengthMs)]
      : uneventful.cordons
  return {
    seed,
    chance,
    chains,
    lengthMs,
    clientRequests,
    settings: {
      ...settings,
      cordons,
      ...(!isPlain && uneventful),
      ...(poison !== null && poisonSettings(poison, chains[0] as WorldChain)),
    },
    endMs: settings.end === null ? Number.POSITIVE_INFINITY : startMs + settings.end.atMs,
  }
}
