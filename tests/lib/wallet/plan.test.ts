import { decodeFunctionData, type Hex, hexToBytes, parseAbi, serializeTransaction, size } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { type Intent, planEverything, planSend } from '#lib/wallet/plan.ts'
import { agreed, refused } from '../../support/readings.ts'
import { topics, word } from './event-words.ts'

const intent = {
  chainId: 137,
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: 1000n,
  data: '0x',
  hasOwners: false,
} as const

const oracle = '0x420000000000000000000000000000000000000F'
const willing: Readonly<Record<string, Reading>> = {
  eth_getBalance: agreed('0x2386f26fc10000'),
  eth_call: agreed('0x'),
  eth_estimateGas: agreed('0x5208'),
  eth_gasPrice: agreed('0x64'),
  eth_maxPriorityFeePerGas: agreed('0x1'),
  eth_getCode: agreed('0x'),
  eth_getBlockByNumber: agreed({ baseFeePerGas: '0x5f' }),
  [oracle]: agreed('0x'),
  decimals: agreed(word(6n)),
  symbol: refused('refused'),
}
const getters = { '0x313ce567': 'decimals', '0x95d89b41': 'symbol' } as const
/** Replies by method, by the address of the L1 fee oracle, or by a token's getter. */
const keyOf = ({ method, params }: ReadCall) => {
  const { to, data } = (params[0] ?? {}) as { to?: string; data?: string }
  if (method !== 'eth_call') return method
  return to === oracle ? oracle : (getters[data as keyof typeof getters] ?? method)
}
const planOf = (wish: Intent, change: Readonly<Record<string, Reading>> = {}) =>
  planSend(wish, async (questions) =>
    questions.map((question) => ({ ...willing, ...change })[keyOf(question)] ?? refused('silent')),
  )
const plan = (change: Readonly<Record<string, Reading>> = {}) => planOf(intent, change)

