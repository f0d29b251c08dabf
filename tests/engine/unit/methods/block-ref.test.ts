import { describe, expect, test } from 'vitest'
import { type BlockRef, blockRefsOf, rangeOf, withBlock } from '../../../../rpc-proxy/methods/block-ref.ts'
import { methodSpec, methods, specFor } from '../../../../rpc-proxy/methods/table.ts'

const address = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`

function refs(method: string, ...params: unknown[]) {
  const rule = methodSpec(method)
  const canonical = rule.parse(params)
  return blockRefsOf(specFor(rule, canonical), canonical)
}

const heads: Readonly<Record<string, number>> = { latest: 1000, safe: 968, finalized: 936 }
const agreed = (ref: BlockRef) => ('tag' in ref ? heads[ref.tag] : undefined)

function pinned(method: string, ...params: unknown[]) {
  const rule = methodSpec(method)
  return withBlock(rule, rule.parse(params), agreed)
}

describe('the blocks that a call names', () => {
  test.each<[string, unknown[], BlockRef[]]>([
    ['eth_getBalance', [address], [{ tag: 'latest' }]],
    ['eth_getBalance', [address, '0x10'], [{ number: 16 }]],
    ['eth_getBalance', [address, 'pending'], [{ tag: 'latest' }]],
    ['eth_getBalance', [address, 'earliest'], [{ tag: 'earliest' }]],
    ['eth_getBalance', [address, { blockHash: hash, requireCanonical: true }], [{ hash }]],
    ['eth_getTransactionCount', [address, 'pending'], []],
    ['eth_getTransactionCount', [address], [{ tag: 'latest' }]],
    ['eth_getStorageAt', [address, '0x1', 'safe'], [{ tag: 'safe' }]],
    ['eth_getBlockByNumber', ['finalized'], [{ tag: 'finalized' }]],
    ['eth_getBlockByHash', [hash], [{ hash }]],
    ['eth_getBlockReceipts', [hash], [{ hash }]],
    ['eth_getTransactionByHash', [hash], []],
    ['eth_getLogs', [{}], [{ tag: 'latest' }, { tag: 'latest' }]],
    ['eth_getLogs', [{ fromBlock: '0x1' }], [{ number: 1 }, { tag: 'latest' }]],
    ['eth_getLogs', [{ blockHash: hash }], [{ hash }]],
    ['eth_gasPrice', [], []],
    ['eth_newFilter', [{}], []],
  ])('%s %j', (method, params, expected) => {
    expect(refs(method, ...params)).toEqual(expected)
  })

  test('are none for calls by transaction, local answers and calls without a block', () => {
    const unpinned = methods.filter((method) => methodSpec(method).pin === 'none')
    expect(unpinned.filter((method) => ['equality', 'lookup'].includes(methodSpec(method).strategy))).toEqual(
      ['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
    )
    expect(unpinned.filter((method) => method.startsWith('eth_get'))).toHaveLength(5)
  })
})

describe('pinning', () => {
  test('replaces a tag with the agreed number and changes nothing else', () => {
    expect(pinned('eth_getBalance', address)).toEqual([address, '0x3e8'])
    expect(pinned('eth_getBalance', address, 'safe')).toEqual([address, '0x3c8'])
    expect(pinned('eth_getBalance', address, '0x7')).toEqual([address, '0x7'])
    expect(pinned('eth_getBalance', address, 'earliest')).toEqual([address, 'earliest'])
    expect(pinned('eth_getBalance', address, { blockHash: hash })).toEqual([address, { blockHash: hash }])
    expect(pinned('eth_getBlockByHash', hash, true)).toEqual([hash, true])
    expect(pinned('eth_getTransactionByHash', hash)).toEqual([hash])
  })

  test('pins both ends of a range, and no hash', () => {
    expect(pinned('eth_getLogs', { fromBlock: 'finalized', address })).toEqual([
      { fromBlock: '0x3a8', toBlock: '0x3e8', address },
    ])
    expect(pinned('eth_getLogs', { blockHash: hash })).toEqual([{ blockHash: hash }])
  })

  test('leaves numbers above the safe integers as written', () => {
    expect(pinned('eth_getBalance', address, '0x7fffffffffffffff')).toEqual([address, '0x7fffffffffffffff'])
  })
})

describe('a range of logs', () => {
  const rule = methodSpec('eth_getLogs')
  const range = (filter: unknown, max: number) => rangeOf(rule, rule.parse([filter]), max)
  test('is given once both ends are numbers', () => {
    expect(range({ fromBlock: '0x1', toBlock: '0x2' }, 10)).toEqual({ from: 1, to: 2 })
    expect(range({ fromBlock: '0x1' }, 10)).toBeNull()
    expect(range({ blockHash: hash }, 10)).toBeNull()
  })

  test('is refused above the maximum length, not at it', () => {
    expect(range({ fromBlock: '0x1', toBlock: '0xa' }, 10)).toEqual({ from: 1, to: 10 })
    expect(() => range({ fromBlock: '0x1', toBlock: '0xb' }, 10)).toThrow('at most 10 blocks')
    expect(() => range({ fromBlock: '0x2', toBlock: '0x1' }, 10)).toThrow('invalid block range')
  })
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

  test('while calls without a chain id stay unchanged', () => {
    expect(methodSpec('eth_getBalance').fit).toBeUndefined()
  })
})
