import type { FlightScope } from '../cache/single-flight.ts'
import type { CacheResult } from '../events/events.ts'
import type { Evidence } from '../events/evidence-types.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import { CallError } from '../runtime/errors.ts'
import { footingOf } from './footing.ts'
import { type Footing, proofMethod } from './prove.ts'
import type { ReadAgreement } from './read.ts'
import type { Scope, Services } from './services.ts'
import { getCached, type Keyed, share } from './share.ts'

/** An agreed block that hashes to its hash. */
export type Provided = AgreedBlock & {
  readonly [Name in 'stateRoot' | 'verified']: NonNullable<AgreedBlock[Name]>
}

/** A result that is proven, and by what. */
export interface Found {
  readonly raw: string
  readonly evidence: Evidence
  readonly cache: CacheResult
  /** Undefined of what was known, once newer answers have taken its place. */
  readonly proof?: Evidence['proof']
}

interface Wanted {
  readonly target: Keyed
  readonly block: Provided
  /** Under which it is known. */
  readonly key: string
}

/** What is known under a key, else what is proven now; null where nothing can be. */
export async function find(
  services: Services,
  { target, block, key }: Wanted,
  scope: Scope,
  prove: (footing: Footing, flight: FlightScope) => Promise<ReadAgreement>,
): Promise<Found | null> {
  const known = getCached(services, key, scope)
  if (known !== null) {
    const { raw, evidence } = known
    return { raw, evidence, cache: 'hit', proof: services.proofOf(evidence.id) }
  }
  const footing = footingOf(scope, {
    block,
    // A call that names its block by the hash alone is pinned to none.
    pinned: target.pinned.block ?? { number: block.number, hash: block.hash },
    method: proofMethod,
    orQuorum: scope.chain.config.proofs === 'auto',
  })
  if (footing === null) return null
  const { joined, value } = share(services, { ...target, key, flightSuffix: '' }, scope, (flight) =>
    prove(footing, flight),
  )
  const { result, evidence, proof } = await value
  return {
    raw: (result as { readonly raw: string }).raw,
    evidence,
    cache: joined ? 'shared' : 'miss',
    proof,
  }
}

/** Who waits for a proof. */
export const scopeOf = ({ policy, endMs, trace }: Scope, flight: FlightScope) => ({
  policy,
  endMs,
  trace,
  ...flight,
})

export function raiseUnproven(): never {
  throw new CallError('unproven', { data: { reason: 'unproven' } })
}
