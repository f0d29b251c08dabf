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

describe('which contracts a call may run', () => {
  test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])('%s: the listed contracts', (method) => {
    expect(allows(method, { to: listed, data: '0x70a08231' })).toBe(true)
    expect(allows(method, { to: listed.toUpperCase().replace('0X', '0x') })).toBe(true)
    expect(allows(method, { to: other, data: '0x70a08231' })).toBe(false)
  })

  test('creation code may run anything, so it is refused', () => {
    expect(allows('eth_call', { data: '0x6001' })).toBe(false)
    expect(allows('eth_estimateGas', { to: null, data: '0x6001' })).toBe(false)
  })

  test('overrides of code or storage are refused, overrides of a balance are not', () => {
    const call = { to: listed }
    const overridden = (account: unknown) => allows('eth_call', call, 'latest', { [listed]: account })
    expect(overridden({ balance: '0x1', nonce: '0x1' })).toBe(true)
    expect(overridden({ code: '0x6001' })).toBe(false)
    expect(overridden({ movePrecompileToAddress: other })).toBe(false)
    const slot = `0x${'00'.repeat(32)}`
    expect(overridden({ state: { [slot]: slot } })).toBe(false)
    expect(overridden({ stateDiff: { [slot]: slot } })).toBe(false)
  })

  test('eth_simulateV1: every call of every block', () => {
    const simulate = (...blocks: unknown[]) => allows('eth_simulateV1', { blockStateCalls: blocks }, 'latest')
    expect(simulate({ calls: [{ to: listed }, { to: listed }] }, {})).toBe(true)
    expect(simulate({ calls: [{ to: listed }] }, { calls: [{ to: listed }, { to: other }] })).toBe(false)
    expect(simulate({ stateOverrides: { [other]: { code: '0x6001' } }, calls: [{ to: listed }] })).toBe(false)
    expect(simulate({ calls: [{ data: '0x6001' }] })).toBe(false)
  })

  test('methods that run no code are unaffected', () => {
    expect(allows('eth_getBalance', other, 'latest')).toBe(true)
    expect(isAllowed(methodSpec('toString'), [], contracts)).toBe(true)
  })
})

describe('inside Multicall3', () => {
  test('every target must be listed', () => {
    expect(toMulticall(aggregate3(listed, listed))).toBe(true)
    expect(toMulticall(aggregate3(listed, other))).toBe(false)
    expect(toMulticall(aggregate3())).toBe(true)
  })

  test('its own getters may be called, alone and inside', () => {
    const getter = encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [other] })
    expect(toMulticall(getter)).toBe(true)
    expect(toMulticall(aggregate3(listed, { target: multicall3, callData: getter }))).toBe(true)
  })

  test('nested multicalls are checked, three levels deep', () => {
    expect(toMulticall(nested(2, listed))).toBe(true)
    expect(toMulticall(nested(2, other))).toBe(false)
    expect(toMulticall(nested(3, listed))).toBe(false)
  })

  test('a protected contract is protected inside nested multicalls, and so is what is nested too deep', () => {
    const protect = protection({ policy: 'bridge', all: false, methods: [], contracts: [listed] })
    const protects = (data: Hex) => protect(methodSpec('eth_call'), [{ to: multicall3, data }, 'latest'])
    expect([0, 1, 2].map((depth) => protects(nested(depth, listed)))).toEqual(['bridge', 'bridge', 'bridge'])
    expect([0, 1, 2].map((depth) => protects(nested(depth, other)))).toEqual([null, null, null])
    expect(protects(nested(3, other))).toBe('bridge')
  })

  test('its other functions are refused, with the list as with Multicall3 itself on it', () => {
    const aggregate = encodeFunctionData({
      abi: parseAbi(['function aggregate((address target, bytes callData)[] calls)']),
      args: [[{ target: listed, callData: '0x' }]],
    })
    expect(toMulticall(aggregate)).toBe(false)
    const params = methodSpec('eth_call').parse([{ to: multicall3, data: aggregate }])
    expect(isAllowed(methodSpec('eth_call'), params, new Set([multicall3, listed]))).toBe(false)
    expect(toMulticall('0x')).toBe(false)
    expect(toMulticall('0x82ad56cb')).toBe(false)
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
