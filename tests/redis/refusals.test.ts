import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { RedisStore } from '#lib/redis/redis-sessions.ts'
import { StoreUnavailable } from '#lib/sign-in/session-store.ts'
import { freePort } from '../../demo/ports.ts'
import { folderForOneTest } from '../support/folder.ts'
import { hostForOneTest, runToEnd } from '../support/hosts.ts'
import {
  clientForOneTest,
  oneChain,
  openForOneTest,
  redisForOneTest,
  redisSecret,
  urlOfUser,
  userWith,
} from '../support/redis.ts'
import { startWire } from '../support/wire.ts'

/** A Redis that answers, and is not the one to talk to, or does not do what it is asked for. */
function openStore(port: number) {
  const lines: string[] = []
  let laterMs = 0
  const counts = createHostCounts()
  const redis = openForOneTest(`redis://127.0.0.1:${port}`, {
    log: { write: ({ event, message }) => event === 'redis-refused' && lines.push(message) },
    counts,
    now: () => Date.now() + laterMs,
  })
  const counted = () =>
    Object.fromEntries(
      counts.series().flatMap(({ labels: { word }, value }) => (word && value > 0 ? [[word, value]] : [])),
    )
  const later = (ms: number) => {
    laterMs += ms
  }
  return { store: new RedisStore(redis), lines, counted, later }
}
const session = {
  ...({ id: 'a', address: `0x${'a'.repeat(40)}`, chainId: 1, isContract: false } as const),
  ...{ signedInMs: Date.now(), seenMs: Date.now() },
}
const soon = () => Date.now() + 60_000

test('a demoted master is disconnected, and the name is looked up again to find the new one', async () => {
  const [first, second] = [await redisForOneTest(), await redisForOneTest()]
  const wire = await startWire(first.port)
  onTestFinished(() => wire.close())
  const { store } = openStore(wire.port)
  await expect.poll(() => store.consume('before', soon()).catch(() => null)).toBe(true)
  // New connections lead to the new master; those there are stay where they are.
  wire.leadTo(second.port, { keepsConnections: true })
  first.say('replicaof', '127.0.0.1', `${second.port}`)
  await expect.poll(() => store.consume(crypto.randomUUID(), soon()).catch(() => null)).toBe(true)
  expect(second.say('keys', 'quorate:nonce:*')).toContain('quorate:nonce:')
})

test('a Redis that answers pings and refuses commands is counted by its word, and logged once a minute', async () => {
  const { port, say } = await redisForOneTest(['--maxmemory', '1'])
  const { store, lines, counted, later } = openStore(port)
  await expect.poll(() => store.get('a').catch(() => 'away')).toBe(null)
  for (let turn = 0; turn < 5; turn += 1) {
    await expect(store.consume(`${turn}`, soon())).rejects.toBeInstanceOf(StoreUnavailable)
    // In a transaction too.
    await expect(store.add(session)).rejects.toBeInstanceOf(StoreUnavailable)
  }
  // What frees room is possible: who has signed in can sign out.
  await store.end('a')
  expect(counted().OOM).toBeGreaterThanOrEqual(10)
  expect(lines).toEqual(['Redis refuses commands: OOM'])
  later(60_000)
  await expect(store.consume('later', soon())).rejects.toBeInstanceOf(StoreUnavailable)
  expect(lines).toHaveLength(2)
  say('config', 'set', 'maxmemory', '0')
  expect(await store.consume('now', soon())).toBe(true)
})

test('a user without a right is logged with the first word, and the metric and the log have it', async () => {
  const { url } = await redisForOneTest(userWith('resetchannels'))
  const env = { REDIS_URL: urlOfUser(url), SESSION_SECRET: redisSecret, OPERATOR_OPEN: '1' }
  const host = await hostForOneTest('alone', { config: oneChain, env })
  await expect.poll(() => host.output()).toContain('Redis refuses commands: NOPERM')
  const metrics = await (await host.get('/api/rpc/metrics')).text()
  expect(metrics).toMatch(/quorate_redis_refusals_total\{.*word="NOPERM".*\} [1-9]/)
  expect(metrics).toMatch(/quorate_peers_joined\{.*\} 0/)
})

test('a Redis Cluster is refused at the start with a sentence', async () => {
  const configFile = join(folderForOneTest(), 'nodes.conf')
  // By default 10,000 above its own, which may be no port.
  const clusterPort = ['--cluster-port', String(await freePort())]
  const { url } = await redisForOneTest([
    ...['--cluster-enabled', 'yes', '--cluster-config-file', configFile],
    ...clusterPort,
  ])
  const env = { REDIS_URL: url, SESSION_SECRET: redisSecret }
  const { code, output } = await runToEnd('alone', { config: oneChain, env })
  expect([code, output]).toEqual([1, expect.stringContaining('a Redis Cluster, which is not supported')])
})

/** What the shipped files start Redis with, but in less memory. */
const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const shipped: readonly (readonly [string, readonly string[]])[] = [
  ['docker-compose.yml', parse(read('docker-compose.yml'), { merge: true }).services.redis.command],
  [
    'deploy/kubernetes/overlays/scaled/redis.yml',
    parseAllDocuments(read('deploy/kubernetes/overlays/scaled/redis.yml'))[0]?.toJS().spec.template.spec
      .containers[0].args,
  ],
]
test.each(shipped)('%s: a used nonce is used though Redis is full, and sessions stay', async (_, args) => {
  const policy = args.indexOf('--maxmemory-policy')
  const { port } = await redisForOneTest(['--maxmemory', '12mb', ...args.slice(policy, policy + 2)])
  const { store } = openStore(port)
  await expect.poll(() => store.consume('used', soon()).catch(() => null)).toBe(true)
  await store.add(session)
  const client = await clientForOneTest(port)
  // A day of history, which lives longer than a nonce.
  const expiration = { type: 'EX', value: 86_400 } as const
  const fill = (step: number) => client.set(`quorate:history:${step}`, 'x'.repeat(20_000), { expiration })
  const filled = await Promise.all(Array.from({ length: 1_000 }, (_, step) => fill(step).catch(() => null)))
  expect(filled.filter((reply) => reply === 'OK').length).toBeGreaterThan(300)
  expect(filled).toContain(null)
  expect(await store.consume('used', soon()).catch(() => 'refused')).not.toBe(true)
  expect(await store.get('a')).toMatchObject({ id: 'a' })
  // And when there is room again.
  for (let step = 0; step < 100; step += 1) await client.del(`quorate:history:${step}`)
  expect(await store.consume('used', soon())).toBe(false)
})
