import { createAdmission } from './admission/admission.ts'
import { createCache } from './cache/cache.ts'
import { createSingleFlight, type SingleFlight } from './cache/single-flight.ts'
import type { ReadAgreement, Services } from './calls/services.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config/config-types.ts'
import type { Evidence } from './events/evidence-types.ts'
import type { Ports } from './events/ports.ts'
import { Filters } from './filters/filters.ts'
import { GatheredProofs } from './proving/gathered-proofs.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'
import { createWrites } from './writes/writes.ts'

/** Everything that one engine consists of beside its chains. */
export function createServices(
  config: Config,
  { clock, random, randomBytes, traceOf, budgetPeers }: Ports,
  { emit, proofOf }: Pick<Services, 'emit' | 'proofOf'>,
): Services {
  const nextId = createIds(random)
  return {
    clock,
    random,
    emit,
    nextId,
    traceOf: traceOf ?? null,
    admission: createAdmission(config, clock, budgetPeers),
    cache: createCache(),
    singleFlight: createSingleFlights(),
    gathered: new GatheredProofs(clock),
    proofOf,
    filters: randomBytes === undefined ? null : new Filters<Evidence | null>({ clock, randomBytes }),
    subscriptions: randomBytes === undefined ? null : new Subscriptions({ clock, randomBytes }),
    writes: createWrites({ clock, nextId, onVerdict: (evidence) => emit({ type: 'verdict', evidence }) }),
  }
}

/** The reads in flight of each chain, which go when it goes. */
function createSingleFlights(): Services['singleFlight'] {
  const flights = new WeakMap<Chain, SingleFlight<ReadAgreement>>()
  return (chain) => {
    const known = flights.get(chain)
    if (known !== undefined) return known
    const made = createSingleFlight<ReadAgreement>(chain.stallMs)
    flights.set(chain, made)
    return made
  }
}

/** Ids that are short, in order, and cannot be guessed from those of another process. */
function createIds(random: () => number): () => string {
  const start = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
