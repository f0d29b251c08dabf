import fc from 'fast-check'
import { bytesToHex, encodeFunctionData, type Hex, multicall3Abi, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { isAllowed, protection, subCalls } from '../../../../rpc-proxy/admission/contracts.ts'
import { multicall3 } from '../../../../rpc-proxy/methods/multicall.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'

const listed = `0x${'aa'.repeat(20)}` as const
const other = `0x${'bb'.repeat(20)}` as const
const contracts = new Set<string>([listed])

/** Params in canonical form, as the gateway sees them. */
const allows = (method: string, ...params: unknown[]) =>
  isAllowed(methodSpec(method), methodSpec(method).parse(params), contracts)
const aggregate3 = (...targets: readonly (Hex | { target: Hex; callData: Hex })[]) =>
  encode(
    targets.map((target) => ({
      allowFailure: true,
      ...(typeof target === 'string' ? { target, callData: '0x70a08231' } : target),
    })),
  )
const encode = (calls: readonly { target: Hex; allowFailure: boolean; callData: Hex }[]) =>
  encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
const toMulticall = (data: Hex) => allows('eth_call', { to: multicall3, data })
/** A call of this contract, inside so many more of Multicall3 than one. */
const nested = (depth: number, target: Hex): Hex =>
  depth === 0 ? aggregate3(target) : aggregate3({ target: multicall3, callData: nested(depth - 1, target) })

const slot = `0x${'00'.repeat(32)}`
const overriding = (account: unknown) =>
  ['eth_call', { to: listed }, 'latest', { [listed]: account }] as const
const simulating = (...blockStateCalls: unknown[]) =>
  ['eth_simulateV1', { blockStateCalls }, 'latest'] as const

test.each<[string, boolean, string, ...unknown[]]>([
  ...['eth_call', 'eth_estimateGas', 'eth_createAccessList'].flatMap(
    (method): [string, boolean, string, unknown][] => [
      [`${method} of a listed contract`, true, method, { to: listed, data: '0x70a08231' }],
      [`${method} of one in capitals`, true, method, { to: listed.toUpperCase().replace('0X', '0x') }],
      [`${method} of another one`, false, method, { to: other, data: '0x70a08231' }],
    ],
  ),
  ['creation code, which may run anything', false, 'eth_call', { data: '0x6001' }],
  ['an estimate of creation code', false, 'eth_estimateGas', { to: null, data: '0x6001' }],
  ['another balance', true, ...overriding({ balance: '0x1', nonce: '0x1' })],
  ['another code', false, ...overriding({ code: '0x6001' })],
  ['another place of a precompile', false, ...overriding({ movePrecompileToAddress: other })],
  ['another state', false, ...overriding({ state: { [slot]: slot } })],
  ['another slot', false, ...overriding({ stateDiff: { [slot]: slot } })],
  [
    'simulated calls of listed contracts',
    true,
    ...simulating({ calls: [{ to: listed }, { to: listed }] }, {}),
  ],
  [
    'a simulated call of another one, in any block',
    false,
    ...simulating({ calls: [{ to: listed }] }, { calls: [{ to: listed }, { to: other }] }),
  ],
  [
    'a simulated call with another code',
    false,
    ...simulating({ stateOverrides: { [other]: { code: '0x6001' } }, calls: [{ to: listed }] }),
  ],
  ['simulated creation code', false, ...simulating({ calls: [{ data: '0x6001' }] })],
  ['a method that runs no code', true, 'eth_getBalance', other, 'latest'],
])('%s is allowed: %s', (_, isTaken, method, ...params) => {
  expect(allows(method, ...params)).toBe(isTaken)
})

test('an unknown method runs no code', () => {
  expect(isAllowed(methodSpec('toString'), [], contracts)).toBe(true)
})

describe('inside Multicall3', () => {
  const getter = encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [other] })
  const aggregate = encodeFunctionData({
    abi: parseAbi(['function aggregate((address target, bytes callData)[] calls)']),
    args: [[{ target: listed, callData: '0x' }]],
  })

  test.each<[string, boolean, Hex]>([
    ['two listed targets', true, aggregate3(listed, listed)],
    ['one that is not listed', false, aggregate3(listed, other)],
    ['none', true, aggregate3()],
    ['a getter of its own', true, getter],
    ['a getter of its own inside', true, aggregate3(listed, { target: multicall3, callData: getter })],
    ['a listed one three levels deep', true, nested(2, listed)],
    ['another one three levels deep', false, nested(2, other)],
    ['a listed one four levels deep', false, nested(3, listed)],
    ['another function of it', false, aggregate],
    ['no function', false, '0x'],
    ['a function alone', false, '0x82ad56cb'],
  ])('%s: allowed: %s', (_, isTaken, data) => {
    expect(toMulticall(data)).toBe(isTaken)
  })

  test('another function of it is refused where Multicall3 itself is listed', () => {
    const params = methodSpec('eth_call').parse([{ to: multicall3, data: aggregate }])
    expect(isAllowed(methodSpec('eth_call'), params, new Set([multicall3, listed]))).toBe(false)
  })

  test('a protected contract is protected inside nested multicalls, and so is what is nested too deep', () => {
    const protect = protection({ policy: 'bridge', all: false, methods: [], contracts: [listed] })
    const protects = (data: Hex) => protect(methodSpec('eth_call'), [{ to: multicall3, data }, 'latest'])
    expect([0, 1, 2].map((depth) => protects(nested(depth, listed)))).toEqual(['bridge', 'bridge', 'bridge'])
    expect([0, 1, 2].map((depth) => protects(nested(depth, other)))).toEqual([null, null, null])
    expect(protects(nested(3, other))).toBe('bridge')
  })

  test('at most 4,096 sub-calls are checked, at any nesting', () => {
    const many = (count: number) => aggregate3(...Array.from({ length: count }, () => listed))
    // Several offsets may point to one call, so a short text can hold many calls.
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const aliased = (count: number, data = '') => {
      const call = listed.slice(2).padStart(64, '0') + word(1) + word(96) + word(data.length / 2) + data
      return `0x82ad56cb${word(32)}${word(count)}${word(32 * count).repeat(count)}${call}`
    }
    expect(subCalls(aliased(4096), 4096)).toHaveLength(4096)
    expect(subCalls(aliased(4097), 4096)).toBeNull()
    // None of them may share so many bytes that all together are longer than the text.
    const data = 'ab'.repeat(200)
    expect(subCalls(aliased(2, data), 4096)).toHaveLength(2)
    expect(subCalls(aliased(3, data), 4096)).toBeNull()
    const inner = many(400)
    const nested = (lists: number) =>
      aggregate3(...Array.from({ length: lists }, () => ({ target: multicall3, callData: inner }) as const))
    expect(isAllowed(methodSpec('eth_call'), [{ to: multicall3, data: nested(10) }], contracts)).toBe(true)
    expect(isAllowed(methodSpec('eth_call'), [{ to: multicall3, data: nested(11) }], contracts)).toBe(false)
  })
})

