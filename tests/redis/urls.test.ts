import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { startHistory } from '#lib/redis/history-store.ts'
import { openRedis, type Redis } from '#lib/redis/open-redis.ts'
import { RedisStore } from '#lib/redis/redis-sessions.ts'
import { freePort } from '../../demo/ports.ts'
import { folderForOneTest } from '../support/folder.ts'
import { startHost } from '../support/host.ts'
import { endRedis, redisForOneTest, startSentinel } from '../support/redis.ts'

/** Every kind of REDIS_URL against what it is for: sentinels with a failover, TLS, a user with few rights. */
const secret = 'the-same-secret-for-all-of-these-processes'

function open(url: string): Redis {
  const redis = openRedis(url, secret, { log: { write: () => {} }, counts: createHostCounts() })
  onTestFinished(() => redis.close())
  return redis
}
/** What each hears of the other, said until it is heard. */
async function hearEachOther({ peers: one }: Redis, { peers: other }: Redis): Promise<void> {
  const heard = new Set<unknown>()
  const word = crypto.randomUUID()
  for (const each of [one, other]) each.on('word', (value) => heard.add(value))
  await expect
    .poll(() => {
      one.send('word', `${word} one`)
      other.send('word', `${word} other`)
      return [`${word} one`, `${word} other`].every((each) => heard.has(each))
    })
    .toBe(true)
}

describe('sentinels', () => {
  test('name the master: when it dies, or stands still, processes meet at the one that takes its place', async () => {
    const [first, second, watch, nobody] = await Promise.all(Array.from({ length: 4 }, () => freePort()))
    const master = await redisForOneTest(first as number, ['--repl-diskless-sync-delay', '0'])
    const replica = await redisForOneTest(second as number, copying(first))
    const file = join(folderForOneTest(), 'sentinel.conf')
    writeFileSync(
      file,
      [
        `port ${watch}`,
        `sentinel monitor main 127.0.0.1 ${first} 1`,
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 1000',
      ].join('\n'),
    )
    const sentinel = await startSentinel(file)
    onTestFinished(() => endRedis(sentinel))
    // The first of them is down.
    const url = `redis+sentinel://127.0.0.1:${nobody},127.0.0.1:${watch}/main`
    const [one, two] = [open(url), open(url)]
    await hearEachOther(one, two)
    const store = new RedisStore(one)
    await expect.poll(() => store.consume('nonce', Date.now() + 60_000).catch(() => null)).toBe(true)
    // Not before the replica has a copy and the sentinel knows of it.
    await expect.poll(() => isReady({ replica: second, master: first, sentinel: watch })).toBe(true)
    await endRedis(master)
    await hearEachOther(one, two)
    // What the replica had copied is known there, and it takes what is new.
    await expect.poll(() => store.consume('another', Date.now() + 60_000).catch(() => null)).toBe(true)
    expect(await store.consume('nonce', Date.now() + 60_000)).toBe(false)
    const third = await redisForOneTest(first as number, copying(second))
    await expect.poll(() => isReady({ replica: first, master: second, sentinel: watch })).toBe(true)
    replica.kill('SIGSTOP')
    await hearEachOther(one, two)
    expect(third.exitCode).toBe(null)
  })
})

const copying = (port?: number) => ['--replicaof', '127.0.0.1', `${port}`, '--repl-diskless-sync-delay', '0']

/** Whether the replica has all keys of the master, and the sentinel knows that it is up. */
function isReady({
  replica,
  master,
  sentinel,
}: Readonly<Record<'replica' | 'master' | 'sentinel', unknown>>): boolean {
  const say = (port: unknown, ...words: string[]) =>
    execFileSync('redis-cli', ['-p', `${port}`, ...words]).toString()
  // The link is up before the master has sent what was written during the copy.
  const isCopied = say(replica, 'info', 'replication').includes('master_link_status:up')
  const hasAll = isCopied && say(replica, 'dbsize') === say(master, 'dbsize')
  return hasAll && /flags\nslave\n/.test(say(sentinel, 'sentinel', 'replicas', 'main'))
}

describe('a user with few rights', () => {
  test('needs no others than the documented ones, for everything that is kept or said there', async () => {
    const port = await freePort()
    const rights = [
      '~quorate:*',
      '&quorate:*',
      '+@read',
      '+@write',
      '+@pubsub',
      '+@connection',
      '+@transaction',
    ]
    await redisForOneTest(port, ['--user', 'default', 'off', '--user', 'quorate', 'on', '>p@ss', ...rights])
    const url = `redis://quorate:p%40ss@127.0.0.1:${port}`
    const [one, two] = [open(url), open(url)]
    await hearEachOther(one, two)
    const store = new RedisStore(one)
    const kept = { step: 1, chains: [] }
    const gateway = { historyStep: () => kept, restoreHistory: () => {} }
    const history = startHistory(gateway, one)
    const session = { id: 'a', address: `0x${'a'.repeat(40)}`, chainId: 1, isContract: false } as const
    const nowMs = Date.now()
    await expect
      .poll(() => store.add({ ...session, signedInMs: nowMs, seenMs: nowMs }).then(() => 'added', String))
      .toBe('added')
    expect((await store.of({ ...session, signedInMs: nowMs, seenMs: nowMs })).map(({ id }) => id)).toEqual([
      'a',
    ])
    await store.end('a')
    await history.close()
    const steps = execFileSync(
      'redis-cli',
      ['-p', `${port}`, '--user', 'quorate', '--pass', 'p@ss', 'keys', 'quorate:history:*'],
      { stdio: 'pipe' },
    )
    expect(steps.toString()).toContain('quorate:history:')
  })

  test('that is refused costs an answer nothing: the process goes on alone, and no log shows the password', async () => {
    const port = await freePort()
    await redisForOneTest(port, ['--requirepass', 'another-password'])
    const env = { REDIS_URL: `redis://quorate:the-wrong-password@127.0.0.1:${port}`, SESSION_SECRET: secret }
    const { host } = await startHost('alone', { config: oneChain, env: { ...env, OPERATOR_OPEN: '1' } })
    onTestFinished(() => host.signal('SIGKILL'))
    expect(await joined(host.url)).toBe('0')
    expect(host.output()).not.toContain('wrong-password')
  })
})

const oneChain = { chains: [{ id: 137, nodes: [{ name: 'nobody', url: 'http://127.0.0.1:1' }] }] }
const joined = async (url: string) =>
  /peers_joined\{.*\} (\d)/.exec(await (await fetch(`${url}/api/rpc/metrics`)).text())?.[1]

describe('TLS', () => {
  test('joins who trusts the certificate, and nobody else', async () => {
    const port = await freePort()
    const dir = folderForOneTest()
    const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'ignore' },
    )
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    await redisForOneTest(0, ['--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files])
    const env = { REDIS_URL: `rediss://127.0.0.1:${port}`, SESSION_SECRET: secret, OPERATOR_OPEN: '1' }
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: certificate }
    const started = await Promise.all(
      [trusting, trusting, env].map((each) => startHost('alone', { config: oneChain, env: each })),
    )
    const [one, two, distrusting] = started.map(({ host }) => host.url) as [string, string, string]
    onTestFinished(() => {
      for (const { host } of started) host.signal('SIGKILL')
    })
    await expect.poll(() => Promise.all([one, two].map(joined))).toEqual(['1', '1'])
    expect(await joined(distrusting)).toBe('0')
  })
})
