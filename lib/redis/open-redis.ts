import type { Peers } from '../engine/peers.ts'
import type { HostCounts } from '../observe/host-counts.ts'
import { connectRedis, WrongRedis } from './redis-client.ts'
import { createPeers } from './redis-peers.ts'
import { createRefusals } from './refusals.ts'
import { createSeal } from './sealed-text.ts'
import { createSealedValues, type StoreOptions } from './sealed-values.ts'

/** What processes with the same Redis and SESSION_SECRET have in common. */
export interface Redis extends StoreOptions {
  readonly peers: Peers
  readonly close: () => void
}

export interface RedisPorts {
  readonly tell: Parameters<typeof createRefusals>[0]
  readonly counts: HostCounts
  readonly now?: () => number
}

export function openRedis(url: string, secret: string, { tell, counts, now = Date.now }: RedisPorts): Redis {
  const seal = createSeal(secret)
  const onRejected = createRefusals(tell, { now, counts })
  const [redis, listener] = [connectRedis(url, onRejected), connectRedis(url, onRejected)]
  let state = 'Redis is back'
  const turn = (to: string, level: 'error' | 'info') => {
    if (state !== to) tell(level, 'redis', to)
    state = to
  }
  redis.onAway((cause) =>
    turn(`Redis is away${cause instanceof WrongRedis ? `: ${cause.message}` : ''}`, 'error'),
  )
  redis.onReady(() => turn('Redis is back', 'info'))
  return {
    ...{ redis, now, values: createSealedValues(seal, counts) },
    peers: createPeers({ redis, listener, seal, now, counts }),
    close() {
      for (const link of [redis, listener]) link.close()
    },
  }
}
