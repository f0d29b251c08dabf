import { createClient } from '@redis/client'
import { socketOptions } from '../transport/socket-options.ts'

/** Timeout of a command. */
const commandMsMax = 1_000
const reconnectMsMax = 2_000

/** A client that reconnects automatically. While Redis is away, commands fail immediately. */
export function createRedisClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      ...socketOptions,
      connectTimeout: commandMsMax,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, reconnectMsMax),
    },
    commandOptions: { timeout: commandMsMax },
  })
}
