import type { Series } from '#rpc-proxy'
import { createPeers, type RedisPeers } from './redis-peers.ts'
import { createRefusals } from './refusals.ts'
import { createSeal } from './sealed-text.ts'
import { createSealedValues, type StoreOptions } from './sealed-values.ts'

/** What processes with the same Redis and SESSION_SECRET have in common. */
interface Redis extends StoreOptions {
  readonly url: string
  readonly peers: RedisPeers
  readonly series: () => readonly Series<number>[]
  readonly close: () => void
}

export function openRedis(url: string, secret: string, tell: Parameters<typeof createRefusals>[0]): Redis {
  const seal = createSeal(secret)
  const refusals = createRefusals(tell, Date.now)
  const onRejected = refusals.note
  const peers = createPeers(url, { seal, now: Date.now, onRejected })
  const values = createSealedValues(seal)
  return {
    ...{ url, peers, values, now: Date.now, onRejected },
    series: () => [...peers.series(), ...values.series(), ...refusals.series()],
    close: () => peers.close(),
  }
}
