import type { Series } from '#rpc-proxy'
import { createPeers, type RedisPeers } from './redis-peers.ts'
import { createSeal } from './sealed-text.ts'
import { createSealedValues, type SealedValues } from './sealed-values.ts'

/** What processes with the same Redis and SESSION_SECRET have in common. */
interface Redis {
  readonly url: string
  readonly peers: RedisPeers
  readonly values: SealedValues
  readonly now: () => number
  readonly series: () => readonly Series<number>[]
  readonly close: () => void
}

export function openRedis(url: string, secret: string): Redis {
  const seal = createSeal(secret)
  const peers = createPeers(url, { seal, now: Date.now })
  const values = createSealedValues(seal)
  return {
    ...{ url, peers, values, now: Date.now },
    series: () => [...peers.series(), ...values.series()],
    close: () => peers.close(),
  }
}
