import { type Chance, createChance } from '../../support/chance.ts'
import { type ClientRequest, createClientRequests } from './calls.ts'
import { createChains } from './draw-chain.ts'
import { drawPauses } from './pauses.ts'
import { drawPoison } from './poison.ts'
import { withProtection } from './protection.ts'
import { drawReset } from './resets.ts'
import { createSettings, drawCordons, type Settings, withPlans } from './settings.ts'
import { drawSlow } from './slow.ts'
import { drawStanding } from './standing.ts'
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

/** Special worlds refuse no calls and keep their quorum. */
const uneventful = { inFlightMax: 1000, costPerMinute: null, deny: [], reload: null, cordons: [] }

export function drawWorld(seed: number): World {
  const chance = createChance(seed)
  const special =
    drawReset(seed) ?? drawPauses(seed) ?? drawPoison(seed) ?? drawStanding(seed) ?? drawSlow(seed)
  const pauseMs = seed % longEvery === 0 && special === null ? longPauseMs : 0
  const lengthMs = special?.lengthMs ?? chance.pick([300, 2000, 5000, 9000]) + pauseMs
  const drawn = createChains(chance, lengthMs)
  const chains = withPlans(seed, special === null ? drawn : drawn.slice(0, 1).map(special.arrange))
  const clientRequests = withProtection(seed, chains, createClientRequests(chance, chains, lengthMs, pauseMs))
  const settings = createSettings(chance, chains, lengthMs)
  const first = chains[0] as WorldChain
  const own =
    special === null
      ? { cordons: [...settings.cordons, ...drawCordons(seed, first, lengthMs)] }
      : { ...uneventful, ...special.settings?.(first) }
  return {
    seed,
    chance,
    chains,
    lengthMs,
    clientRequests,
    settings: { ...settings, ...own },
    endMs: settings.end === null ? Number.POSITIVE_INFINITY : startMs + settings.end.atMs,
  }
}
