import { createClient, ErrorReply } from '@redis/client'
import type { RedisAddress, RedisTarget } from '../config/redis-url.ts'
import { socketOptions } from '../transport/socket-options.ts'

export type RedisClient = ReturnType<typeof createClient>

/** How long a connection may take, a command may wait to be sent, and a ping may take to be answered. */
const commandMsMax = 1_000

/** A client for one connection. It does not reconnect, and its commands fail immediately while there is none. */
export function clientOf(
  { isTls, username, password, database }: Omit<RedisTarget, 'at'>,
  { host, port }: RedisAddress,
): RedisClient {
  const socket = {
    ...socketOptions,
    host,
    port,
    connectTimeout: commandMsMax,
    reconnectStrategy: false as const,
  }
  return createClient({
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    database,
    disableOfflineQueue: true,
    commandOptions: { timeout: commandMsMax },
    socket: isTls ? { ...socket, tls: true } : socket,
  })
}

/** Where the Redis is now. The first sentinel that knows says so. */
export async function locate({ at, isTls }: RedisTarget): Promise<RedisAddress> {
  if (!('master' in at)) return at
  for (const address of at.addresses) {
    const found = await inTime(masterAt(clientOf({ ...at, isTls, database: 0 }, address), at.master)).catch(
      () => null,
    )
    if (found !== null) return found
  }
  throw new Error('no sentinel knows the master')
}

async function masterAt(sentinel: RedisClient, name: string): Promise<RedisAddress | null> {
  sentinel.on('error', () => {})
  try {
    await sentinel.connect()
    const found = await sentinel.sendCommand<[string, string] | null>([
      'SENTINEL',
      'GET-MASTER-ADDR-BY-NAME',
      name,
    ])
    return found && { host: found[0], port: Number(found[1]) }
  } finally {
    if (sentinel.isOpen) sentinel.destroy()
  }
}

/** The promise's value, if Redis is not late with it. A reply that arrived while the event loop was busy is in time. */
export async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(reject, new Error('Redis is late')), commandMsMax)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/**
 * The text at a key, and no more of it than this: who can write to Redis could fill a process's memory with it. Nothing else than a text
 * can be bounded so, and so nothing else is kept. Empty where there is none.
 */
export async function textAt(client: RedisClient, key: string, bytesMax: number): Promise<string> {
  return (await client.getRange(key, 0, bytesMax - 1).catch(unlessNoText)) ?? ''
}

/** Somebody has put something there that is no text. */
export function unlessNoText(cause: unknown): null {
  if (cause instanceof ErrorReply && cause.message.startsWith('WRONGTYPE')) return null
  throw cause
}