describe('a plan to send', () => {
  test('has gas, fee and the block of its simulation', async () => {
    expect(await plan()).toMatchObject({
      plan: {
        fee: {
          gas: 21_000n,
          price: { maxFeePerGas: 201n, maxPriorityFeePerGas: 1n },
          max: 21_000n * 201n,
        },
        block: 9,
        calls: [{ toContract: false }],
      },
    })
  })

  test('adds a fifth to the gas estimate of a contract', async () => {
    const planned = await plan({ eth_estimateGas: agreed('0x186a0'), eth_getCode: agreed('0x60') })
    expect(planned).toMatchObject({ plan: { fee: { gas: 120_000n }, calls: [{ toContract: true }] } })
  })

  test('is made once more where nodes are out of reach, and never by what is left of them', async () => {
    let turns = 0
    const planIn = (failures: number) =>
      planSend(intent, async (calls) => {
        turns++
        return calls.map((call) =>
          turns <= failures ? refused('thin') : (willing[keyOf(call)] ?? refused('silent')),
        )
      })
    expect(await planIn(1)).toHaveProperty('plan')
    turns = 0
    expect(await planIn(2)).toEqual({ refused: 'thin' })
    expect(turns).toBe(2)
  })

  test('is refused when the balance covers the amount but not its fee', async () => {
    expect(await plan({ eth_getBalance: agreed(`0x${(1000n + 21_000n * 201n - 1n).toString(16)}`) })).toEqual(
      { fault: 'funds' },
    )
    expect(
      await plan({ eth_getBalance: agreed(`0x${(1000n + 21_000n * 201n).toString(16)}`) }),
    ).toHaveProperty('plan')
  })

  test('includes the L1 data fee when there is an oracle for it, with a margin', async () => {
    const max = 21_000n * 201n + 2n * 5000n
    expect(await plan({ [oracle]: agreed(word(5000n)) })).toMatchObject({
      plan: { fee: { max } },
    })
    expect(
      await plan({
        [oracle]: agreed(word(5000n)),
        eth_getBalance: agreed(`0x${(1000n + max - 1n).toString(16)}`),
      }),
    ).toEqual({ fault: 'funds' })
  })

  /** The bytes that the oracle is asked about, and the longest transaction with this data. */
  async function askedOfOracle(wish: Intent, data: Hex) {
    let asked: Hex = '0x'
    await planSend(wish, async (questions) => {
      for (const question of questions)
        if (keyOf(question) === oracle) asked = (question.params[0] as { data: Hex }).data
      return questions.map(() => refused('silent'))
    })
    const abi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])
    const longest = serializeTransaction({
      type: 'eip1559',
      chainId: 2 ** 32,
      to: intent.to,
      value: 10n ** 27n,
      data,
      nonce: 2 ** 32,
      gas: 10n ** 9n,
      maxFeePerGas: 10n ** 15n,
      maxPriorityFeePerGas: 10n ** 15n,
    })
    return { bytes: decodeFunctionData({ abi, data: asked }).args[0], longest }
  }

  test('asks the oracle for a call of its own ABI, longer than a transfer of a token before it is signed', async () => {
    const { bytes, longest } = await askedOfOracle(intent, `0x${'ab'.repeat(4 + 2 * 32)}`)
    expect(size(bytes)).toBeGreaterThan(size(longest))
    expect(new Set(hexToBytes(bytes)).size).toBe(size(bytes))
  })

  test('asks the oracle for all bytes of a longer call', async () => {
    const data: Hex = `0x12345678${'ab'.repeat(1000)}`
    const { bytes, longest } = await askedOfOracle({ ...intent, data }, data)
    expect(bytes.endsWith(data.slice(2))).toBe(true)
    expect(size(bytes)).toBeGreaterThan(size(longest))
  })

  test('is not made when the oracle returns no fee', async () => {
    expect(await plan({ [oracle]: refused('refused') })).toEqual({ refused: 'silent' })
  })

  test('on a chain without EIP-1559 uses the gas price', async () => {
    const legacy = { eth_getBlockByNumber: agreed({}), eth_maxPriorityFeePerGas: refused('refused') }
    expect(await plan(legacy)).toMatchObject({
      plan: { fee: { price: { gasPrice: 100n }, max: 21_000n * 100n } },
    })
  })

  test('derives the tip from the gas price when nodes have no method for it', async () => {
    expect(await plan({ eth_maxPriorityFeePerGas: refused('refused') })).toMatchObject({
      plan: { fee: { price: { maxFeePerGas: 205n, maxPriorityFeePerGas: 5n } } },
    })
  })

  test('does not call an account a contract that has delegated to one (EIP-7702)', async () => {
    const code = (text: string) => plan({ eth_getCode: agreed(text) })
    expect(await code(`0xef0100${'ab'.repeat(20)}`)).toMatchObject({
      plan: { calls: [{ toContract: false }] },
    })
    expect(await code(`0xef0100${'ab'.repeat(21)}`)).toMatchObject({
      plan: { calls: [{ toContract: true }] },
    })
  })

  test('of a multisig may send the whole balance, because the executor pays the fee', async () => {
    const whole = { ...intent, hasOwners: true }
    expect(await planOf(whole, { eth_getBalance: agreed('0x3e8') })).toMatchObject({ plan: { fee: null } })
    expect(await planOf(whole, { eth_getBalance: agreed('0x3e7') })).toEqual({ fault: 'funds' })
  })

  test.each([
    'eth_getBalance',
    'eth_call',
    'eth_estimateGas',
    'eth_gasPrice',
    'eth_getBlockByNumber',
    oracle,
  ])('reports that the nodes disagree on %s', async (method) => {
    expect(await plan({ [method]: refused('disagree') })).toEqual({ refused: 'disagree' })
  })

  const party = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  const approval = { ...intent, value: 0n, data: tokenCall('approve', party, 1n) }
  const transfer = { ...approval, data: tokenCall('transfer', party, 1n) }

  test('of a token simulates the call, and checks the recipient or spender', async () => {
    const asked: ReadCall[] = []
    await planSend(approval, async (questions) => {
      asked.push(...questions)
      return questions.map((question) => willing[keyOf(question)] ?? refused('silent'))
    })
    const of = (method: string) => asked.find((question) => keyOf(question) === method)?.params[0]
    const { data } = approval
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(of(method)).toEqual({ from: intent.from, to: intent.to, value: '0x0', data })
    expect(of('eth_getCode')).toBe(party)
    const { blockStateCalls } = of('eth_simulateV1') as { blockStateCalls: { calls: { data: string }[] }[] }
    expect(blockStateCalls[0]?.calls.map((call) => call.data.slice(0, 10))).toEqual([
      '0xdd62ed3e',
      '0x095ea7b3',
      '0xdd62ed3e',
    ])
  })

  const ofToken = (answer: unknown, more: Readonly<Record<string, Reading>> = {}) =>
    planOf(transfer, { eth_getCode: agreed('0x60'), eth_call: agreed(answer), ...more })

  test.each([
    ['nothing, as USDT', '0x', undefined],
    ['true', word(1n), undefined],
    ['true and more', `${word(1n)}00`, undefined],
    ['false', word(0n), 'refused'],
    ['a number', word(7n), 'unreadable'],
    ['a large number', word(2n ** 255n), 'unreadable'],
    ['less than a word', '0x01', 'unreadable'],
    ['no data at all', null, 'unreadable'],
  ])('reads a token’s answer: %s', async (_, answer, fault) => {
    const planned = await ofToken(answer)
    if (fault) expect(planned).toEqual({ fault })
    else expect(planned).toHaveProperty('plan')
  })

  const simulated = (...words: readonly bigint[]) =>
    agreed([{ calls: words.map((value) => ({ status: '0x1', returnData: word(value) })) }])

  test('shows what a token call changes, where the nodes can simulate it', async () => {
    const effect = { before: [9n, 2n], after: [8n, 3n] }
    expect(await ofToken('0x', { eth_simulateV1: simulated(9n, 2n, 1n, 8n, 3n) })).toMatchObject({
      plan: { calls: [{ effect }] },
    })
    expect(await ofToken('0x', { eth_simulateV1: refused('refused') })).toMatchObject({
      plan: { calls: [{ effect: null }] },
    })
    expect(await ofToken('0x', { eth_simulateV1: refused('disagree') })).toMatchObject({
      plan: { calls: [{ effect: null }] },
    })
    const reverted = agreed([{ calls: [{ status: '0x0', returnData: '0x' }] }])
    expect(await ofToken('0x', { eth_simulateV1: reverted })).toMatchObject({
      plan: { calls: [{ effect: null }] },
    })
    expect(await ofToken('0x', { eth_simulateV1: agreed(null) })).toMatchObject({
      plan: { calls: [{ effect: null }] },
    })
  })

  test('is not made for a call that would change nothing, or that nothing would run', async () => {
    expect(await ofToken(word(1n), { eth_simulateV1: simulated(9n, 2n, 1n, 9n, 2n) })).toEqual({
      fault: 'no-effect',
    })
    expect(await ofToken('0x', { eth_getCode: agreed('0x') })).toEqual({ fault: 'no-contract' })
    expect(await planOf({ ...intent, data: '0x12345678' })).toEqual({ fault: 'no-contract' })
    expect(await planOf({ ...intent, data: '0x12345678' }, { eth_getCode: agreed('0x60') })).toMatchObject({
      plan: { calls: [{ meaning: { kind: 'call' } }] },
    })
  })

  /** The plan where the contract answers `decimals()` so. */
  const withDecimals = (wish: Intent, decimals: Reading) =>
    planOf(wish, { eth_getCode: agreed('0x60'), decimals })

  test('of a token reads how its amounts are written: what the page read before may be a lie', async () => {
    const pretended = { ...transfer, token: { symbol: 'USDT', decimals: 30 } }
    expect(await withDecimals(pretended, agreed(word(6n)))).toMatchObject({
      plan: { calls: [{ meaning: { kind: 'transfer' }, intent: { token: { decimals: 6, symbol: '' } } }] },
    })
    expect(await withDecimals(transfer, refused('thin'))).toEqual({ refused: 'thin' })
  })

  test('of a contract without decimals is no call of a token: an item’s approval has the same bytes', async () => {
    expect(await withDecimals(approval, refused('refused'))).toMatchObject({
      plan: { calls: [{ meaning: { kind: 'call' } }], changes: null },
    })
  })

  test('of any other call measures what its events name in a second simulation', async () => {
    const event = {
      address: intent.to,
      topics: [topics.transfer, word(party), word(intent.from)],
      data: word(1n),
    }
    const asked: number[] = []
    const planned = await planSend({ ...intent, data: '0x12345678' }, async (questions) =>
      questions.map((question) => {
        if (question.method === 'eth_getCode') return agreed('0x60')
        if (question.method !== 'eth_simulateV1') return willing[keyOf(question)] ?? refused('silent')
        const [{ blockStateCalls }] = question.params as [{ blockStateCalls: [{ calls: unknown[] }] }]
        const { length } = blockStateCalls[0].calls
        asked.push(length)
        return agreed([
          {
            calls: Array.from({ length }, (_, index) => ({
              status: '0x1',
              returnData: word(BigInt(index)),
              logs: [event],
            })),
          },
        ])
      }),
    )
    expect(asked).toEqual([3, 7])
    expect(planned).toMatchObject({
      plan: { changes: [{ kind: 'coin' }, { kind: 'balance', token: intent.to, before: 3n, after: 6n }] },
    })
  })

  test('is refused when it would revert, and names a contract that does not take the coin', async () => {
    const failing = { eth_call: refused('refused'), eth_estimateGas: refused('refused') }
    expect(await plan({ ...failing, eth_getCode: agreed('0x60') })).toEqual({ fault: 'cannot-receive' })
    expect(await plan(failing)).toEqual({ fault: 'reverts' })
  })

  test('accepts only quantities', async () => {
    expect(await plan({ eth_gasPrice: agreed('many') })).toEqual({ refused: 'silent' })
  })
})

