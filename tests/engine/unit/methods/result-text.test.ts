import { describe, expect, test } from 'vitest'
import { resultText } from '../../../../rpc-proxy/methods/method-spec.ts'
import { methodSpec, methods } from '../../../../rpc-proxy/methods/table.ts'
import { block, chain, type Json } from '../../../support/canonical-chain.ts'

const text = (method: string, params: readonly unknown[], value: unknown) => {
  const rule = methodSpec(method)
  return resultText(rule, rule.parse(params), value)
}
const fits = (method: string, params: readonly unknown[], value: unknown) =>
  text(method, params, value) !== null

const number = block.number as string
const hash = block.hash as string
const other = `0x${'99'.repeat(32)}`
const [mined] = chain.fullBlock.transactions as [Json]
const receipt = chain.receipts[1] as Json
const [log] = receipt.logs as [Json]
const topic = (log.topics as string[])[0] as string
const range = { fromBlock: '0x0', toBlock: number }

test.each<[string, readonly unknown[], unknown]>([
  ['eth_getBalance', [log.address], '0x1'],
  ['eth_getCode', [log.address], '0x'],
  ['eth_getBlockByNumber', [number], block],
  ['eth_getBlockByNumber', ['earliest'], block],
  ['eth_getBlockByNumber', [number, true], chain.fullBlock],
  ['eth_getBlockByHash', [hash], block],
  ['eth_getBlockByHash', [hash, true], { ...chain.fullBlock, transactions: [] }],
  ['eth_getUncleByBlockHashAndIndex', [hash, '0x0'], { ...block, transactions: undefined }],
  ['eth_getBlockReceipts', [number], chain.blockReceipts],
  ['eth_getBlockReceipts', [hash], chain.blockReceipts],
  ['eth_getBlockReceipts', [number], []],
  ['eth_getTransactionByHash', [mined.hash], mined],
  ['eth_getTransactionByBlockNumberAndIndex', [number, '0x0'], mined],
  ['eth_getTransactionByBlockHashAndIndex', [hash, '0x0'], mined],
  ['eth_getTransactionReceipt', [receipt.transactionHash], receipt],
  ['eth_getLogs', [range], chain.logs],
  ['eth_getLogs', [{ ...range, address: [log.address, other.slice(0, 42)] }], [log]],
  ['eth_getLogs', [{ ...range, topics: [[other, topic]] }], [log]],
  ['eth_getLogs', [{ ...range, topics: [null] }], [log]],
  ['eth_getLogs', [{ blockHash: hash }], [log]],
  ['eth_getLogs', [{}], [log]],
  ['eth_getProof', [chain.contract, ['0x0', '0x1']], chain.proof],
  ['eth_getStorageValues', [{ [chain.contract]: ['0x0'] }], chain.storageValues],
  ['eth_feeHistory', ['0x2', number, [10, 50]], chain.feeHistory],
  ['eth_feeHistory', ['0x9', number], chain.feeHistoryPlain],
  ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{}] }] }], chain.simulate],
  ['eth_createAccessList', [{}], chain.accessList],
])('an answer must be about what was asked: %s %j', (method, params, value) => {
  expect(fits(method, params, value)).toBe(true)
})

describe('an answer about something else is a fault', () => {
  const halved = { ...chain.feeHistory, baseFeePerGas: ['0x1'] }
  test.each<[string, readonly unknown[], unknown]>([
    ['eth_getBalance', [log.address], 'rate limited'],
    ['eth_getBalance', [log.address], null],
    ['eth_getLogs', [range], null],
    ['eth_getBlockByNumber', ['0x3'], block],
    ['eth_getBlockByNumber', [number, true], block],
    ['eth_getBlockByNumber', [number, false], chain.fullBlock],
    ['eth_getBlockByNumber', [number], { ...block, transactions: undefined }],
    ['eth_getBlockByHash', [other], block],
    ['eth_getBlockReceipts', ['0x3'], chain.blockReceipts],
    ['eth_getBlockReceipts', [other], chain.blockReceipts],
    ['eth_getBlockReceipts', [number], [...chain.blockReceipts, chain.receipts[0]]],
    ['eth_getTransactionByHash', [other], mined],
    ['eth_getTransactionByHash', [mined.hash], { ...mined, value: '0x5' }],
    ['eth_getTransactionByBlockNumberAndIndex', [number, '0x1'], mined],
    ['eth_getTransactionByBlockNumberAndIndex', ['0x3', '0x0'], mined],
    ['eth_getTransactionByBlockHashAndIndex', [other, '0x0'], mined],
    ['eth_getTransactionReceipt', [other], receipt],
    [
      'eth_getTransactionReceipt',
      [receipt.transactionHash],
      { ...receipt, logs: [{ ...log, transactionHash: other }] },
    ],
    [
      'eth_getTransactionReceipt',
      [receipt.transactionHash],
      { ...receipt, logs: [{ ...log, blockHash: other }] },
    ],
    ['eth_getLogs', [{ fromBlock: '0x3', toBlock: '0x9' }], [log]],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1' }], [log]],
    ['eth_getLogs', [{ ...range, address: other.slice(0, 42) }], [log]],
    ['eth_getLogs', [{ ...range, topics: [other] }], [log]],
    ['eth_getLogs', [{ ...range, topics: [topic, null] }], [log]],
    ['eth_getLogs', [{ blockHash: other }], [log]],
    ['eth_getLogs', [range], [{ ...log, removed: true }]],
    ['eth_getProof', [other.slice(0, 42), ['0x0', '0x1']], chain.proof],
    ['eth_getProof', [chain.contract, ['0x0']], chain.proof],
    ['eth_getProof', [chain.contract, ['0x0', '0x2']], chain.proof],
    ['eth_getStorageValues', [{ [chain.contract]: ['0x0', '0x1'] }], chain.storageValues],
    ['eth_getStorageValues', [{ [other.slice(0, 42)]: ['0x0'] }], chain.storageValues],
    ['eth_feeHistory', ['0x1', number, [10, 50]], chain.feeHistory],
    ['eth_feeHistory', ['0x2', '0x9', [10, 50]], chain.feeHistory],
    ['eth_feeHistory', ['0x2', number, [10]], chain.feeHistory],
    ['eth_feeHistory', ['0x2', number, []], chain.feeHistory],
    ['eth_feeHistory', ['0x2', number, [10, 50]], halved],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{}, {}] }] }], chain.simulate],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [{}] }, {}] }], chain.simulate],
  ])('%s %j', (method, params, value) => {
    expect(fits(method, params, value)).toBe(false)
  })
})

test('null is an answer only where it means "I do not have it"', () => {
  for (const method of methods) {
    const rule = methodSpec(method)
    expect(resultText(rule, [], null)).toBe(rule.strategy === 'lookup' ? 'null' : null)
  }
})
