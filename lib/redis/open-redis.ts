import type { HostCounts } from '../observe/host-counts.ts'
import type { LogWriter } from '../observe/line.ts'
import { ClusterRedis, connectRedis, WrongRedis } from './redis-client.ts'
import { createPeers } from './redis-peers.ts'
import { createRefusals } from './refusals.ts'
import { createSeal, storedKinds } from './sealed-values.ts'

/** What processes with the same Redis and SESSION_SECRET have in common. */
export type Redis = ReturnType<typeof openRedis>

export interface RedisPorts {
  readonly log: Pick<LogWriter, 'write'>
  readonly counts: HostCounts
  readonly now?: () => number
}

export function openRedis(url: string, secret: string, { log, counts, now = Date.now }: RedisPorts) {
  const drop = counts.counter('redis_values_dropped_total', 'kind', storedKinds)
  // Messages are counted by their reader, by the reason too.
  const seal = createSeal(secret, (kind) => kind !== 'message' && drop(kind))
  const onRejected = createRefusals(log, { now, counts })
  const [redis, listener] = [connectRedis(url, onRejected), connectRedis(url, onRejected)]
  let state = 'Redis is back'
  const turn = (to: string, level: 'error' | 'info') => {
    if (state !== to) log.write({ level, event: 'redis', message: to, fields: {} })
    state = to
  }
  redis.onAway((cause) =>
    turn(`Redis is away${cause instanceof WrongRedis ? `: ${cause.message}` : ''}`, 'error'),
  )
  redis.onReady(() => turn('Redis is back', 'info'))
  /** Why this process should not start, if so; known once the first connection is made or fails. */
  const startError = new Promise<string | null>((resolve) => {
    redis.onReady(() => resolve(null))
    redis.onAway((cause) => resolve(cause instanceof ClusterRedis ? cause.message : null))
  })
  return {
    ...{ redis, now, seal, startError },
    peers: createPeers({ redis, listener, seal, now, counts }),
    close() {
      for (const link of [redis, listener]) link.close()
    },
  }
}
