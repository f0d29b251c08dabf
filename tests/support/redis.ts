import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { openRedis, type Redis, type RedisPorts } from '#lib/redis/open-redis.ts'
import type { RedisClient } from '#lib/redis/redis-connection.ts'
import { freePort } from '../../demo/ports.ts'
import type { Host } from './host.ts'
import { asOperator } from './hosts.ts'

/** A real Redis without persistence. Needs `redis-server`, from the Debian package of the same name. */
export function startRedis(port: number, options: readonly string[] = []): Promise<ChildProcess> {
  const own = ['--port', String(port), '--save', '', '--bind', '127.0.0.1', '--dir', '/tmp']
  return started([...own, ...options], 'Ready to accept connections')
}

/** A plain client until the end of the test, as others who can reach that Redis may have. */
export async function clientForOneTest(port: number): Promise<RedisClient> {
  const client: RedisClient = createClient({ socket: { host: '127.0.0.1', port } })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.destroy())
  return client
}

/** How many bytes a Redis has sent. */
export const sentBytes = async (client: RedisClient) =>
  Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1])

export const redisSecret = 'the-same-secret-for-all-of-these-processes'

/** A configuration for hosts that answer nobody. */
export const oneChain = { chains: [{ id: 137, nodes: [{ name: 'nobody', url: 'http://127.0.0.1:1' }] }] }

/** What a host has of a Redis, until the end of the test. */
export function openForOneTest(url: string, ports: Partial<RedisPorts> = {}): Redis {
  const redis = openRedis(url, redisSecret, {
    log: { write: () => {} },
    counts: createHostCounts(),
    ...ports,
  })
  onTestFinished(() => redis.close())
  return redis
}

/** '1' where a host hears the others, else '0'. */
export const peersJoined = async (host: Host) =>
  /peers_joined\{.*\} (\d)/.exec(await (await host.get('/api/rpc/metrics', asOperator)).text())?.[1]

/** The address of a Redis for its user in `userWith`. */
export const urlOfUser = (url: string) => url.replace('//', '//quorate:p%40ss@')
/** Options of a Redis whose only user has the rights that the documentation names, and these channels. */
export const userWith = (channels: '&quorate:*' | 'resetchannels') =>
  '--user default off --user quorate on >p@ss ~quorate:* +@read +@write +@pubsub +@connection +@transaction'
    .split(' ')
    .concat(channels)

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

/** Kills it without a shutdown, if it has not ended. */
export async function endRedis(child: ChildProcess): Promise<void> {
  if ((child.exitCode ?? child.signalCode) !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** One until the end of the test, at a free port or at this one. `say` is what `redis-cli` prints. */
export async function redisForOneTest(options: readonly string[] = [], at?: number) {
  const port = at ?? (await freePort())
  const child = await startRedis(port, options)
  onTestFinished(() => endRedis(child))
  const say = (...words: string[]) => execFileSync('redis-cli', ['-p', `${port}`, ...words]).toString()
  return { port, child, url: `redis://127.0.0.1:${port}`, say }
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
    client: () => clientForOneTest(port),
    /** Kills it without a shutdown, and starts one without data in its place. */
    end: () => endRedis(child),
    start,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  }
}
