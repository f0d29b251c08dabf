import { describe, expect, test } from 'vitest'
import { account, ask } from '../../support/ask.ts'
import { answersHttp, fails, hangs, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { worldOf } from '../../support/world.ts'

const old = [account, hex(5)]
const geth = fails(-32000, 'missing trie node 0x01')
const history = fails(4444, 'pruned history unavailable')
const window = fails(-32602, 'distance to target block exceeds maximum proof window')

describe('a block that every node has pruned', () => {
  test.each([
    ['eth_getBalance', old, geth],
    ['eth_getBlockReceipts', [hex(5)], history],
    ['eth_getProof', [account, [], hex(5)], window],
  ])(
    'is told in the words of EIP-4444, and is no failure to meet quorum: %s',
    async (method, params, reply) => {
      const world = worldOf([reply, reply, reply], { quorum: 2 })
      const { error, status } = await ask(world, method, params)
      expect(status).toBe(200)
      expect(error).toMatchObject({
        code: 4444,
        message: 'pruned history unavailable',
        data: { reason: 'pruned' },
      })
      const { chains } = world.gateway.history({
        fromMs: world.clock.now() - 60_000,
        toMs: world.clock.now() + 60_000,
        stepsMax: 1,
      })
      expect(chains[0]?.failures.filter((count) => count > 0)).toEqual([])
    },
  )

  test.each([
    ['hang', hangs],
    ['fail', answersHttp(500)],
  ])('is a failure to meet quorum where the others %s', async (_, reply) => {
    const world = worldOf([geth, reply, reply], { quorum: 2, deadlineMs: 2000 })
    expect(await ask(world, 'eth_getBalance', old)).toMatchObject({ error: { code: -32010 } })
  })

  test.each([
    ['has it', [geth, geth, says('0x1')]],
    ['has it, and replies first', [says('0x1'), geth, geth]],
    ['fails', [geth, geth, answersHttp(500)]],
    ['hangs', [geth, geth, hangs]],
  ])(
    'has the same error whatever the third does where two of three have pruned it: it %s',
    async (_, replies) => {
      const world = worldOf(replies, { quorum: 2, deadlineMs: 2000 })
      expect(await ask(world, 'eth_getBalance', old)).toMatchObject({ error: { code: 4444 } })
    },
  )

  test('is no matter of one operator with two nodes of which one has it', async () => {
    const world = worldOf(
      [
        { reply: geth, operator: 'a' },
        { reply: says('0x1'), operator: 'a' },
        { reply: says('0x1'), operator: 'b' },
      ],
      { quorum: 2 },
    )
    expect(await ask(world, 'eth_getBalance', old)).toMatchObject({ result: '0x1' })
  })

  test('is a failure to meet quorum where an operator has another node that has it, and the others fail', async () => {
    const world = worldOf(
      [
        { reply: geth, operator: 'a' },
        { reply: says('0x1'), operator: 'a' },
        { reply: answersHttp(500), operator: 'b' },
      ],
      { quorum: 2 },
    )
    expect(await ask(world, 'eth_getBalance', old)).toMatchObject({ error: { code: -32010 } })
  })

  test('is answered where a quorum has it', async () => {
    const world = worldOf([geth, says('0x1'), says('0x1')], { quorum: 2 })
    expect(await ask(world, 'eth_getBalance', old)).toMatchObject({ result: '0x1' })
  })
})
