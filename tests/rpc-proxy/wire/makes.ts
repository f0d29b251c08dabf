import type { Shape } from '../../../rpc-proxy/wire/shapes.ts'
import { block, chain, hashOf, type Json, stateSync } from './canonical-chain.ts'

/** A value in the forms of honest node implementations, the result for a caller, and lies that must not agree. */
export interface Row {
  readonly shape: Shape
  readonly codecs: readonly unknown[]
  readonly expected?: object
  readonly absent?: readonly string[]
  readonly lies: readonly unknown[]
  readonly chainId?: number
}

export const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const receipt = chain.receipts[1] as Json
const legacy = chain.transactions[1] as Json
const mined = chain.transactions[3] as Json
export const history = chain.feeHistoryPlain
export const without = (object: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const [made] = chain.simulate as [Json]
const simulated = (fields: object) => [
  { ...made, calls: [{ status: '0x0', returnData: '0x', gasUsed: '0x5209', logs: [], ...fields }] },
]
const reverting = (fields: object = {}) =>
  simulated({ error: { code: 3, message: 'execution reverted', data: '0x', ...fields } })
const outOfGas = { code: -32015, message: 'out of gas' }

export const delivered: Json = {
  blockHash: stateSync.blockHash,
  blockNumber: stateSync.blockNumber,
  chainId: null,
  from: `0x${'0'.repeat(40)}`,
  gas: '0x0',
  gasPrice: '0x0',
  hash: stateSync.transactionHash,
  input: '0x',
  nonce: '0x0',
  r: '0x0',
  s: '0x0',
  to: `0x${'0'.repeat(40)}`,
  transactionIndex: '0x5c',
  type: '0x0',
  v: '0x0',
  value: '0x0',
}

export const rows: Readonly<Record<string, Row>> = {
  'a simulated call out of gas, with either code': {
    shape: 'simulation',
    codecs: [
      simulated({ error: outOfGas }),
      simulated({ error: { ...outOfGas, code: -32000 } }),
      simulated({ error: { ...outOfGas, data: '0x' } }),
    ],
    expected: [{ calls: [{ status: '0x0', error: outOfGas }] }],
    lies: [reverting(), simulated({ error: outOfGas, gasUsed: '0x1' }), simulated({ status: '0x1' })],
  },
  'a simulated call that reverted without data, with either code': {
    shape: 'simulation',
    codecs: [
      reverting(),
      reverting({ data: undefined }),
      reverting({ data: null, code: -32000 }),
      reverting({ message: 'VM Exception while processing transaction: revert', code: -32000 }),
      reverting({ code: -32015 }),
    ],
    expected: [{ calls: [{ error: { code: 3, message: 'execution reverted', data: '0x' } }] }],
    lies: [reverting({ data: '0xab' }), simulated({ error: outOfGas }), reverting({ code: -38014 })],
  },
  'a simulated call that reverted with data, in either place': {
    shape: 'simulation',
    codecs: [
      simulated({ error: { code: 3, message: 'execution reverted: no', data: '0xab' } }),
      simulated({ returnData: '0xab', error: { code: 3, message: 'reverted' } }),
      simulated({ returnData: '0xAB', error: { code: -32000, message: '', data: '0xab' } }),
    ],
    expected: [
      { calls: [{ returnData: '0xab', error: { code: 3, message: 'execution reverted', data: '0xab' } }] },
    ],
    lies: [
      simulated({ returnData: '0xac', error: { code: 3, message: 'reverted' } }),
      simulated({ returnData: '0xac', error: { code: 3, message: 'reverted', data: '0xab' } }),
    ],
  },
  'a fee history of a chain without blobs': {
    shape: 'fee-history',
    chainId: 137,
    codecs: [
      without(history, 'baseFeePerBlobGas', 'blobGasUsedRatio'),
      { ...history, baseFeePerBlobGas: ['0x1', '0x1', '0x1'], blobGasUsedRatio: [0, 0] },
      { ...history, baseFeePerBlobGas: ['0x0', '0x0', '0x0'], blobGasUsedRatio: [0, 0] },
      { ...history, baseFeePerBlobGas: null, blobGasUsedRatio: null },
      { ...history, baseFeePerBlobGas: [], blobGasUsedRatio: [] },
    ],
    expected: { baseFeePerGas: history.baseFeePerGas },
    absent: ['baseFeePerBlobGas', 'blobGasUsedRatio', 'reward'],
    lies: [
      { ...history, baseFeePerBlobGas: ['0x2', '0x1', '0x1'] },
      { ...history, baseFeePerBlobGas: ['0x1', '0x1', '0x1'], blobGasUsedRatio: [0.5, 0] },
    ],
  },
  'a fee history without percentiles': {
    shape: 'fee-history',
    codecs: [undefined, null, [], [[], []]].map((reward) => ({ ...history, reward })),
    absent: ['reward'],
    lies: [{ ...history, reward: [['0x1'], ['0x1']] }],
  },
  'a fee history whose gas ratios an old node rounds to ten digits': {
    shape: 'fee-history',
    codecs: [
      { ...history, gasUsedRatio: [0.123456789012345, 0] },
      { ...history, gasUsedRatio: [0.123456789, 0.0] },
    ],
    expected: { gasUsedRatio: [0.123457, 0] },
    lies: [{ ...history, gasUsedRatio: [0.123466789, 0] }],
  },
  'a log with a timestamp, or an index of its own, or none': {
    shape: 'logs',
    codecs: [
      chain.logs.map((log) => without(log, 'blockTimestamp')),
      chain.logs,
      chain.logs.map((log) => ({ ...log, transactionLogIndex: '0x0' })),
    ],
    lies: [chain.logs.map((log) => ({ ...log, logIndex: '0x0' })), chain.logs.slice(1)],
  },
  'a receipt with a superfluous blob price or revert reason': {
    shape: 'receipt',
    codecs: [
      without(receipt, 'blobGasPrice', 'contractAddress'),
      { ...receipt, revertReason: '0x', root: null },
      receipt,
    ],
    absent: ['revertReason', 'root'],
    lies: [
      { ...receipt, contractAddress: receipt.to },
      { ...receipt, to: null },
    ],
  },
  'a receipt of an old node, without type and bloom and with an empty root': {
    shape: 'receipt',
    codecs: [
      receipt,
      without(receipt, 'type', 'logsBloom'),
      { ...receipt, root: '0x' },
      { ...receipt, root: '0x1a' },
    ],
    expected: { type: '0x0', logsBloom: receipt.logsBloom, status: '0x1' },
    absent: ['root'],
    lies: [
      { ...receipt, type: '0x2' },
      { ...receipt, logsBloom: `0x${'00'.repeat(256)}` },
      { ...receipt, root: word('1a') },
      { ...without(receipt, 'logsBloom'), logs: [] },
    ],
  },
  "a receipt of nitro's": {
    shape: 'receipt',
    chainId: 42161,
    codecs: [
      receipt,
      { ...receipt, gasUsedForL1: '0x1', l1BlockNumber: '0x2', timeboosted: false, multiGasUsed: {} },
    ],
    absent: ['multiGasUsed', 'gasUsedForL1'],
    lies: [{ ...receipt, gasUsed: '0x1' }],
  },
  'a state sync transaction, of either type': {
    shape: 'transaction',
    chainId: 137,
    codecs: [
      delivered,
      { ...delivered, type: '0x7f', chainId: '0x89' },
      { ...delivered, type: '0x7f', v: null, r: null, s: null, yParity: null, gasPrice: undefined },
      without({ ...delivered, type: '0x7f' }, 'input', 'gas', 'value', 'nonce', 'v', 'r', 's'),
    ],
    expected: { hash: delivered.hash, from: delivered.from, input: '0x' },
    lies: ['hash', 'blockHash', 'transactionIndex', 'from', 'to', 'value', 'nonce', 'gas', 'input'].map(
      (name) => ({
        ...delivered,
        type: '0x7f',
        [name]: name.endsWith('ash')
          ? word('1')
          : name.length < 5 && name !== 'gas'
            ? `0x${'11'.repeat(20)}`
            : '0x11',
      }),
    ),
  },
  'a transaction whose input an old nethermind calls data': {
    shape: 'transaction',
    codecs: [legacy, { ...without(legacy, 'input'), data: legacy.input }, { ...legacy, data: legacy.input }],
    expected: { input: legacy.input },
    lies: [{ ...without(legacy, 'input'), data: '0x' }, without(legacy, 'input')],
  },
  'a transaction with or without derived fields': {
    shape: 'transaction',
    codecs: [
      mined,
      without(mined, 'yParity', 'gasPrice', 'blockTimestamp'),
      { ...mined, v: '0x00', yParity: null, accessList: null, blobVersionedHashes: null },
      without(mined, 'v', 'accessList'),
    ],
    expected: { v: mined.v, yParity: mined.v, accessList: [] },
    absent: ['blobVersionedHashes'],
    lies: [
      { ...mined, v: '0x1', yParity: '0x1' },
      { ...mined, maxFeePerGas: '0x1' },
    ],
  },
  'a block whose uncles and nonce an old nethermind leaves out': {
    shape: 'block',
    codecs: [
      block,
      { ...without(block, 'uncles'), nonce: '0x0' },
      { ...block, author: block.miner, totalDifficulty: '0x1', size: '0x1' },
    ],
    expected: { nonce: '0x0000000000000000', uncles: [] },
    absent: ['author'],
    lies: [
      { ...block, nonce: '0x1' },
      { ...block, nonce: '0x' },
      { ...block, uncles: [hashOf(legacy)] },
      { ...block, uncles: {} },
    ],
  },
  "a block of Polygon's without withdrawals or requests": {
    shape: 'block',
    chainId: 137,
    codecs: [[], null, undefined].flatMap((withdrawals) =>
      [[], null, undefined].map((requestsHash) => ({ ...block, withdrawals, requestsHash })),
    ),
    expected: { withdrawals: [] },
    absent: ['requestsHash'],
    lies: [
      {
        ...block,
        requestsHash: null,
        withdrawals: [{ index: '0x0', validatorIndex: '0x0', address: receipt.to, amount: '0x1' }],
      },
      block,
    ],
  },
  "a block of nitro's": {
    shape: 'block',
    chainId: 42161,
    codecs: [block, { ...block, l1BlockNumber: '0x15', sendRoot: word('1'), sendCount: '0x1' }],
    absent: ['l1BlockNumber', 'sendRoot', 'sendCount'],
    lies: [
      { ...block, extraData: '0x01' },
      { ...block, mixHash: word('1') },
    ],
  },
  'a block with full transactions, with keys in any order': {
    shape: 'block',
    codecs: [
      chain.fullBlock,
      {
        ...chain.fullBlock,
        transactions: chain.fullBlock.transactions.map((each) =>
          Object.fromEntries(Object.entries(without(each, 'blockTimestamp')).sort()),
        ),
      },
    ],
    expected: { transactions: chain.fullBlock.transactions.map(hashOf).map((hash) => ({ hash })) },
    lies: [
      { ...chain.fullBlock, transactions: chain.fullBlock.transactions.toReversed() },
      { ...chain.fullBlock, transactions: chain.fullBlock.transactions.map(hashOf) },
    ],
  },
  'an uncle, with or without an empty body': {
    shape: 'uncle',
    codecs: [
      without(block, 'transactions', 'uncles', 'withdrawals'),
      { ...block, transactions: [], withdrawals: null },
      { ...block, transactions: null },
    ],
    absent: ['transactions', 'withdrawals'],
    lies: [{ ...block, miner: receipt.to }],
  },
  'an account that does not exist': {
    shape: 'proof',
    codecs: [`0x${'0'.repeat(64)}`, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'].map(
      (codeHash) => ({ ...chain.proof, balance: '0x0', nonce: '0x0', codeHash }),
    ),
    expected: { codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' },
    lies: [{ ...chain.proof, balance: '0x1', nonce: '0x0', codeHash: `0x${'0'.repeat(64)}` }],
  },
  'a proof with keys as quantities and padded values': {
    shape: 'proof',
    codecs: [
      chain.proof,
      {
        ...chain.proof,
        storageProof: (chain.proof.storageProof as Json[]).map((slot, index) => ({
          ...slot,
          key: `0x${index}`,
          value: word('0'),
        })),
      },
    ],
    lies: [{ ...chain.proof, storageProof: [] }],
  },
}
