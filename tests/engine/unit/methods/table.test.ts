import { describe, expect, test } from 'vitest'
import { cautious } from '../../../../rpc-proxy/methods/method-spec.ts'
import { methodLabel, methodSpec, methods } from '../../../../rpc-proxy/methods/table.ts'

describe('an unknown method', () => {
  test('asks no node, keeps nothing and is counted under one name', () => {
    for (const method of ['eth_sign', 'ETH_CALL', ' eth_call', 'eth_call\0', '__proto__', '']) {
      expect(methodSpec(method)).toBe(cautious)
      expect(methodLabel(method)).toBe('_OTHER')
    }
    expect(cautious).toMatchObject({ strategy: 'refused', cachePolicy: 'never', pin: 'none', ejects: false })
  })

  test('includes every namespace that runs, signs or administers', () => {
    const others = methods.filter((method) => !/^(eth|net|web3)_/.test(method))
    expect(others).toEqual([])
    expect(methods.filter((method) => /sign|sendTransaction/i.test(method))).toEqual([])
  })
})

describe('the table', () => {
  test('has one row for each of its methods, under its own name', () => {
    expect(new Set(methods).size).toBe(methods.length)
    expect(methods.length).toBe(50)
    for (const method of methods) {
      expect(methodSpec(method).method).toBe(method)
      expect(methodLabel(method)).toBe(method)
      expect(methodSpec(method).strategy).not.toBe('refused')
    }
  })

  test('lets null mean "I do not have it" for objects of the chain and nothing else', () => {
    expect(methods.filter((method) => methodSpec(method).strategy === 'lookup')).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockByHash',
      'eth_getBlockTransactionCountByNumber',
      'eth_getBlockTransactionCountByHash',
      'eth_getBlockReceipts',
      'eth_getTransactionByBlockNumberAndIndex',
      'eth_getTransactionByBlockHashAndIndex',
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
      'eth_getUncleCountByBlockNumber',
      'eth_getUncleCountByBlockHash',
      'eth_getUncleByBlockNumberAndIndex',
      'eth_getUncleByBlockHashAndIndex',
    ])
  })

  test('ejects a node only for headers and balances', () => {
    expect(methods.filter((method) => methodSpec(method).ejects)).toEqual([
      'eth_getBalance',
      'eth_getBlockByNumber',
      'eth_getBlockByHash',
    ])
  })

  test('caches no write, no filter and no local answer', () => {
    for (const rule of methods.map(methodSpec))
      if (['broadcast', 'filter', 'local', 'head', 'search', 'subscription'].includes(rule.strategy))
        expect(rule.cachePolicy).toBe('never')
  })
})
