import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ErrorReply } from '@redis/client'
import { parseRedisUrl, type RedisTarget } from '../config/redis-url.ts'
import { clientOf, inTime, locate, type RedisClient } from './redis-connection.ts'
import { endsConnection } from './refusals.ts'

const checkEveryMs = 1_000
const reconnectMsMin = 50
const reconnectMsMax = 2_000

type OnRejected = (cause: unknown) => void

/**
 * A client that reconnects automatically, to whichever Redis is the master. While Redis is away, commands fail immediately; one that
 * answers no ping, or is a replica, is away. The events are `ready` and `error`; `onRejected` is told of each command that fails.
 */
export function createRedisClient(url: string, onRejected: OnRejected = () => {}): RedisClient {
  const target = parseRedisUrl(url)
  if (target === null) throw new TypeError('not the url of a Redis')
  // An error without a listener would be thrown.
  const events = new EventEmitter().on('error', () => {})
  const closed = new AbortController()
  /** The one of the connection that there is now. */
  let current = clientOf(target, { host: '', port: 0 })
  const client: RedisClient = new Proxy(current, {
    get(_, name) {
      if (name in own) return own[name as keyof typeof own]
      const used = current
      return observed(used, name, (cause) => {
        onRejected(cause)
        if (endsConnection(cause)) used.emit('error', cause)
      })
    },
  })
  const own = {
    connect() {
      const onClient = (next: RedisClient) => {
        current = next
      }
      void follow(target, { events, closed: closed.signal, onClient, onRejected })
      return new Promise<void>((resolve) => events.once('ready', resolve))
    },
    on(event: string, listener: (...given: unknown[]) => void) {
      events.on(event, listener)
      return client
    },
    destroy() {
      closed.abort()
      if (current.isOpen) current.destroy()
    },
  }
  return client
}

/** A member of a client, or of a transaction that it made, which tells of commands that fail. */
function observed(owner: object, name: string | symbol, onFailure: OnRejected): unknown {
  const value: unknown = Reflect.get(owner, name, owner)
  if (typeof value !== 'function') return value
  return (...given: unknown[]) => {
    const returned: unknown = Reflect.apply(value, owner, given)
    if (returned instanceof Promise) returned.catch(onFailure)
    if (name !== 'multi' || typeof returned !== 'object' || returned === null) return returned
    const transaction: object = new Proxy(returned, {
      get(commands, command) {
        const member = observed(commands, command, onFailure)
        if (typeof member !== 'function') return member
        return (...params: unknown[]) => {
          const result: unknown = member(...params)
          return result === commands ? transaction : result
        }
      },
    })
    return transaction
  }
}

interface Following {
  readonly events: EventEmitter
  readonly closed: AbortSignal
  readonly onClient: (client: RedisClient) => void
  readonly onRejected: OnRejected
}

/** One connection after the other. */
async function follow(
  target: RedisTarget,
  { events, closed, onClient, onRejected }: Following,
): Promise<void> {
  let pauseMs = reconnectMsMin
  while (!closed.aborted) {
    const startMs = performance.now()
    try {
      const client = clientOf(target, await locate(target))
      if (closed.aborted) return
      onClient(client)
      await connection(client, () => events.emit('ready'))
    } catch (cause) {
      onRejected(cause)
      events.emit('error', cause)
    }
    // One that refuses whatever it is asked for is asked ever more rarely.
    if (performance.now() - startMs > reconnectMsMax) pauseMs = reconnectMsMin
    await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, reconnectMsMax)
  }
}

/** Runs for as long as the connection lasts, and then throws. */
async function connection(client: RedisClient, onReady: () => void): Promise<void> {
  const lost = new AbortController()
  client.on('error', (cause) => lost.abort(cause))
  try {
    await inTime(client.connect())
    await checkMaster(client)
    onReady()
    for (;;) {
      await pause(checkEveryMs, undefined, { ref: false, signal: lost.signal }).catch(() => {})
      lost.signal.throwIfAborted()
      await checkMaster(client)
    }
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/**
 * Throws where Redis is late or no master of all keys: a sentinel or a name may lead to a former one, and a master that is demoted keeps
 * its connections.
 */
async function checkMaster(client: RedisClient): Promise<void> {
  const [hello] = await inTime(
    Promise.all([client.hello().catch(unlessEnding), client.ping().catch(unlessEnding)]),
  )
  const { role, mode } = hello ?? {}
  if (role === 'replica' || role === 'slave') throw new Error('this Redis is a replica')
  if (mode === 'cluster') throw new Error(clusterSentence)
}

export const clusterSentence =
  'REDIS_URL leads to a Redis Cluster, which is not supported: use one Redis, or one with sentinels'

/** A refusal is an answer too, unless it says that this is not the Redis to talk to. Where HELLO is refused, the url is believed. */
function unlessEnding(cause: unknown): null {
  if (!(cause instanceof ErrorReply) || endsConnection(cause)) throw cause
  return null
}

/** Whether there is a cluster at this url now; false where there is nothing. */
export async function isCluster(url: string): Promise<boolean> {
  const target = parseRedisUrl(url)
  const address = target && (await locate(target).catch(() => null))
  if (target === null || address === null) return false
  const client = clientOf(target, address)
  client.on('error', () => {})
  try {
    await inTime(client.connect())
    return (await inTime(client.hello())).mode === 'cluster'
  } catch {
    return false
  } finally {
    if (client.isOpen) client.destroy()
  }
}
