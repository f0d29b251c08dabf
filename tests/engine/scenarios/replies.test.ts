import { describe, expect, test } from 'vitest'
import { account, protect, rpc } from '../../support/gateway-calls.ts'
import {
  answersBody,
  answersHttp,
  fails,
  hangs,
  inTurn,
  isBehind,
  noises,
  type Reply,
  reverts,
  says,
  saysText,
} from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { sends, stateOf, statesOf, three, type World, worldOf } from '../../support/world.ts'
import { accountOf, certificateOf, eventsOf, noQuorum, uncached } from '../support/outcomes.ts'

const [A, B] = ['0xa', '0xb'] as const
const call = { to: account, data: '0x01' }
const at = (block: number) => [account, hex(block)]
/** Which nodes a read is sent to, and when. */
const order = async (world: World, params: readonly unknown[], method = 'eth_getBalance') => {
  await rpc(world, method, params)
  return sends(world)
}

describe('a good body', () => {
  const under = (status: number) => {
    const odd = answersBody((id) => `{"jsonrpc":"2.0","id":${id},"result":"${A}"}`, status)
    return rpc(worldOf([odd, odd], { quorum: 2 }), 'eth_getBalance')
  }

  test.each([200, 201, 202, 203, 206, 299])('votes under HTTP %i, a status of success', async (status) => {
    expect(await under(status)).toMatchObject({ result: A })
  })

  test.each([199, 300, 304, 400])('has no vote under HTTP %i', async (status) => {
    expect(await under(status)).toHaveProperty('error')
  })
})

