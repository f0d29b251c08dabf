import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask, beginPost, callOf, until } from '../../support/ask.ts'
import { answersBody, late, type ReceivedCall, type Reply, says } from '../../support/replies.ts'
import { anyText } from '../../support/strange.ts'
import { requestsOf, worldOf } from '../../support/world.ts'

const account = (digit: number) => `0x${String(digit).repeat(40)}`
const ownOf = ({ method, params }: Pick<ReceivedCall, 'method' | 'params'>) =>
  `0x${method === 'eth_getBalance' ? 'b' : 'c'}${Number(params[1])}${String(params[0]).slice(2, 4)}`

/** Every call has its own answer and its own delay. */
const own: Reply = (received) =>
  late((Number(String(params(received)).charCodeAt(3)) * 7) % 50, says(ownOf(received)))(received)
const params = ({ params: given }: ReceivedCall) => given[0]

const calls = fc.array(
  fc.record({
    method: fc.constantFrom('eth_getBalance', 'eth_getTransactionCount'),
    digit: fc.integer({ min: 1, max: 4 }),
    block: fc.constantFrom(10, 11, 999),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
  }),
  { minLength: 1, maxLength: 12 },
)

test('each call gets its own answer under its own id, with any number of concurrent calls', async () => {
  const scripts = fc.array(fc.constantFrom(1, 2, 100), { minLength: 2, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(scripts, fc.array(calls, { minLength: 1, maxLength: 3 }), async (sizes, batches) => {
      const world = worldOf(
        sizes.map((batchCallsMax) => ({ reply: own, batchCallsMax })),
        { quorum: 2 },
      )
      const pending = batches.map((batch) =>
        beginPost(
          world,
          batch.map(({ method, digit, block, id }) =>
            callOf(method, [account(digit), `0x${block.toString(16)}`], id),
          ),
        ),
      )
      for (const [index, batch] of batches.entries()) {
        const { body } = await until(world, pending[index] as (typeof pending)[number])
        expect(JSON.parse(body)).toEqual(
          batch.map(({ method, digit, block, id }) => ({
            jsonrpc: '2.0',
            id,
            result: ownOf({ method, params: [account(digit), block] }),
          })),
        )
      }
    }),
    { numRuns: 30 },
  )
})

test('a caller that disconnects does not affect the others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(calls, fc.option(fc.nat(60))), { minLength: 2, maxLength: 4 }),
      async (callers) => {
        const world = worldOf([{ reply: own, batchCallsMax: 3 }, own], { quorum: 2 })
        await ask(world, 'eth_blockNumber')
        const pending = callers.map(([batch, leavesMs]) => {
          const one = beginPost(
            world,
            batch.map(({ method, digit, block, id }) =>
              callOf(method, [account(digit), `0x${block.toString(16)}`], id),
            ),
          )
          if (leavesMs !== null) world.clock.after(leavesMs, one.leave)
          return one
        })
        for (const [index, [batch, leavesMs]] of callers.entries()) {
          const { status, body } = await until(world, pending[index] as (typeof pending)[number])
          if (leavesMs === null) expect(status).toBe(200)
          if (status !== 200) continue
          expect((JSON.parse(body) as { result: string }[]).map(({ result }) => result)).toEqual(
            batch.map(({ method, digit, block }) => ownOf({ method, params: [account(digit), block] })),
          )
        }
        await world.clock.advance(0)
        expect(requestsOf(world).filter(({ end }) => end === null)).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})

test('a mutated body votes only for what it says as valid JSON-RPC', async () => {
  const mutation = fc.tuple(fc.nat(60), fc.nat(4), anyText(3))
  const mutations = fc.array(mutation, { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(mutations, async (edits) => {
      let sent = ''
      const corrupted = answersBody((id) => {
        sent = edits.reduce(
          (text, [at, cut, noise]) => text.slice(0, at) + noise + text.slice(at + cut),
          `{"jsonrpc":"2.0","id":${id},"result":"0xbad"}`,
        )
        return sent
      })
      const world = worldOf([corrupted, says('0xa')], { quorum: 1 })
      const { result } = await ask(world, 'eth_getBalance')
      expect([saidBy(sent), '0xa']).toContain(result)
    }),
    { numRuns: 100 },
  )
})

/** The result of a body, if it is a valid response. */
function saidBy(text: string): unknown {
  try {
    const { jsonrpc, id, result, error } = JSON.parse(text) as Record<string, unknown>
    return jsonrpc === '2.0' && Number.isInteger(id) && error === undefined ? result : null
  } catch {
    return null
  }
}
