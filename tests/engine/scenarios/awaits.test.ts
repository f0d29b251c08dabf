import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { account, callText, rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { type World, worldOf } from '../../support/world.ts'

/** Sends a read of a balance, whose body is there at once. */
function read({ gateway }: World) {
  const body = Promise.resolve({ text: callText('eth_getBalance', [account, 'latest']) })
  return gateway.handle({
    method: 'POST',
    path: '/api/rpc/1',
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    body: () => body,
    caller: null,
    origin: null,
    signal: new AbortController().signal,
  })
}

async function worldWithHead(): Promise<World> {
  const world = worldOf([says('0x1'), says('0x1')], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  return world
}

/** How many turns of the microtask queue pass until a read has its response: one for each promise that it waits for. */
async function turnsOf(world: World): Promise<number> {
  let isDone = false
  void read(world).then(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone && turns < 100; turns++) await Promise.resolve()
  return turns
}

test('an agreed read waits five times between the handler and the HTTP client', async () => {
  const turns = await turnsOf(await worldWithHead())
  // The body; the reply of the scripted node; that of the client; two of the handler, which waits for all calls of a request; this test.
  expect(turns - 6).toBeLessThanOrEqual(5)
})

test('a cache hit makes no promise after the body is read', async () => {
  const world = await worldWithHead()
  await turnsOf(world)
  let promises = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') promises++
    },
  }).enable()
  const response = await read(world)
  hook.disable()
  expect(response.headers).toMatchObject({ 'x-quorate-cache': 'hit' })
  // The body, which is made here, and the wait for it; the response, and the wait for it here.
  expect(promises).toBe(4)
})
