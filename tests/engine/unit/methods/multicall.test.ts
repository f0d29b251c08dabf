import fc from 'fast-check'
import {
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { joinAggregate3, splitAggregate3 } from '../../../../rpc-proxy/methods/multicall.ts'

const target = `0x${'11'.repeat(20)}` as const
const aggregate3 = { abi: multicall3Abi, functionName: 'aggregate3' } as const
const callOf = (count: number) => {
  const call = { target, allowFailure: true, callData: '0x70a08231' } as const
  return encodeFunctionData({ ...aggregate3, args: [Array.from({ length: count }, () => call)] })
}
const rawOf = (result: { success: boolean; returnData: Hex }[]) =>
  JSON.stringify(encodeFunctionResult({ ...aggregate3, result }))
const good = (returnData: Hex) => ({ success: true, returnData })

describe('a multicall', () => {
  test('for any content', () => {
    const returnData = fc.uint8Array({ maxLength: 100 }).map((bytes) => bytesToHex(bytes))
    const results = fc.array(fc.record({ success: fc.boolean(), returnData }), { maxLength: 12 })
    fc.assert(
      fc.property(results, (list) => {
        const parts = splitAggregate3(callOf(list.length), rawOf(list))
        expect(parts).toHaveLength(list.length)
        expect(joinAggregate3(parts ?? [])).toBe(rawOf(list))
      }),
    )
  })

  test('holds 1,024 calls and no more', () => {
    const results = (count: number) => rawOf(Array.from({ length: count }, () => good('0x01')))
    expect(splitAggregate3(callOf(1024), results(1024))).toHaveLength(1024)
    expect(splitAggregate3(callOf(1025), results(1025))).toBeNull()
  })
})

describe('anything else is compared as a whole', () => {
  const raw = rawOf([good('0x01'), good('0x02')])
  const call = callOf(2)
  const word = (number: number) => number.toString(16).padStart(64, '0')
  test.each<[string, string, string]>([
    ['another function', call.replace('82ad56cb', '82ad56cc'), raw],
    ['another count', callOf(3), raw],
    ['no call data', '0x', raw],
    ['call data cut short', '0x82ad56cb', raw],
    ['bytes after it', call, `${raw.slice(0, -1)}${word(0)}"`],
    ['cut short', call, `${raw.slice(0, -65)}"`],
    ['not in words', call, `${raw.slice(0, -1)}00"`],
    ['a revert reason', call, JSON.stringify(`0x08c379a0${word(32)}`)],
    ['nothing', call, '"0x"'],
    ['null', call, 'null'],
    ['no text', call, '{}'],
    ['an offset out of range', call, raw.replace(word(64), word(2 ** 40))],
    [
      'overlapping results',
      call,
      JSON.stringify(`0x${word(32)}${word(2)}${word(64)}${word(64)}${word(1)}${word(64)}${word(0)}`),
    ],
  ])('%s', (_, callData, result) => {
    expect(splitAggregate3(callData, result)).toBeNull()
  })

  test('even with hostile results', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^(?:[0-9a-f]{64}){0,12}$/),
        fc.string(),
        fc.array(fc.nat({ max: 200 })),
        (words, text, numbers) => {
          const made = `"0x${word(32)}${word(numbers.length)}${numbers.map(word).join('')}${words}"`
          for (const result of [text, `"0x${words}"`, made]) {
            const parts = splitAggregate3(callOf(numbers.length), result)
            if (parts !== null) expect(joinAggregate3(parts)).toBe(result)
          }
        },
      ),
    )
  })

  test('and so is a non-standard encoding of another contract', () => {
    const tuple = encodeAbiParameters([{ type: 'uint256' }], [1n])
    expect(splitAggregate3(callOf(1), JSON.stringify(tuple))).toBeNull()
  })
})
