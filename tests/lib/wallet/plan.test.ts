import { decodeFunctionData, type Hex, hexToBytes, parseAbi, serializeTransaction, size } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ReadCall, ReadCalls, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { effectReads } from '#lib/wallet/effect.ts'
import { hasRisen, priceQuestions } from '#lib/wallet/fee.ts'
import { decodeCall, type TokenMeaning } from '#lib/wallet/meaning.ts'
import { type Intent, planEverything, planSend } from '#lib/wallet/plan.ts'
import { agreed, refused } from '../../support/readings.ts'
import { other, own } from './accounts.ts'
import { tokenEvent, word } from './event-words.ts'
import { done, failed, simulated, simulatedIn } from './simulation.ts'

const intent = { chainId: 137, from: own, to: other, value: 1000n, data: '0x', hasOwners: false } as const
const anyCall = { ...intent, data: '0x12345678' } as const

const oracle = '0x420000000000000000000000000000000000000F'
const contract = { eth_getCode: agreed('0x60') }
const willing: Readonly<Record<string, Reading>> = {
  eth_getBalance: agreed('0x2386f26fc10000'),
  eth_call: agreed('0x'),
  eth_estimateGas: agreed('0x5208'),
  eth_gasPrice: agreed('0x64'),
  eth_getTransactionCount: agreed('0x7'),
  eth_maxPriorityFeePerGas: agreed('0x1'),
  eth_getCode: agreed('0x'),
  eth_getBlockByNumber: agreed({ baseFeePerGas: '0x5f' }),
  [oracle]: agreed('0x'),
  decimals: agreed(word(6n)),
  symbol: refused('refused'),
}
const getters = { '0x313ce567': 'decimals', '0x95d89b41': 'symbol' } as const
/** The key of a call: its method, the address of the L1 fee oracle, or a token's getter. */
const keyOf = ({ method, params }: ReadCall) => {
  const { to, data } = (params[0] ?? {}) as { to?: string; data?: string }
  if (method !== 'eth_call') return method
  return to === oracle ? oracle : (getters[data as keyof typeof getters] ?? method)
}
const fee = 21_000n * 201n
/** Half of the fee of layer 1 that a plan has. */
const l1 = { [oracle]: agreed(word(5000n)) }

type Change = Readonly<Record<string, Reading>> | ((call: ReadCall) => Reading | undefined)
/** Nodes that are willing, but for this. */
const nodes = (change: Change = {}): ReadCalls => {
  const changed = typeof change === 'function' ? change : (call: ReadCall) => change[keyOf(call)]
  return async (calls) => calls.map((call) => changed(call) ?? willing[keyOf(call)] ?? refused('silent'))
}
const planOf = (wish: Intent, change?: Change) => planSend(wish, nodes(change))
const quantity = (units: bigint) => agreed(`0x${units.toString(16)}`)
/** The first call of each key that nodes get for a plan. */
async function callsFor(wish: Intent) {
  const calls = new Map<string, ReadCall>()
  await planOf(wish, (call) => {
    if (!calls.has(keyOf(call))) calls.set(keyOf(call), call)
    return undefined
  })
  return calls
}

