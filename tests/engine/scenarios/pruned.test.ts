import { describe, expect, test } from 'vitest'
import { account, rpc } from '../../support/gateway-calls.ts'
import { answersHttp, fails, hangs, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { type Script, three, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

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
      const world = worldOf(three(reply))
      const error = { code: 4444, message: 'pruned history unavailable', data: { reason: 'pruned' } }
      expect(await rpc(world, method, params)).toMatchObject({ status: 200, error })
      const { chains } = world.gateway.history({
        fromMs: world.clock.now() - 60_000,
        toMs: world.clock.now() + 60_000,
        stepsMax: 1,
      })
      expect(chains[0]?.failures.filter((count) => count > 0)).toEqual([])
    },
  )

  const [has, down] = [says('0x1'), answersHttp(500)]
  const of = (operator: string) => (reply: Reply) => ({ reply, operator })
  const [ofA, ofB] = [of('a'), of('b')]
  const pruned = { error: { code: 4444 } }
  test.each<[string, readonly (Reply | Script)[], object]>([
    ['a failure to meet quorum where the others hang', [geth, hangs, hangs], noQuorum()],
    ['a failure to meet quorum where the others fail', [geth, down, down], noQuorum()],
    ['pruned where two of three have pruned it and one has it', [geth, geth, has], pruned],
    ['pruned where that one replies first', [has, geth, geth], pruned],
    ['pruned where it fails', [geth, geth, down], pruned],
    ['pruned where it hangs', [geth, geth, hangs], pruned],
    ['answered where a quorum has it', [geth, has, has], { result: '0x1' }],
    ['no matter of one node of an operator', [ofA(geth), ofA(has), ofB(has)], { result: '0x1' }],
    ['a failure where an operator has it and the others fail', [ofA(geth), ofA(has), ofB(down)], noQuorum()],
  ])('is %s', async (_, replies, expected) => {
    const world = worldOf(replies, { quorum: 2, deadlineMs: 2000 })
    expect(await rpc(world, 'eth_getBalance', old)).toMatchObject(expected)
  })
})
