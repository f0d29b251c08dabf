import { describe, expect, test } from 'vitest'
import { ask, begin, until } from '../support/ask.ts'
import { late, says } from '../support/replies.ts'
import { worldOf } from '../support/world.ts'

const [A, B] = ['0xa', '0xb'] as const
const majority = { headers: { 'x-quorate-majority': '1' } }
const read = 'eth_getBalance'
const params = undefined

describe('a caller that asks for a majority', () => {
  test('needs more than half of all weight when half is a quorum for others', async () => {
    const world = worldOf([says(A), says(A), says(A), says(A)])
    expect((await ask(world, read, params, majority)).headers['x-quorate-agreement']).toBe(
      '3/3/4; policy=protected',
    )
    expect((await ask(worldOf([says(A), says(A), says(A)]), read)).headers['x-quorate-agreement']).toBe(
      '2/1.5/3',
    )
  })

  test('is refused when the nodes are split in half, although half is a quorum', async () => {
    const world = worldOf([says(A), says(A), says(B), says(B)])
    expect(await ask(world, read)).toMatchObject({ result: A })
    expect(await ask(world, read, params, majority)).toMatchObject({ error: { code: -32010 } })
  })

  test('gets no cache entry with less agreement', async () => {
    const world = worldOf([says(A), says(A), says(A), says(A)])
    expect((await ask(world, read)).headers).toMatchObject({
      'x-quorate-agreement': '2/2/4',
      'x-quorate-cache': 'miss',
    })
    expect((await ask(world, read, params, majority)).headers).toMatchObject({
      'x-quorate-agreement': '3/3/4; policy=protected',
      'x-quorate-cache': 'miss',
    })
    expect((await ask(world, read, params, majority)).headers['x-quorate-cache']).toBe('hit')
    expect((await ask(world, read)).headers['x-quorate-cache']).toBe('hit')
  })

  test('does not share a request with callers that need less', async () => {
    const world = worldOf([says(A), says(A), says(A), says(A)].map((reply) => late(20, reply)))
    await ask(world, 'eth_blockNumber')
    const [own, other] = [begin(world, read, params, majority), begin(world, read)]
    expect((await until(world, own)).headers['x-quorate-agreement']).toBe('3/3/4; policy=protected')
    expect((await until(world, other)).headers['x-quorate-agreement']).toBe('2/2/4')
  })

  test('needs two operators, even if one has enough weight', async () => {
    const world = worldOf([{ reply: says(A), weight: 4 }, says(B)], { quorum: 4 })
    expect(await ask(world, read)).toMatchObject({ result: A })
    expect(await ask(world, read, params, majority)).toMatchObject({ error: { code: -32010 } })
  })

  test('is refused when there is only one operator', async () => {
    const world = worldOf([says(A)])
    expect(await ask(world, read)).toMatchObject({ result: A })
    expect(await ask(world, read, params, majority)).toMatchObject({ error: { code: -32010 } })
  })
})
