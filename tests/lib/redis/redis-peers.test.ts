import { beforeEach, expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import type { RedisLink } from '#lib/redis/redis-client.ts'
import { createPeers } from '#lib/redis/redis-peers.ts'
import { createSeal } from '#lib/redis/sealed-values.ts'

/** Each process has two connections, which go down and up independently. tests/redis/peers.test.ts uses a real Redis. */
type Receive = (text: string) => void
let channel: Receive[] = []
beforeEach(() => {
  channel = []
})

function connection() {
  const events = { ready: [] as (() => void)[], away: [] as ((cause: unknown) => void)[] }
  let isUp = false
  let own: Receive | null = null
  const client = {
    publish: async (_: string, text: string) => {
      for (const receive of channel) receive(text)
    },
    subscribe: async (_: string, receive: Receive) => {
      own = receive
      channel.push(receive)
    },
  }
  const link: RedisLink = {
    run: async (commands) => {
      if (!isUp) throw new Error('Redis is away')
      return commands(client as never)
    },
    onReady: (listener) => void events.ready.push(listener),
    onAway: (listener) => void events.away.push(listener),
    close() {},
  }
  return {
    link,
    up() {
      isUp = true
      for (const each of events.ready) each()
    },
    down() {
      isUp = false
      channel = channel.filter((receive) => receive !== own)
      for (const each of events.away) each(null)
    },
  }
}

/** A process that sends its words to all processes, and repeats them when a process may have missed some. */
function start() {
  const [speaker, listener] = [connection(), connection()]
  const peers = createPeers({
    ...{ redis: speaker.link, listener: listener.link, now: Date.now },
    ...{ seal: createSeal('a-secret-of-all-processes'), counts: createHostCounts() },
  })
  const said: string[] = []
  const heard = new Set<string>()
  peers.onJoin(() => peers.send('words', said))
  return {
    ...{ peers, speaker, listener, heard },
    say(word: string) {
      said.push(word)
      peers.send('words', [word])
    },
    hear() {
      peers.on('words', (words) => {
        for (const word of words as string[]) heard.add(word)
      })
    },
  }
}

async function joined() {
  const peer = start()
  peer.hear()
  peer.speaker.up()
  peer.listener.up()
  await expect.poll(peer.peers.isJoined).toBe(true)
  return peer
}

test('a log-out is sent again when only the publishing connection was down', async () => {
  const [one, two] = [await joined(), await joined()]
  one.speaker.down()
  expect(one.peers.isJoined()).toBe(false)
  one.say('logged out')
  one.speaker.up()
  await expect.poll(() => [...two.heard]).toEqual(['logged out'])
  expect(one.peers.isJoined()).toBe(true)
})

test.each(['speaker', 'listener'] as const)(
  'a starting replica learns of log-outs when its %s connects first',
  async (first) => {
    const [one, two] = [await joined(), start()]
    one.say('logged out')
    two.hear()
    two[first].up()
    await expect.poll(() => channel.length).toBe(first === 'listener' ? 2 : 1)
    expect(two.peers.isJoined()).toBe(false)
    two[first === 'speaker' ? 'listener' : 'speaker'].up()
    await expect.poll(() => [...two.heard]).toEqual(['logged out'])
  },
)

test('a replica learns of log-outs from before it listens to them', async () => {
  const [one, two] = [await joined(), start()]
  one.say('logged out')
  two.speaker.up()
  two.listener.up()
  await expect.poll(two.peers.isJoined).toBe(true)
  two.hear()
  await expect.poll(() => [...two.heard]).toEqual(['logged out'])
})
