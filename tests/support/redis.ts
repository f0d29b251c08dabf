import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { RedisClient } from '#lib/redis/redis-connection.ts'
import { freePort } from '../../demo/ports.ts'

/** A real Redis without persistence. Needs `redis-server`, from the Debian package of the same name. */
export function startRedis(port: number, options: readonly string[] = []): Promise<ChildProcess> {
  const own = ['--port', String(port), '--save', '', '--bind', '127.0.0.1', '--dir', '/tmp']
  return started([...own, ...options], 'Ready to accept connections')
}

/** A plain client, as others who can reach that Redis may have. */
export async function clientAt(port: number): Promise<RedisClient> {
  const client: RedisClient = createClient({ socket: { host: '127.0.0.1', port } })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** One that watches the others, and makes a replica the master where the master is gone. It writes to this file. */
export function startSentinel(configFile: string): Promise<ChildProcess> {
  return started([configFile, '--sentinel'], '+monitor master')
}

async function started(options: readonly string[], ready: string): Promise<ChildProcess> {
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes(ready)) resolve()
    })
  })
  return child
}

/** Kills it without a shutdown. */
export async function endRedis(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** One until the end of a test, which may end it before. */
export async function redisForOneTest(port: number, options: readonly string[] = []): Promise<ChildProcess> {
  const redis = await startRedis(port, options)
  onTestFinished(async () => {
    if (redis.exitCode === null && redis.signalCode === null) await endRedis(redis)
  })
  return redis
}

/** A Redis for one test file. */
export function redisForOneFile() {
  let port = 0
  let child: ChildProcess
  const start = async () => {
    child = await startRedis(port)
  }
  beforeAll(async () => {
    port = await freePort()
    await start()
  })
  afterAll(() => endRedis(child))
  return {
    url: () => `redis://127.0.0.1:${port}`,
    port: () => port,
    /** See `clientAt`. */
    client: () => clientAt(port),
    /** Kills it without a shutdown, and starts one without data in its place. */
    end: () => endRedis(child),
    start,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  }
}
