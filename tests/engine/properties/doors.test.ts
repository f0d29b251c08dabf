import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { callOf, post, rpc } from '../../support/gateway-calls.ts'
import { hostileJson, isPolluted } from '../../support/hostile-json.ts'
import { answersBody, answersHttp, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, logAt, receiptAt, transactionHash } from '../../support/scripted-chain.ts'
import { anyText } from '../../support/strange.ts'
import { sends, worldOf } from '../../support/world.ts'

afterEach(() => {
  expect(isPolluted()).toBe(false)
})

const texts = Object.entries(hostileJson).flatMap(([name, text]) =>
  typeof text === 'string' ? [[name, text] as const] : [],
)
const bytes = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text
const codes = [-32700, -32600, -32601, -32602, -32603, -32010, -32001, -32000, 3]

/** Every object of a body is a complete response: an id, and a result or one of our error codes. */
function expectJsonRpc(body: string): void {
  const responses = [JSON.parse(body)].flat() as Record<string, unknown>[]
  expect(responses).not.toEqual([])
  for (const response of responses) {
    expect(Object.keys(response).toSorted()).toEqual(
      ['jsonrpc', 'id', 'result' in response ? 'result' : 'error'].toSorted(),
    )
    expect(response.jsonrpc).toBe('2.0')
    if ('error' in response) expect(codes).toContain((response.error as { code: number }).code)
  }
}

describe('requests from clients', () => {
  const world = () => worldOf([says('0x1'), says('0x1')], { quorum: 2 })

  test.each(texts)(
    '%s is refused as JSON-RPC, alone and in params, and no node is asked',
    async (_, text) => {
      const here = world()
      expectJsonRpc((await post(here, text)).body)
      for (const method of ['eth_getBalance', 'eth_call', 'eth_getLogs', 'eth_simulateV1', 'eth_newFilter']) {
        const { body } = await post(here, `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${text}]}`)
        expectJsonRpc(body)
      }
      expect(sends(here)).toBe('')
    },
  )

  test.each(texts)('%s beside valid calls does not affect them, or all are refused', async (_, text) => {
    const good = JSON.stringify(callOf('eth_chainId', [], 7))
    const { body } = await post(world(), `[${good},${text || 'null'},${good}]`)
    expectJsonRpc(body)
    const said = JSON.parse(body) as { id: unknown; result?: unknown }[]
    if (!Array.isArray(said)) return
    expect(said.filter(({ id, result }) => id === 7 && result === '0x1')).toHaveLength(2)
  })

  test('any body gets an answer, and no invariant breaks', async () => {
    const method = fc.constantFrom(
      ...'eth_getBalance eth_call eth_getLogs eth_getProof eth_feeHistory eth_getBlockByNumber x'.split(' '),
      ...'eth_sendRawTransaction eth_simulateV1 eth_getStorageValues eth_createAccessList'.split(' '),
    )
    const value = fc.jsonValue({ maxDepth: 5 })
    const params = fc.oneof(
      value,
      fc.tuple(value),
      fc.tuple(value, anyText(20)).map(([own, key]) => [{ [key]: own, ['__proto__']: own }, own]),
    )
    const call = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method, params })
    const batch = fc.array(fc.oneof(fc.constant(callOf('eth_getBalance')), value), { maxLength: 4 })
    const body = fc.oneof(
      anyText(),
      fc.json({ maxDepth: 3 }),
      batch.map((calls) => JSON.stringify(calls)),
      { weight: 3, arbitrary: call.map((each) => JSON.stringify(each)) },
    )
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const here = world()
        const response = await post(here, text)
        if (response.status === 204) expect(response.body).toBe('')
        else expectJsonRpc(response.body)
        expect(here.events.filter(({ type }) => type === 'breach')).toEqual([])
      }),
      { numRuns: 600 },
    )
  })
})

describe('replies from nodes', () => {
  const truths: Readonly<Record<string, { readonly params: readonly unknown[]; readonly result: unknown }>> =
    {
      eth_getBalance: { params: [`0x${'ac'.repeat(20)}`, 'latest'], result: '0xa' },
      eth_call: { params: [{ to: `0x${'ac'.repeat(20)}`, data: '0x01' }, 'latest'], result: '0x0a' },
      eth_getBlockByHash: { params: [hashOf(1000), false], result: blockAt(1000) },
      eth_getTransactionReceipt: { params: [transactionHash], result: receiptAt(1000) },
      eth_getLogs: { params: [{ fromBlock: 'latest', toBlock: 'latest' }], result: [logAt(1000, 0)] },
    }
  /** These nodes are asked before two honest ones, so a vote or a crash of theirs would be visible. */
  const among = async (strange: Reply, name: string, count = 2) => {
    const { params = [], result } = truths[name] ?? {}
    const on = { [name]: strange }
    const strangers = Array.from({ length: count }, () => ({ on }))
    const world = worldOf([...strangers, says(result), says(result)], { quorum: 2 })
    const answer = await rpc(world, name, params)
    expect(answer.result).toEqual(result)
    const votes = world.events.flatMap((event) =>
      event.type === 'verdict' && event.evidence.method === name ? event.evidence.requests : [],
    )
    return votes.filter(({ node, group }) => ['a', 'b'].slice(0, count).includes(node) && group !== null)
  }

  const methods = Object.keys(truths)

  // What a reply is read for depends on the method, the rest of its body does not.
  test.each(Object.entries(hostileJson).map(([name, text], at) => [name, text, at] as const))(
    '%s never votes: as a body, a result, an error or an extra member',
    async (_name, text, at) => {
      const inner = typeof text === 'string' ? text : '"\ufffd"'
      const body = (rest: string) => answersBody((id) => bytes(`{"jsonrpc":"2.0","id":${id},${rest}}`))
      for (const name of methods) expect(await among(body(`"result":${inner}`), name)).toEqual([])
      for (const strange of [
        answersHttp(200, text),
        body(`"error":${inner}`),
        body(`"error":{"code":-1,"message":${inner}}`),
      ])
        expect(await among(strange, methods[at % methods.length] ?? '')).toEqual([])
    },
  )

  test('random bytes never vote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), fc.uint8Array({ maxLength: 200 }), async (name, body) => {
        expect(await among(answersHttp(200, body), name)).toEqual([])
      }),
      { numRuns: 150 },
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
        const { result } = await rpc(world, 'eth_getBalance')
        expect([saidBy(sent), '0xa']).toContain(result)
      }),
      { numRuns: 100 },
    )
  })
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
