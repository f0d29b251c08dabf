import { describe, expect, test } from 'vitest'
import { cautious } from '../../../../rpc-proxy/methods/rows.ts'
import { methodLabel, methodSpec, methods, specFor } from '../../../../rpc-proxy/methods/table.ts'

const address = `0x${'ab'.repeat(20)}`

describe('an unknown method', () => {
  const strangers = [
    'eth_sign eth_signTransaction eth_signTypedData_v4 eth_sendTransaction',
    'eth_coinbase eth_mining eth_hashrate eth_getWork eth_submitWork eth_fillTransaction',
    'eth_getRawTransactionByHash eth_pendingTransactions eth_protocolVersion',
    'personal_sign personal_unlockAccount admin_peers admin_addPeer debug_traceTransaction debug_getRawBlock',
    'miner_start engine_newPayloadV3 engine_forkchoiceUpdatedV3 txpool_content txpool_status clique_propose',
    'anvil_setBalance anvil_impersonateAccount hardhat_reset hardhat_setCode evm_mine evm_snapshot evm_revert',
    'trace_block trace_replayTransaction erigon_getHeaderByNumber bor_getSnapshot arbtrace_call',
    'wallet_addEthereumChain wallet_switchEthereumChain rpc_modules rpc_discover les_addBalance parity_nextNonce',
    'ETH_CALL Eth_call eth_Call ETH_call eth_getbalance eth_call1 eth-call eth.call eth/call call balance getBalance',
    'constructor __proto__ prototype toString valueOf hasOwnProperty eth_ _ eth _call eth__call eth_call_ eth_callMany',
  ]
    .join(' ')
    .split(' ')
  const tricks = [
    '',
    ' eth_call',
    'eth_call ',
    'eth_call\n',
    'eth_call\0',
    '\ufeffeth_call',
    'eth_\u200bcall',
    'eth\u005f\u200dcall',
    'еth_call',
    'eth_cаll',
    'ｅth_call',
    'eth_call%00',
    'eth_call;eth_sign',
    'eth_call,eth_sign',
    '["eth_call"]',
    '../eth_call',
  ]

  test.each([...strangers, ...tricks])('is refused: %j', (method) => {
    expect(methodSpec(method)).toBe(cautious)
    expect(methodLabel(method)).toBe('_OTHER')
  })

  test('asks no node and keeps nothing', () => {
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
    expect(methods.filter((method) => methodSpec(method).nullable)).toEqual([
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

  test('has its own rule for the pending nonce, which is never cached', () => {
    const rule = methodSpec('eth_getTransactionCount')
    expect(specFor(rule, rule.parse([address, 'pending']))).toMatchObject({
      strategy: 'highest',
      cachePolicy: 'never',
      pin: 'none',
    })
    expect(specFor(rule, rule.parse([address]))).toBe(rule)
    expect(specFor(methodSpec('eth_getCode'), [address, 'pending'])).toBe(methodSpec('eth_getCode'))
  })
})
