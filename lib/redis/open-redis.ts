import type { HostCounts } from '../observe/host-counts.ts'
import { createPeers, type RedisPeers } from './redis-peers.ts'
import { createRefusals } from './refusals.ts'
import { createSeal } from './sealed-text.ts'
import { createSealedValues, type StoreOptions } from './sealed-values.ts'

/** What processes with the same Redis and SESSION_SECRET have in common. */
interface Redis extends StoreOptions {
  readonly url: string
  readonly peers: RedisPeers
  readonly close: () => void
}

interface RedisPorts {
  readonly tell: Parameters<typeof createRefusals>[0]
  readonly counts: HostCounts
}

export function openRedis(url: string, secret: string, { tell, counts }: RedisPorts): Redis {
  const seal = createSeal(secret)
  const now = Date.now
  const onRejected = createRefusals(tell, { now, counts })
  const peers = createPeers(url, { seal, now, counts, onRejected })
  const values = createSealedValues(seal, counts)
  return {
    ...{ url, peers, values, now, onRejected },
    close: () => peers.close(),
  }
}