describe('a plan to send', () => {
  const failing = { eth_call: refused('refused'), eth_estimateGas: refused('refused') }
  const noTip = { eth_maxPriorityFeePerGas: refused('refused') }
  const legacy = { ...noTip, eth_getBlockByNumber: agreed({}) }
  const derived = { maxFeePerGas: 205n, maxPriorityFeePerGas: 5n }
  const delegation = `0xef0100${'ab'.repeat(20)}`
  const gasOf = (units: bigint) => ({ eth_estimateGas: quantity(units) })
  const ofOwners = { ...intent, hasOwners: true }
  const feeOf = (expected: object) => ({ plan: { fee: expected } })
  const callOf = (expected: object) => ({ plan: { calls: [expected] } })
  const balance = (units: bigint) => ({ eth_getBalance: quantity(units) })
  const code = (text: string) => ({ eth_getCode: agreed(text) })
  const [prices, short] = [{ maxFeePerGas: 201n, maxPriorityFeePerGas: 1n }, { fault: 'funds' }]

  test.each<[string, Change, object, Intent?]>([
    ['has gas and fee', {}, feeOf({ gas: 21_000n, price: prices, max: fee })],
    ['has the block of its simulation', {}, { plan: { block: 9, calls: [{ toContract: false }] } }],
    ['has a fifth more gas for a contract', { ...contract, ...gasOf(100_000n) }, feeOf({ gas: 120_000n })],
    ['says that it goes to a contract', contract, callOf({ toContract: true })],
    ['is made of a balance that covers amount and fee', balance(1000n + fee), feeOf({ max: fee })],
    ['is not made of less', balance(1000n + fee - 1n), short],
    ['includes twice the fee of layer 1', l1, feeOf({ max: fee + 10_000n })],
    ['needs a balance for that, too', { ...l1, ...balance(1000n + fee + 9999n) }, short],
    ['is not made when the oracle returns no fee', { [oracle]: refused('refused') }, { refused: 'silent' }],
    ['uses the gas price without EIP-1559', legacy, feeOf({ price: { gasPrice: 100n }, max: 2_100_000n })],
    ['derives the tip where nodes have no method for it', noTip, feeOf({ price: derived })],
    ['accepts only quantities', { eth_gasPrice: agreed('many') }, { refused: 'silent' }],
    ['is refused when it would revert', failing, { fault: 'reverts' }],
    ['names what does not take the coin', { ...failing, ...contract }, { fault: 'cannot-receive' }],
    ['calls no delegation (EIP-7702) a contract', code(delegation), callOf({ toContract: false })],
    ['calls a longer code a contract', code(`${delegation}ab`), callOf({ toContract: true })],
    ['of a multisig may send all: the executor pays', balance(1000n), { plan: { fee: null } }, ofOwners],
    ['of a multisig may send no more', balance(999n), short, ofOwners],
    ['is not made for a call that nothing would run', {}, { fault: 'no-contract' }, anyCall],
    ['is made for any call of a contract', contract, callOf({ meaning: { kind: 'call' } }), anyCall],
  ])('%s', async (_, change, expected, wish = intent) => {
    expect(await planOf(wish, change)).toMatchObject(expected)
  })

  test('is made once more where nodes are out of reach, and never by what is left of them', async () => {
    let turns = 0
    const thinFor = (failures: number) => {
      turns = 0
      return planSend(intent, async (calls) =>
        ++turns <= failures ? calls.map(() => refused('thin')) : nodes()(calls),
      )
    }
    expect(await thinFor(1)).toHaveProperty('plan')
    expect(await thinFor(2)).toEqual({ refused: 'thin' })
    expect(turns).toBe(2)
  })

  /** The bytes that the oracle gets for a call: more than the longest transaction with this data has. */
  async function bytesForOracle(wish: Intent, data: Hex): Promise<Hex> {
    const call = (await callsFor(wish)).get(oracle)?.params[0] as { data: Hex }
    const abi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])
    const [bytes] = decodeFunctionData({ abi, data: call.data }).args
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
    expect(size(bytes)).toBeGreaterThan(size(longest))
    return bytes
  }

  test('asks the oracle for a call of its own ABI, longer than a transfer of a token before it is signed', async () => {
    const bytes = await bytesForOracle(intent, `0x${'ab'.repeat(4 + 2 * 32)}`)
    expect(new Set(hexToBytes(bytes)).size).toBe(size(bytes))
  })

  test('asks the oracle for all bytes of a longer call', async () => {
    const data: Hex = `0x12345678${'ab'.repeat(1000)}`
    expect((await bytesForOracle({ ...intent, data }, data)).endsWith(data.slice(2))).toBe(true)
  })

  test.each([
    'eth_getBalance',
    'eth_call',
    'eth_estimateGas',
    'eth_gasPrice',
    'eth_getBlockByNumber',
    oracle,
  ])('reports that the nodes disagree on %s', async (method) => {
    expect(await planOf(intent, { [method]: refused('disagree') })).toEqual({ refused: 'disagree' })
  })

  const party = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  const approval = { ...intent, value: 0n, data: tokenCall('approve', party, 1n) }
  const transfer = { ...approval, data: tokenCall('transfer', party, 1n) }

  test('of a token simulates the call, and checks the recipient or spender', async () => {
    const calls = await callsFor(approval)
    const { data } = approval
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(calls.get(method)?.params[0]).toEqual({ from: intent.from, to: intent.to, value: '0x0', data })
    expect(calls.get('eth_getCode')?.params[0]).toBe(party)
    const selectors = simulatedIn(calls.get('eth_simulateV1')!).map((call) => call.data.slice(0, 10))
    expect(selectors).toEqual(['0xdd62ed3e', '0x095ea7b3', '0xdd62ed3e'])
  })

  const ofToken = (answer: unknown, more: Readonly<Record<string, Reading>> = {}) =>
    planOf(transfer, { ...contract, eth_call: agreed(answer), ...more })

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

  const figures = (...values: readonly bigint[]) => simulated(...values.map((value) => done(word(value))))

  test.each([
    ['in this order', figures(9n, 2n, 1n, 8n, 3n), { before: [9n, 2n], after: [8n, 3n] }],
    ['not where a node cannot', refused('refused'), null],
    ['not where they disagree', refused('disagree'), null],
    ['not where it reverts', simulated(failed), null],
    ['not where the answer is none', agreed(null), null],
  ])('shows what a token call changes, where the nodes can simulate it: %s', async (_, reading, effect) => {
    expect(await ofToken('0x', { eth_simulateV1: reading })).toMatchObject({ plan: { calls: [{ effect }] } })
  })

  test('is not made for a call of a token that would change nothing, or that nothing would run', async () => {
    const idle = await ofToken(word(1n), { eth_simulateV1: figures(9n, 2n, 1n, 9n, 2n) })
    expect(idle).toEqual({ fault: 'no-effect' })
    expect(await ofToken('0x', { eth_getCode: agreed('0x') })).toEqual({ fault: 'no-contract' })
    const unused = { ...contract, eth_simulateV1: figures(0n, 1n, 0n) }
    expect(await planOf(approval, unused)).toEqual({ fault: 'no-effect' })
  })

  test('of an approval that needs a revocation first is that of the revocation, if it succeeds', async () => {
    const revocation = { ...approval, data: tokenCall('approve', party, 0n) }
    const answersTo = (answers: Readonly<Record<string, Reading>>) =>
      planOf(approval, ({ method, params: [call] }) =>
        method === 'eth_call'
          ? answers[(call as { data: string }).data]
          : contract[method as keyof typeof contract],
      )
    const allowance = effectReads(decodeCall(approval) as TokenMeaning, own)[0]?.data ?? ''
    const barred = { [approval.data]: agreed(word(0n)), [allowance]: agreed(word(9n)) }
    const steps = { intents: [revocation, approval], current: 0, allowance: { units: 9n } }
    expect(await answersTo(barred)).toMatchObject({ plan: { calls: [{ intent: revocation }], steps } })
    const never = { ...barred, [revocation.data]: agreed(word(7n)) }
    expect(await answersTo(never)).toEqual({ fault: 'refused' })
    expect(await answersTo({ ...barred, [allowance]: agreed(word(0n)) })).toEqual({ fault: 'refused' })
  })

  test('of a failing approval has the token’s own reason, even if there is an old allowance', async () => {
    const reason = '0x08c379a0'
    const failing = { ...contract, eth_estimateGas: refused('refused'), eth_call: agreed(word(5n)) }
    const read = done(word(5n))
    const eth_simulateV1 = simulated(read, { ...failed, returnData: reason }, read)
    const planned = await planOf(approval, { ...failing, eth_simulateV1 })
    expect(planned).toEqual({ fault: 'reverts', revert: reason })
  })

  /** The plan where the contract answers `decimals()` so. */
  const withDecimals = (wish: Intent, decimals: Reading) => planOf(wish, { ...contract, decimals })

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
    const event = { ...tokenEvent('transfer', [party, intent.from], 1n), address: intent.to }
    const sizes: number[] = []
    const planned = await planOf(anyCall, (call) => {
      if (call.method !== 'eth_simulateV1') return call.method === 'eth_getCode' ? agreed('0x60') : undefined
      const calls = simulatedIn(call)
      sizes.push(calls.length)
      return simulated(...calls.map((_, index) => done(word(BigInt(index)), [event])))
    })
    expect(sizes).toEqual([3, 7])
    expect(planned).toMatchObject({
      plan: { changes: [{ kind: 'coin' }, { kind: 'balance', token: intent.to, before: 3n, after: 6n }] },
    })
  })
})

