import { readFileSync } from 'node:fs'
import type { Shape } from '#rpc-proxy'

export type Json = Readonly<Record<string, unknown>>

interface Recorded {
  readonly fullBlock: Json & { readonly transactions: readonly Json[] }
  readonly transactions: readonly Json[]
  readonly receipts: readonly Json[]
  readonly blockReceipts: readonly Json[]
  readonly logs: readonly Json[]
  readonly proof: Json
  readonly feeHistory: Json
  readonly feeHistoryPlain: Json
  readonly accessList: Json
  readonly simulate: readonly Json[]
  readonly storageValues: Json
  readonly contract: string
}

/** Two blocks of a local chain, with transactions of types 0, 1, 2 and 4. */
export const chain = JSON.parse(
  readFileSync(new URL('./canonical-chain.json', import.meta.url), 'utf8'),
) as Recorded

const word = (digits: string) => `0x${digits.padStart(64, '0')}`
export const hashOf = (value: Json) => value.hash as string

export const block: Json = { ...chain.fullBlock, transactions: chain.fullBlock.transactions.map(hashOf) }

/** A block with a state sync as bor 2 returns it, and its receipt (fields as in github.com/0xPolygon/bor/issues/1801). */
export const stateSync: Json = {
  blockHash: '0x439632bd507fb885bb6d48de2cd7fd2c1fee06a8cd59359b70c358dfe25d0207',
  blockNumber: '0x2fc15e0',
  contractAddress: null,
  cumulativeGasUsed: '0x0',
  effectiveGasPrice: '0x0',
  from: `0x${'0'.repeat(40)}`,
  gasUsed: '0x0',
  logs: [
    {
      address: '0x0000000000000000000000000000000000001010',
      topics: [
        '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4',
        word('1010'),
        word('1010'),
        '0x0000000000000000000000002ce910fbba65b454bbaf6a18c952a70f3bcd8299',
      ],
      data: word('3a12d95cbbedbaf0000'),
      blockNumber: '0x2fc15e0',
      transactionHash: '0x6629e2405a8f056e026d78ce91ee0f56a8eb9f02f0c83093e817cca32ffbecdb',
      transactionIndex: '0x5c',
      blockHash: '0x439632bd507fb885bb6d48de2cd7fd2c1fee06a8cd59359b70c358dfe25d0207',
      logIndex: '0x1b6',
      removed: false,
    },
  ],
  logsBloom: `0x${'0'.repeat(512)}`,
  status: '0x1',
  to: `0x${'0'.repeat(40)}`,
  transactionHash: '0x6629e2405a8f056e026d78ce91ee0f56a8eb9f02f0c83093e817cca32ffbecdb',
  transactionIndex: '0x5c',
  type: '0x0',
}

/** What a transaction without a signature has in common with others. */
const unsigned = { gas: '0x0', gasPrice: '0x0', input: '0x', nonce: '0x0', r: '0x0', s: '0x0', v: '0x0' }

/** The transaction of a state sync, as its nodes return it. */
export const delivered: Json = {
  ...unsigned,
  blockHash: stateSync.blockHash,
  blockNumber: stateSync.blockNumber,
  chainId: null,
  from: `0x${'0'.repeat(40)}`,
  hash: stateSync.transactionHash,
  to: `0x${'0'.repeat(40)}`,
  transactionIndex: '0x5c',
  type: '0x0',
  value: '0x0',
}

/** An Arbitrum deposit from Ethereum. It has no signature to derive its hash from. */
export const deposit: Json = {
  ...unsigned,
  blockHash: word('b1'),
  blockNumber: '0x10',
  chainId: '0xa4b1',
  from: `0x${'11'.repeat(20)}`,
  hash: word('d1'),
  requestId: word('5'),
  to: `0x${'22'.repeat(20)}`,
  transactionIndex: '0x1',
  type: '0x64',
  value: '0xde0b6b3a7640000',
}

/** A valid value of every shape. */
export const samples: readonly (readonly [Shape, unknown])[] = [
  ['quantity', '0x1f4'],
  ['data', '0x00ab'],
  ['call', word('42')],
  ['json', { b: [1, { d: null, c: 'x' }], a: true }],
  ['block', block],
  ['block', chain.fullBlock],
  ...chain.transactions.map((value) => ['transaction', value] as const),
  ['transaction', deposit],
  ...chain.receipts.map((value) => ['receipt', value] as const),
  ['receipt', stateSync],
  ['receipts', chain.blockReceipts],
  ['logs', chain.logs],
  ['proof', chain.proof],
  ['fee-history', chain.feeHistory],
  ['fee-history', chain.feeHistoryPlain],
  ['access-list', chain.accessList],
  [
    'access-list',
    {
      accessList: [
        { address: `0x${'22'.repeat(20)}`, storageKeys: [word('2'), word('1')] },
        { address: `0x${'11'.repeat(20)}`, storageKeys: [] },
      ],
      gasUsed: '0x5208',
      error: 'execution reverted: no',
    },
  ],
  ['storage', chain.storageValues],
  ['simulation', chain.simulate],
]
