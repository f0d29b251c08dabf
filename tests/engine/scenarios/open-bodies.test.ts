import { expect, test } from 'vitest'
import { beginPost, callOf, post, until } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { worldOf } from '../../support/world.ts'
import { drain } from '../support/outcomes.ts'

const chainId = callOf('eth_chainId', [])

/** A request body that stays open until the test sends it. */
function openBody() {
  let send = () => {}
  const sent = new Promise<{ text: string }>((resolve) => {
    send = () => resolve({ text: JSON.stringify(chainId) })
  })
  return { read: () => sent, send }
}

test('an open request body does not take a place in flight', async () => {
  const world = worldOf([says('0x1')], { limits: { inFlightMax: 1 } })
  const slow = Array.from({ length: 5 }, openBody)
  const waiting = slow.map(({ read }) => beginPost(world, '', { read }))
  expect(world.gateway.snapshot().inFlight.requests).toBe(0)
  expect((await post(world, chainId)).status).toBe(200)
  for (const [place, { send }] of slow.entries()) {
    send()
    expect(await until(world, waiting[place]!)).toMatchObject({ status: 200 })
  }
})

test('a drain waits for an open request body', async () => {
  const world = worldOf([says('0x1')])
  const { read, send } = openBody()
  const pending = beginPost(world, '', { read })
  const { isDrained } = drain(world)
  await world.clock.advance(100)
  expect(isDrained()).toBe(false)
  send()
  expect(await until(world, pending)).toMatchObject({ status: 200 })
  await world.clock.until(isDrained)
})

test('a caller with too many open bodies gets Retry-After', async () => {
  const world = worldOf([says('0x1')])
  const refused = await post(world, '', { read: async () => ({ fault: 'too-many' }) })
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(JSON.parse(refused.body)).toMatchObject({ id: null, error: { code: -32005 } })
})

test('a long answer is charged by its size', async () => {
  const code = `0x${'60'.repeat(50_000)}`
  const world = worldOf([says(code)], { quorum: 1, rate: { costPerMinute: 3 } })
  const rpc = () => post(world, callOf('eth_getCode'), { caller: '10.0.0.1' })
  expect((await rpc()).status).toBe(200)
  expect(await rpc()).toMatchObject({ status: 429 })
})
