import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ErrorReply } from '@redis/client'
import { parseRedisUrl, type RedisTarget } from '../config/redis-url.ts'
import { clientOf, inTime, locate, type RedisClient } from './redis-connection.ts'
import { endsConnection } from './refusals.ts'

const checkEveryMs = 1_000
const reconnectMsMin = 50
const reconnectMsMax = 2_000

/** The connection to a Redis, one after the other where one is lost. */
export type RedisLink = ReturnType<typeof connectRedis>

/**
 * Connects to whichever Redis is the master, again and again. One that answers no ping, or is a replica, is away. `onRejected` is told
 * of each command that fails.
 */
export function connectRedis(url: string, onRejected: (cause: unknown) => void = () => {}) {
  const target = parseRedisUrl(url)
  if (target === null) throw new TypeError('not the url of a Redis')
  const events = new EventEmitter()
  const closed = new AbortController()
  let current: RedisClient | null = null

  async function follow(to: RedisTarget): Promise<void> {
    let pauseMs = reconnectMsMin
    while (!closed.signal.aborted) {
      const startMs = performance.now()
      try {
        const client = clientOf(to, await locate(to))
        await connection(client, closed.signal, () => {
          current = client
          events.emit('ready')
        })
      } catch (cause) {
        current = null
        if (closed.signal.aborted) return
        onRejected(cause)
        events.emit('away', cause)
      }
      // One that refuses whatever it is asked for is asked ever more rarely.
      if (performance.now() - startMs > reconnectMsMax) pauseMs = reconnectMsMin
      await pause(pauseMs, undefined, { signal: closed.signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, reconnectMsMax)
    }
  }

  void follow(target)
  return {
    /** Runs commands, all of them on the connection that there is now. Rejects at once while Redis is away. */
    async run<Value>(commands: (client: RedisClient) => Promise<Value>): Promise<Value> {
      const client = current
      if (client === null) throw new Error('Redis is away')
      try {
        return await commands(client)
      } catch (cause) {
        onRejected(cause)
        if (endsConnection(cause)) client.emit('error', cause)
        throw cause
      }
    },
    /** Calls the listener for each connection, at once where there is one. */
    onReady(listener: () => void): void {
      events.on('ready', listener)
      if (current !== null) listener()
    },
    onAway: (listener: (cause: unknown) => void) => void events.on('away', listener),
    close: () => closed.abort(),
  }
}

/** Runs for as long as the connection lasts, and then throws. */
async function connection(client: RedisClient, closed: AbortSignal, onReady: () => void): Promise<void> {
  const lost = new AbortController()
  client.on('error', (cause) => lost.abort(cause))
  const ended = AbortSignal.any([lost.signal, closed])
  try {
    await inTime(client.connect())
    await checkMaster(client)
    ended.throwIfAborted()
    onReady()
    for (;;) {
      await pause(checkEveryMs, undefined, { ref: false, signal: ended }).catch(() => {})
      ended.throwIfAborted()
      await checkMaster(client)
    }
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/** Why a Redis that answers is not used, for people. */
export class WrongRedis extends Error {}
/** What will not be another Redis by itself. */
export class ClusterRedis extends WrongRedis {}

/**
 * Throws where Redis is late or no master of all keys: a sentinel or a name may lead to a former one, and a master that is demoted keeps
 * its connections.
 */
async function checkMaster(client: RedisClient): Promise<void> {
  const [hello] = await inTime(
    Promise.all([client.hello().catch(unlessEnding), client.ping().catch(unlessEnding)]),
  )
  const { role, mode } = hello ?? {}
  if (role === 'replica' || role === 'slave') throw new WrongRedis('this Redis is a replica')
  if (mode === 'cluster') throw new ClusterRedis(clusterSentence)
}

const clusterSentence =
  'REDIS_URL leads to a Redis Cluster, which is not supported: use one Redis, or one with sentinels'

/** A refusal is an answer too, unless it says that this is not the Redis to talk to. Where HELLO is refused, the url is believed. */
function unlessEnding(cause: unknown): null {
  if (!(cause instanceof ErrorReply) || endsConnection(cause)) throw cause
  return null
}
