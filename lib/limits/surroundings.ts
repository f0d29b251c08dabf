import type { Lease, Quota } from './quota.ts'

/** What a host knows about the environment of its requests. */
export interface Surroundings {
  readonly site: string | null
  readonly trustedHops: number
  /** Leases memory for a body; null when its caller has too many open. */
  readonly leaseBody: Quota['acquire']
}

/** How a body is read. `take` leases memory for it, as `leaseBody` does. */
export interface BodyReading {
  readonly bytesMax: number
  readonly ms: number
  readonly take: (bytes: number, cut: () => void) => Lease | null
}