describe('a plan to send everything', () => {
  const balance = 10n ** 16n
  const everything = (change?: Change) => planEverything(intent, nodes(change))
  const ofValue = (value: bigint) => ({ plan: { calls: [{ intent: { value } }], balance } })

  test.each<[string, Change, object]>([
    ['leaves the highest fee, whatever amount was wished for', {}, ofValue(balance - fee)],
    ['leaves twice the fee of layer 1, too', l1, ofValue(balance - fee - 10_000n)],
    ['of a balance below the fee is none', { eth_getBalance: quantity(fee) }, { fault: 'funds' }],
    ['says why the nodes cannot be asked', { eth_call: refused('disagree') }, { refused: 'disagree' }],
  ])('%s', async (_, change, expected) => {
    expect(await everything(change)).toMatchObject(expected)
  })

  test('is made again where the fee rose meanwhile', async () => {
    let reads = 0
    const planned = await everything(({ method }) =>
      method === 'eth_gasPrice' ? agreed(++reads === 2 ? '0x65' : '0x64') : undefined,
    )
    expect(planned).toMatchObject(ofValue(balance - fee))
    expect(reads).toBe(4)
  })
})

test('a fee has risen where the network asks for more than its price, or layer 1 for more than is set aside', () => {
  const gasPrice = { gas: 21_000n, price: { gasPrice: 100n }, max: 2_110_000n, l1Max: 10_000n }
  const capped = { ...gasPrice, price: { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n } }
  for (const fee of [gasPrice, capped]) {
    expect(hasRisen(fee, [agreed('0x64'), agreed(word(10_000n))])).toBe(false)
    expect(hasRisen(fee, [agreed('0x65'), agreed(word(1n))])).toBe(true)
    expect(hasRisen(fee, [agreed('0x64'), agreed(word(10_001n))])).toBe(true)
    expect(hasRisen(fee, [refused('silent'), agreed('0x')])).toBe(false)
  }
  expect(priceQuestions('0x').map(({ method }) => method)).toEqual(['eth_gasPrice', 'eth_call'])
})
