import { createClient } from '@redis/client'

/** A command that takes longer counts as failed. */
const commandMsMax = 1_000
const reconnectMsMax = 2_000

/** A client that connects by itself, now and whenever Redis comes back; what is asked while Redis is away fails at once. */
export function createRedisClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: commandMsMax,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, reconnectMsMax),
    },
    commandOptions: { timeout: commandMsMax },
  })
}