describe('reading aggregate3', () => {
  const hex = (lengths: fc.IntArrayConstraints) => fc.uint8Array(lengths).map((bytes) => bytesToHex(bytes))
  const call = fc.record({
    target: hex({ minLength: 20, maxLength: 20 }),
    allowFailure: fc.boolean(),
    callData: hex({ maxLength: 100 }),
  })
  const calls = fc.array(call, { maxLength: 8 })
  const read = (list: readonly { target: Hex; callData: Hex }[]) =>
    list.map(({ target, callData }) => ({ target, data: callData }))

  test('decodes what viem encodes', () => {
    fc.assert(
      fc.property(calls, (list) => {
        expect(subCalls(encode(list), 100)).toEqual(read(list))
      }),
    )
  })

  test('truncated data is refused or decodes to the same calls', () => {
    fc.assert(
      fc.property(calls, fc.nat(), (list, cut) => {
        const data = encode(list)
        expect([null, read(list)]).toContainEqual(
          subCalls(data.slice(0, 2 + 2 * (cut % (data.length / 2))), 100),
        )
      }),
    )
  })

  test('offsets and lengths out of range are refused', () => {
    const data = encode([{ target: listed, allowFailure: true, callData: '0x1234' }])
    const words: string[] = data.slice(10).match(/.{64}/g) ?? []
    const wrong = ['f'.repeat(64), '1'.padEnd(64, '0'), 'ffffffff'.padStart(64, '0')]
    for (const place of [0, 1, 2, 5, 6])
      for (const word of wrong)
        expect(subCalls(`0x82ad56cb${words.with(place, word).join('')}`, 100)).toBeNull()
    const dirty = `1${(words[3] as string).slice(1)}`
    expect(subCalls(`0x82ad56cb${words.with(3, dirty).join('')}`, 100)).toBeNull()
  })
})
