import { describe, expect, test } from 'vitest'
import { type BlockRef, withBlock } from '../../../../rpc-proxy/methods/block-ref.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'

const address = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`

const agreed = (ref: BlockRef) => ('tag' in ref ? 1000 : undefined)

function pinned(method: string, ...params: unknown[]) {
  const rule = methodSpec(method)
  return withBlock(rule, rule.parse(params), agreed)
}

test('pinning leaves a filter by a hash, and numbers above the safe integers, as written', () => {
  expect(pinned('eth_getLogs', { blockHash: hash })).toEqual([{ blockHash: hash }])
  expect(pinned('eth_getBalance', address, '0x7fffffffffffffff')).toEqual([address, '0x7fffffffffffffff'])
})

describe('a call object is fitted to its chain', () => {
  const limits = { chainId: 137, gasLimit: null }
  const fitted = (method: string, call: unknown) => {
    const rule = methodSpec(method)
    return rule.fit?.(rule.parse([call]), limits)[0]
  }
  test('with the same gas at every node', () => {
    expect(fitted('eth_call', { to: address })).toEqual({ to: address, gas: '0x1000000' })
    expect(fitted('eth_call', { to: address, gas: '0x5208' })).toEqual({ to: address, gas: '0x5208' })
    expect(fitted('eth_call', { to: address, gas: '0xffffffffff' })).toEqual({
      to: address,
      gas: '0x1c9c380',
    })
    expect(fitted('eth_estimateGas', { to: address })).toEqual({ to: address })
    expect(
      fitted('eth_simulateV1', { blockStateCalls: [{ calls: [{ gas: '0xffffffffff' }] }] }),
    ).toMatchObject({
      blockStateCalls: [{ calls: [{ gas: '0x1c9c380' }] }],
    })
  })

  test('and refused when it names another chain', () => {
    expect(fitted('eth_call', { chainId: '0x89', gas: '0x1' })).toEqual({ chainId: '0x89', gas: '0x1' })
    expect(() => fitted('eth_call', { chainId: '0x1' })).toThrow('chainId does not match')
  })
})
