import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHistory } from '#lib/redis/history-store.ts'
import type { Redis } from '#lib/redis/open-redis.ts'
import { RedisStore } from '#lib/redis/redis-sessions.ts'
import { freePort } from '../../demo/ports.ts'
import { folderForOneTest } from '../support/folder.ts'
import { hostForOneTest } from '../support/hosts.ts'
import {
  endRedis,
  oneChain,
  openForOneTest,
  peersJoined,
  redisForOneTest,
  redisSecret,
  startSentinel,
  urlOfUser,
  userWith,
} from '../support/redis.ts'

/** Every kind of REDIS_URL against what it is for: sentinels with a failover, TLS, a user with few rights. */
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

const startOver = (REDIS_URL: string, more: Readonly<Record<string, string>> = {}) =>
  hostForOneTest('alone', {
    config: oneChain,
    env: { REDIS_URL, SESSION_SECRET: redisSecret, OPERATOR_OPEN: '1', ...more },
  })

test('sentinels name the master: when it dies, or stands still, processes meet at the one that takes its place', async () => {
  const master = await redisForOneTest(['--repl-diskless-sync-delay', '0'])
  const replica = await redisForOneTest(copying(master.port))
  const [watch, nobody] = [await freePort(), await freePort()]
  const file = join(folderForOneTest(), 'sentinel.conf')
  writeFileSync(
    file,
    `port ${watch}
     sentinel monitor main 127.0.0.1 ${master.port} 1
     sentinel down-after-milliseconds main 500
     sentinel failover-timeout main 1000`,
  )
  const sentinel = await startSentinel(file)
  onTestFinished(() => endRedis(sentinel))
  /** Whether the replica has all keys of the master, and the sentinel knows that it is up. */
  const isReady = ([to, from]: readonly Served[]) => {
    // The link is up before the master has sent what was written during the copy.
    const isCopied = to?.say('info', 'replication').includes('master_link_status:up')
    const hasAll = isCopied && to?.say('dbsize') === from?.say('dbsize')
    return hasAll && /flags\nslave\n/.test(master.say('-p', `${watch}`, 'sentinel', 'replicas', 'main'))
  }
  // The first of them is down.
  const url = `redis+sentinel://127.0.0.1:${nobody},127.0.0.1:${watch}/main`
  const [one, two] = [openForOneTest(url), openForOneTest(url)]
  await hearEachOther(one, two)
  const store = new RedisStore(one)
  await expect.poll(() => store.consume('nonce', Date.now() + 60_000).catch(() => null)).toBe(true)
  // Not before the replica has a copy and the sentinel knows of it.
  await expect.poll(() => isReady([replica, master])).toBe(true)
  await endRedis(master.child)
  await hearEachOther(one, two)
  // What the replica had copied is known there, and it takes what is new.
  await expect.poll(() => store.consume('another', Date.now() + 60_000).catch(() => null)).toBe(true)
  expect(await store.consume('nonce', Date.now() + 60_000)).toBe(false)
  const third = await redisForOneTest(copying(replica.port), master.port)
  await expect.poll(() => isReady([third, replica])).toBe(true)
  replica.child.kill('SIGSTOP')
  await hearEachOther(one, two)
  expect(third.child.exitCode).toBe(null)
})

type Served = Awaited<ReturnType<typeof redisForOneTest>>
const copying = (port: number) => ['--replicaof', '127.0.0.1', `${port}`, '--repl-diskless-sync-delay', '0']

test('a user needs no other rights than the documented ones, for everything that is kept or said there', async () => {
  const { url, say } = await redisForOneTest(userWith('&quorate:*'))
  const [one, two] = [openForOneTest(urlOfUser(url)), openForOneTest(urlOfUser(url))]
  await hearEachOther(one, two)
  const store = new RedisStore(one)
  const history = startHistory(
    { historyStep: () => ({ step: 1, chains: [] }), restoreHistory: () => {} },
    one,
  )
  const session = {
    ...({ id: 'a', address: `0x${'a'.repeat(40)}`, chainId: 1, isContract: false } as const),
    ...{ signedInMs: Date.now(), seenMs: Date.now() },
  }
  await expect.poll(() => store.add(session).then(() => 'added', String)).toBe('added')
  expect((await store.of(session)).map(({ id }) => id)).toEqual(['a'])
  await store.end('a')
  await history.close()
  const user = ['--user', 'quorate', '--pass', 'p@ss', '--no-auth-warning']
  expect(say(...user, 'keys', 'quorate:history:*')).toContain('quorate:history:')
})

test('a user that is refused costs an answer nothing: the process goes on alone, and no log shows the password', async () => {
  const { port } = await redisForOneTest(['--requirepass', 'another-password'])
  const host = await startOver(`redis://quorate:the-wrong-password@127.0.0.1:${port}`)
  expect(await peersJoined(host)).toBe('0')
  expect(host.output()).not.toContain('wrong-password')
})

test('TLS joins who trusts the certificate, and nobody else', async () => {
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
  await redisForOneTest(['--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files], 0)
  const url = `rediss://127.0.0.1:${port}`
  const trusting = { NODE_EXTRA_CA_CERTS: certificate }
  const [one, two, distrusting] = await Promise.all([
    startOver(url, trusting),
    startOver(url, trusting),
    startOver(url),
  ])
  await expect.poll(() => Promise.all([one, two].map(peersJoined))).toEqual(['1', '1'])
  expect(await peersJoined(distrusting)).toBe('0')
})
