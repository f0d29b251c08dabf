import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { openRedis } from '#lib/redis/open-redis.ts'
import { listen } from '../../support/listen.ts'

/** A server that says of itself what a Redis says, and refuses GET with a word. tests/redis uses real ones. */
async function openAt({ role = 'master', mode = 'standalone', refusal = '' }) {
  const text = (word: string) => `$${word.length}\r\n${word}\r\n`
  const hello = `%2\r\n${text('role')}${text(role)}${text('mode')}${text(mode)}`
  const replies = { HELLO: hello, PING: '+PONG\r\n', GET: `-${refusal} no\r\n` } as const
  let connections = 0
  const tcp = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const [, word = ''] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(replies[word.toUpperCase() as keyof typeof replies] ?? '+OK\r\n')
    })
  })
  const port = await listen(tcp)
  const lines: string[] = []
  const opened = openRedis(`redis://127.0.0.1:${port}`, 'a-secret-of-at-least-thirty-two-characters', {
    log: { write: ({ message }) => void lines.push(message) },
    counts: createHostCounts(),
  })
  onTestFinished(() => {
    opened.close()
    tcp.close()
  })
  return { redis: opened.redis, lines, connections: () => connections }
}

test.each(['READONLY', 'MOVED', 'LOADING', 'MASTERDOWN', 'NOAUTH'])(
  'a Redis that refuses with %s is not the one to talk to: its name is looked up again',
  async (refusal) => {
    const { redis, connections } = await openAt({ refusal })
    await new Promise<void>((resolve) => redis.onReady(resolve))
    await expect(redis.run((client) => client.get('a'))).rejects.toThrow(refusal)
    // One speaks and one hears: the third is new.
    await expect.poll(connections).toBe(3)
  },
)

test.each([
  [{ role: 'replica' }, 'Redis is away: this Redis is a replica'],
  [{ mode: 'cluster' }, expect.stringContaining('Redis is away: REDIS_URL leads to a Redis Cluster')],
])('a Redis that is not used although it answers is named in the log, once: %j', async (server, line) => {
  const { lines, connections } = await openAt(server)
  await expect.poll(connections).toBeGreaterThan(4)
  expect(lines).toEqual([line])
})