test.each(Object.entries(noises(B)))(
  'noise never votes, costs no time and is a fault of its node: %s',
  async (_, noise) => {
    const alone = worldOf([noise, says(A)], { quorum: 1 })
    expect(await rpc(alone, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
    expect(sends(alone)).toBe('a@0 b@0')

    const many = worldOf([noise, noise, noise, says(A)], { quorum: 2 })
    const reason = expect.stringMatching(/^(silent|malformed)$/)
    expect(await rpc(many, 'eth_getBalance')).toMatchObject({ ms: 0, error: { data: { reason } } })

    for (const turn of [1, 2, 3]) await rpc(alone, 'eth_getBalance', uncached(turn))
    expect(stateOf(alone, 'a')).not.toBe('usable')
  },
)

const odd = (message = 'the account sleeps') => fails(-32077, message)

describe('reverts, refusals and halts are votes of the chain', () => {
  const empty = { ms: 0, error: { code: 3, message: 'execution reverted', data: '0x' } }
  const [a, b] = [reverts('0xaa'), reverts('0xbb')]
  const bare = fails(3, 'execution reverted')
  test.each<[string, readonly Reply[], string, object]>([
    ['with empty data equals one without data', [reverts('0x'), bare], 'eth_call', empty],
    ['without data equals one with empty data', [bare, reverts('0x')], 'eth_call', empty],
    ['with other data is another verdict', [a, b], 'eth_call', noQuorum('disagree')],
    ['from a method that runs no code is noise', [a, a], 'eth_getBalance', noQuorum('silent')],
  ])('a revert %s', async (_, replies, method, expected) => {
    expect(await rpc(worldOf(replies, { quorum: 2 }), method)).toMatchObject(expected)
  })

  test('refusals in the words of a node are returned with the message of geth', async () => {
    const message = 'insufficient funds for gas * price + value'
    const others = ['insufficient funds for transfer', 'err: insufficient sender balance (supplied gas 0)']
    const words = [`${message}: address 0xab have 0 want 1`, ...others]
    const replies = words.map((text) => fails(-32000, text))
    const answer = await rpc(worldOf(replies, { quorum: 3 }), 'eth_call')
    expect(answer).toMatchObject({ ms: 0, status: 200, error: { code: -32000, message } })
    expect(answer.text).not.toContain('0xab')
  })

  test.each([
    ['bn256: malformed point', { code: -32000, message: 'bn256: malformed point' }],
    ['execution aborted (timeout = 5s)', { code: -32010, data: { reason: 'silent' } }],
  ])('an error caused by the caller’s own code is no fault: %s', async (message, error) => {
    const world = worldOf([1, 2, 3].map(() => ({ reply: says(A), on: { eth_call: fails(-32000, message) } })))
    for (let block = 0; block < 8; block++)
      expect(await rpc(world, 'eth_call', [call, hex(block)])).toMatchObject({ error })
    expect(statesOf(world)).toEqual(['usable', 'usable', 'usable'])
  })

  const passedOn = { status: 200, error: { code: -32077, message: 'the account sleeps' } }

  describe('what a quorum refuses in the same unknown words', () => {
    test('is its caller’s to read: it opens no breaker and is no failure of ours', async () => {
      const world = worldOf([odd(), odd(), odd()], { quorum: 2 })
      for (let turn = 1; turn <= 8; turn++) {
        const answer = await rpc(world, 'eth_getBalance', uncached(turn))
        expect(answer).toMatchObject(passedOn)
        expect(certificateOf(world, answer)).toMatchObject({ outcome: 'failed', reason: 'refused' })
      }
      expect(statesOf(world)).toEqual(['usable', 'usable', 'usable'])
      const codes = eventsOf(world, 'request').flatMap(({ request }) => request.calls.map(({ code }) => code))
      expect(new Set(codes)).toEqual(new Set([-32000]))
      expect(world.gateway.disputes(100)).toEqual([])
    })

    const http400 = answersHttp(400, '{"error":{"code":-32077,"message":"the account sleeps"}}')
    test.each<[string, readonly Reply[], object]>([
      ['one node alone', [odd(), says(A), says(A)], { result: A }],
      ['other words', [odd('a'), odd('b'), says(A)], noQuorum()],
      ['one operator', [odd()], noQuorum('silent')],
      ['too few', [odd(), hangs, hangs], noQuorum('silent')],
      ['the body of an HTTP error', [http400, http400, http400], noQuorum()],
    ])('takes a quorum of operators: %s', async (_, scripts, expected) => {
      const world = worldOf(scripts, { quorum: Math.min(2, scripts.length) })
      expect(await rpc(world, 'eth_getBalance')).toMatchObject(expected)
    })

    test('and is a fault of a node that stands alone with it', async () => {
      const world = worldOf([odd(), says(A), says(A)], { quorum: 2 })
      for (const turn of [1, 2, 3, 4]) await rpc(world, 'eth_getBalance', uncached(turn))
      expect(stateOf(world, 'a')).not.toBe('usable')
    })

    test.each(['no account at https://node.test/v2/0123456789abcdef', 'bad key sk-live-4711-0815-abcdef'])(
      'is kept from the caller where it may hold a key: %s',
      async (message) => {
        const { error } = await rpc(worldOf(three(odd(message))), 'eth_getBalance')
        expect(error).toMatchObject({ code: -32010, message: 'failed to meet quorum' })
      },
    )

    test.each([
      [-32603, 'nonce has max value'],
      [-32000, `account 0x${'c0dE'.repeat(10)} is not a precompile`],
    ])('is passed on of a simulation, with the code that it has: %i %s', async (code, message) => {
      const world = worldOf(three(fails(code, message)))
      const answer = await rpc(world, 'eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest'])
      expect(answer).toMatchObject({ error: { code, message } })
    })

    test.each([
      ['eth_estimateGas', [call, 'pending']],
      ['eth_getTransactionCount', [account, 'pending']],
    ])('is passed on of a number: %s', async (method, params) => {
      expect(await rpc(worldOf(three(odd())), method, params)).toMatchObject(passedOn)
    })
  })

  /** As shipped for Polygon: with four of eight refusing, no answer can win, and five are a quorum. */
  const guarded = (reply: Reply) => {
    const script = { reply: says(A), on: { eth_getBalance: reply } }
    const witness = { ...script, role: 'witness' } as const
    return worldOf([{ ...script, weight: 2 }, script, script, script, witness, witness, witness])
  }

  test('what more than half refuse alike is passed on to a protected caller, and opens no breaker', async () => {
    const world = guarded(odd())
    for (let turn = 1; turn <= 8; turn++)
      expect(await rpc(world, 'eth_getBalance', uncached(turn), protect)).toMatchObject(passedOn)
    expect(new Set(statesOf(world))).toEqual(new Set(['usable']))
  })

  test.each([
    ['and the last one as well, is passed on', odd(), { error: { code: -32077 } }],
    ['and the last one answers, is a dispute: neither side has a quorum', says(A), noQuorum('disagree')],
    ['and the last one is silent, is a dispute', hangs, noQuorum('disagree')],
  ])('what two of four refuse alike, where one answers %s', async (_, last, outcome) => {
    const world = worldOf([says(A), odd(), odd(), { reply: last }])
    expect(await rpc(world, 'eth_getBalance', undefined, protect)).toMatchObject(outcome)
  })

  test('where all replies are malformed, that is the reason, also of a protected call', async () => {
    const junk = saysText('"zero"')
    const guardedCall = await rpc(guarded(junk), 'eth_getBalance', undefined, protect)
    for (const answer of [guardedCall, await rpc(worldOf(three(junk)), 'eth_getBalance')])
      expect(answer).toMatchObject(noQuorum('malformed'))
  })

  test('out of gas is a verdict, with the gas of the caller or the default gas', async () => {
    const error = { code: -32000, message: 'execution halted: out of gas or invalid instruction' }
    const replies = [fails(-32000, 'out of gas'), fails(-32003, 'out of gas: gas required exceeds: 30000000')]
    const world = worldOf(replies, { quorum: 2 })
    for (const params of [[{ ...call, gas: '0x5208' }], [call]])
      expect(await rpc(world, 'eth_call', params)).toMatchObject({ status: 200, error })
    expect(await rpc(world, 'eth_estimateGas', [call])).toMatchObject(noQuorum('silent'))
  })
})

test('a node that is behind gets no fault', async () => {
  const world = worldOf([isBehind, says(A)], { quorum: 1 })
  for (let block = 0; block < 8; block++) await rpc(world, 'eth_getBalance', at(block))
  expect(stateOf(world, 'a')).toBe('usable')
})

describe('what a node cannot answer', () => {
  const inabilities = {
    pruned: fails(-32000, 'missing trie node 00aa (path ) state 0x00 is not available'),
    unauthorized: fails(-32000, 'Unauthorized'),
    'a method that it does not have': fails(-32601, 'the method eth_getBalance does not exist'),
    'params that the gateway has validated': fails(-32602, 'invalid argument 0: hex string has length 38'),
  }
  test.each(Object.entries(inabilities))('is neither a vote nor a fault: %s', async (_, reply) => {
    const world = worldOf([reply, says(A)], { quorum: 1 })
    for (let block = 0; block < 8; block++)
      expect(await rpc(world, 'eth_getBalance', at(block))).toMatchObject({ result: A, ms: 0 })
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('may come with HTTP 4xx, where results and verdicts are ignored', async () => {
    const with400 = (members: string) => answersBody((id) => `{"jsonrpc":"2.0","id":${id},${members}}`, 400)
    const wide = with400('"error":{"code":-32600,"message":"up to a 500 block range"}')
    const logs = worldOf([wide, says([])], { quorum: 1 })
    const range = (from: number) => [{ fromBlock: hex(from), toBlock: '0x3e8' }]
    for (let from = 1; from < 8; from++)
      expect(await rpc(logs, 'eth_getLogs', range(from))).toMatchObject({ result: [], ms: 0 })
    expect(stateOf(logs, 'a')).toBe('usable')

    const voting = [with400('"result":"0xb"'), with400('"error":{"code":3,"message":"execution reverted"}')]
    for (const reply of voting) {
      const world = worldOf([reply, says('0x0a')], { quorum: 1 })
      expect(await rpc(world, 'eth_call')).toMatchObject({ result: '0x0a', ms: 0 })
    }
  })

  test('a method that it does not have is asked of other nodes first from then on, other methods are not', async () => {
    const lacks = fails(-32601, 'the method does not exist')
    const world = worldOf([{ reply: says(A), on: { eth_getBalance: lacks } }, says(A)], { quorum: 1 })
    expect(await order(world, at(1))).toBe('a@0 b@0')
    expect(await order(world, at(2))).toBe('b@0')
    expect(await order(world, at(2), 'eth_getTransactionCount')).toBe('a@0')
  })
})

describe('a node that has pruned old state', () => {
  const prunesBelow =
    (block: number): Reply =>
    (received) =>
      Number(received.params[1]) < block
        ? fails(-32000, 'missing trie node 00aa (path ) state 0x00 is not available')(received)
        : says(A)(received)
  const history = () => worldOf([prunesBelow(900), says(A)], { quorum: 1 })

  test('is asked last for blocks that old, and first for newer ones', async () => {
    const world = history()
    for (const [turn, [block, expected]] of [
      [800, 'a@0 b@0'] as const,
      [800, 'b@0'] as const,
      [799, 'b@0'] as const,
      [801, 'a@0 b@0'] as const,
      [801, 'b@0'] as const,
      [900, 'a@0'] as const,
    ].entries())
      expect(await order(world, [accountOf(turn), hex(block)])).toBe(expected)
  })

  test('is tried again after ten minutes', async () => {
    const world = history()
    expect(await order(world, at(800))).toBe('a@0 b@0')
    await world.clock.advance(600_000)
    expect(await order(world, at(799))).toBe('a@0 b@0')
  })
})

describe('a node that rate-limits us', () => {
  test.each([
    ['for the seconds in Retry-After', '5', 5000],
    ['for a minute at most', '86400', 60_000],
  ])('rests %s', async (_, retryAfter, ms) => {
    const world = worldOf([inTurn(answersHttp(429, '', retryAfter), says(A)), says(A)], { quorum: 1 })
    expect(await order(world, at(1))).toBe('a@0 b@0')
    await world.clock.advance(ms - 1)
    expect(await order(world, at(2))).toBe('b@0')
    await world.clock.advance(1)
    expect(await order(world, at(3))).toBe('a@0')
  })
})

describe('how answers are compared', () => {
  test('identical text from a quorum is returned unchanged after it was parsed', async () => {
    const world = worldOf([saysText('"0x000A"'), saysText('"0x000A"')], { quorum: 2 })
    expect((await rpc(world, 'eth_getBalance')).text).toContain('"result":"0x000A"')
  })

  test('invalid JSON is never returned, however many nodes send it', async () => {
    const world = worldOf([saysText('"0x\\u00"'), saysText('"0x\\u00"')], { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject(noQuorum('malformed'))
  })
})