describe('a plan to send everything', () => {
  const balance = 10n ** 16n
  const fee = 21_000n * 201n
  const everything = (replies: (call: ReadCall) => Reading | undefined) =>
    planEverything(intent, async (calls) =>
      calls.map((call) => replies(call) ?? willing[keyOf(call)] ?? refused('silent')),
    )

  test('leaves the highest fee, whatever amount was wished for', async () => {
    expect(await everything(() => undefined)).toMatchObject({
      plan: { calls: [{ intent: { value: balance - fee } }], balance },
    })
  })

  test('leaves twice the fee of layer 1, too', async () => {
    const l1 = 5000n
    const planned = await everything((call) => (keyOf(call) === oracle ? agreed(word(l1)) : undefined))
    expect(planned).toMatchObject({ plan: { calls: [{ intent: { value: balance - fee - 2n * l1 } }] } })
  })

  test('is made again where the fee rose meanwhile', async () => {
    let reads = 0
    const planned = await everything((call) =>
      call.method === 'eth_gasPrice' ? agreed(++reads === 2 ? '0x65' : '0x64') : undefined,
    )
    expect(planned).toMatchObject({ plan: { calls: [{ intent: { value: balance - fee } }] } })
    expect(reads).toBe(4)
  })

  test('of a balance below the fee is none', async () => {
    const poor = (call: ReadCall) =>
      call.method === 'eth_getBalance' ? agreed(`0x${fee.toString(16)}`) : undefined
    expect(await everything(poor)).toEqual({ fault: 'funds' })
  })

  test('says why the nodes cannot be asked', async () => {
    expect(
      await everything(({ method }) => (method === 'eth_call' ? refused('disagree') : undefined)),
    ).toEqual({
      refused: 'disagree',
    })
  })
})
