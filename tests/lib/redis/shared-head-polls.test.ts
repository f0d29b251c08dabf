import { expect, test } from 'vitest'
import { shareHeadPolls } from '#lib/redis/shared-head-polls.ts'
import { Abort, type Send } from '#rpc-proxy'
import { peersCircle } from '../../support/peers-circle.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const url = 'https://node.example/a-key-that-is-long'
const bodyOf = (id: number, params = '["latest",false]', method = 'eth_getBlockByNumber') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`

/** Processes with one clock. The node replies with its count of requests after `latencyMs`. */
function processes(count: number, { latencyMs = 50, status = 200, takeOver = async (_: number) => {} } = {}) {
  const clock = virtualClock()
  const sent: string[] = []
  const saved: string[] = []
  const said: unknown[] = []
  const refreshed = Array.from({ length: count }, (): string[] => [])
  const node: Send = ({ body }) => {
    sent.push(body)
    const { id } = JSON.parse(body) as { id: number }
    const text = `{"jsonrpc":"2.0","id":${id},"result":{"number":"0x${sent.length}"}}`
    return new Promise((resolve) => {
      if (latencyMs < Number.POSITIVE_INFINITY)
        clock.after(latencyMs, () => resolve({ status, retryAfter: null, body: text }))
    })
  }
  const circle = peersCircle(count)
  const claims = new Set<string>()
  const overs: number[] = []
  const all = circle.map((peers, at) => {
    const polls = shareHeadPolls(node, {
      peers: {
        ...peers,
        send(kind, value) {
          said.push(value)
          peers.send(kind, value)
        },
        async claim(name, _ms, overMs) {
          overs.push(overMs)
          if (claims.has(name)) return null
          claims.add(name)
          return () => void claims.delete(name)
        },
      },
      clock,
      chainOf: () => 1,
      onSaved: (saves) => saved.push(saves),
    })
    polls.onPolled(async (chainId, tag) => {
      refreshed[at]?.push(`${chainId} ${tag}`)
      await takeOver(at)
    })
    return polls
  })
  const ask = (at: number, body = bodyOf(at + 1), { signal = new Abort(), to = url } = {}) => {
    const replied = all[at]?.send({
      ...{ url: to, headers: {}, body, bytesMax: 1e6, idempotent: true, signal },
    })
    return (replied as ReturnType<Send>).then(({ body: text }) => JSON.parse(String(text)))
  }
  return { clock, sent, saved, said, refreshed, overs, ask }
}

test('of ten processes that want the head of a node at once, one asks, and all have its reply under their own id', async () => {
  const { clock, sent, saved, ask } = processes(10)
  const replies = Array.from({ length: 10 }, (_, at) => ask(at))
  await clock.advance(200)
  expect(await Promise.all(replies)).toEqual(
    Array.from({ length: 10 }, (_, at) => ({ jsonrpc: '2.0', id: at + 1, result: { number: '0x1' } })),
  )
  expect(sent).toEqual([bodyOf(1)])
  expect(saved).toEqual(Array.from({ length: 9 }, () => url))
})

test('what a node replied a moment ago is its reply now; later it is asked again', async () => {
  const { clock, sent, ask } = processes(2)
  const first = ask(0)
  await clock.advance(100)
  expect(await ask(1)).toMatchObject({ result: { number: '0x1' } })
  await clock.advance(300)
  const later = ask(1)
  await clock.advance(100)
  expect([await first, await later]).toMatchObject([
    { result: { number: '0x1' } },
    { result: { number: '0x2' } },
  ])
  expect(sent).toHaveLength(2)
})

test('a claim from before the last reply counts as over, also where the node failed', async () => {
  const { clock, overs, ask } = processes(2)
  for (let turn = 0; turn < 3; turn += 1) {
    const asked = ask(turn % 2)
    await clock.advance(1_000)
    await asked
  }
  const [first, second = 0, third = 0] = overs
  expect([first, second > 0, third - second]).toEqual([0, true, 1_000])
})

test('what one has polled the others are told to take over, once: this chain, and this head of it', async () => {
  const { clock, refreshed, ask } = processes(3)
  const polled = [ask(0), ask(0, bodyOf(2, '["finalized",false]'))]
  await clock.advance(200)
  await Promise.all(polled)
  expect(refreshed).toEqual([[], ['1 latest', '1 finalized'], ['1 latest', '1 finalized']])
})

test('processes of which each would ask another node do not poll for ever, one because of the other', async () => {
  const { clock, sent, ask, refreshed } = processes(2, {
    async takeOver(at) {
      // As where no quorum is found: each polls a node that the other did not.
      await ask(at, bodyOf(9), { to: `https://${at}.example/` })
    },
  })
  const first = ask(0)
  await clock.advance(60_000)
  await first
  expect([sent.length, refreshed]).toEqual([2, [[], ['1 latest']]])
})

test('a process that is told to take a poll over, of which it has made a part, asks no node again', async () => {
  const { clock, sent, ask } = processes(2)
  const first = ask(0)
  await clock.advance(60)
  expect(await first).toMatchObject({ id: 1 })
  expect(await ask(0, bodyOf(2))).toMatchObject({ id: 2, result: { number: '0x1' } })
  expect(sent).toHaveLength(1)
})

test('a process that polls a node twice at once, for all calls and for protected ones, asks once and waits for no other', async () => {
  const { clock, sent, ask } = processes(2)
  const polled = [ask(0), ask(0, bodyOf(7))]
  await clock.advance(50)
  expect(await Promise.all(polled)).toMatchObject([{ id: 1 }, { id: 7, result: { number: '0x1' } }])
  expect(sent).toHaveLength(1)
})

test('where one gets an error, or nothing for 400 ms, the others ask by themselves', async () => {
  const failing = processes(3, { status: 429 })
  const replies = [0, 1, 2].map((at) => failing.ask(at))
  await failing.clock.advance(400)
  await Promise.all(replies)
  expect(failing.sent).toHaveLength(3)
  const hanging = processes(2, { latencyMs: Number.POSITIVE_INFINITY })
  void hanging.ask(0)
  void hanging.ask(1)
  await hanging.clock.advance(399)
  expect(hanging.sent).toHaveLength(1)
  await hanging.clock.advance(50)
  expect(hanging.sent).toHaveLength(2)
})

test('a caller that leaves waits for nobody', async () => {
  const { clock, ask } = processes(2, { latencyMs: 300 })
  const first = ask(0)
  await clock.advance(5)
  const leaving = new Abort()
  const second = ask(1, bodyOf(2), { signal: leaving })
  await clock.advance(20)
  leaving.abort()
  await clock.advance(600)
  await Promise.all([first, second])
  expect(clock.pending()).toBe(0)
})

test.each([
  bodyOf(1, '["0x10",false]'),
  bodyOf(1, '["latest",true]'),
  bodyOf(1, '[]', 'eth_blockNumber'),
  `[${bodyOf(1)}]`,
])('%s is sent as ever', async (body) => {
  const { clock, sent, said, ask } = processes(2)
  const replies = [ask(0, body).catch(() => null), ask(1, body).catch(() => null)]
  await clock.advance(200)
  await Promise.all(replies)
  expect([sent.length, said]).toEqual([2, []])
})

test('no url is said, for it may have a key in it', async () => {
  const { clock, said, ask } = processes(2)
  const polled = ask(0)
  await clock.advance(200)
  await polled
  expect(said.length).toBe(1)
  expect(JSON.stringify(said)).not.toContain('node.example')
})
