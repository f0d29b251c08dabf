import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ErrorReply } from '@redis/client'
import { parseRedisUrl, type RedisTarget } from '../config/redis-url.ts'
import { clientOf, inTime, locate, type RedisClient } from './redis-connection.ts'

const pingEveryMs = 1_000
const reconnectMsMin = 50
const reconnectMsMax = 2_000

/**
 * A client that reconnects automatically, to whichever Redis is the master where there are sentinels. While Redis is away, commands fail
 * immediately; one that answers no ping is away. The events are `ready` and `error`.
 */
export function createRedisClient(url: string): RedisClient {
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
      const value: unknown = Reflect.get(current, name, current)
      return typeof value === 'function' ? value.bind(current) : value
    },
  })
  const own = {
    connect() {
      const onClient = (next: RedisClient) => {
        current = next
      }
      void follow(target, { events, closed: closed.signal, onClient })
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

interface Following {
  readonly events: EventEmitter
  readonly closed: AbortSignal
  readonly onClient: (client: RedisClient) => void
}

/** One connection after the other. */
async function follow(target: RedisTarget, { events, closed, onClient }: Following): Promise<void> {
  let pauseMs = reconnectMsMin
  events.on('ready', () => {
    pauseMs = reconnectMsMin
  })
  while (!closed.aborted) {
    try {
      const client = clientOf(target, await locate(target))
      if (closed.aborted) return
      onClient(client)
      await connection(client, target, () => events.emit('ready'))
    } catch (cause) {
      events.emit('error', cause)
    }
    await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, reconnectMsMax)
  }
}

/** Runs for as long as the connection lasts, and then throws. */
async function connection(client: RedisClient, { at }: RedisTarget, onReady: () => void): Promise<void> {
  const lost = new AbortController()
  client.on('error', (cause) => lost.abort(cause))
  try {
    await inTime(client.connect())
    // A sentinel with an old view names the former master. Where the user may not call ROLE, the sentinel is believed.
    const isReplica = 'master' in at && (await inTime(client.role()).catch(() => null))?.role === 'slave'
    if (isReplica) throw new Error('this is no longer the master')
    onReady()
    for (;;) {
      await pause(pingEveryMs, undefined, { ref: false, signal: lost.signal }).catch(() => {})
      lost.signal.throwIfAborted()
      await inTime(client.ping().catch(orAnswered))
    }
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/** A refusal is an answer too. */
function orAnswered(cause: unknown): void {
  if (!(cause instanceof ErrorReply)) throw cause
}
