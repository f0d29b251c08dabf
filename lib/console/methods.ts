/** How a param is typed into the console. */
export type ParamKind = 'address' | 'block' | 'hash' | 'quantity' | 'data' | 'id' | 'flag' | 'json'

export interface ParamHelp {
  readonly name: string
  readonly kind: ParamKind
  readonly optional?: true
  /** As typed: JSON for `json`, `true` or `false` for `flag`, otherwise the text itself. */
  readonly example: string
}

/** A method's description in the console. */
export interface MethodHelp {
  readonly about: string
  readonly params: readonly ParamHelp[]
}

const account: ParamHelp = {
  name: 'account',
  kind: 'address',
  example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const atBlock: ParamHelp = { name: 'block', kind: 'block', optional: true, example: 'latest' }
const byNumber: ParamHelp = { name: 'block', kind: 'block', example: 'latest' }
const zeroHash = `0x${'0'.repeat(64)}`
const byHash: ParamHelp = { name: 'block hash', kind: 'hash', example: zeroHash }
const transaction: ParamHelp = { name: 'transaction hash', kind: 'hash', example: zeroHash }
const whole: ParamHelp = { name: 'whole transactions', kind: 'flag', example: 'false' }
const index: ParamHelp = { name: 'index', kind: 'quantity', example: '0x0' }
const filter: ParamHelp = { name: 'filter id', kind: 'id', example: `0x${'0'.repeat(31)}1` }
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const call: ParamHelp = {
  name: 'transaction',
  kind: 'json',
  example: `{"from":"${account.example}","to":"${to}","value":"0x1"}`,
}
const overrides: readonly ParamHelp[] = [
  { name: 'state overrides', kind: 'json', optional: true, example: '' },
  { name: 'block overrides', kind: 'json', optional: true, example: '' },
]
const logs: ParamHelp = { name: 'filter', kind: 'json', example: '{"fromBlock":"latest","toBlock":"latest"}' }
const slot: ParamHelp = { name: 'slot', kind: 'quantity', example: '0x0' }

const none: readonly ParamHelp[] = []

/** Every method that the gateway answers, in the order of the menu. */
export const methodHelp: Readonly<Record<string, MethodHelp>> = {
  eth_getBalance: { about: 'The balance of an account, in wei.', params: [account, atBlock] },
  eth_blockNumber: { about: 'The number of the block that a quorum shows.', params: none },
  eth_call: {
    about: 'What a call would return, without sending it.',
    params: [call, atBlock, ...overrides],
  },
  eth_estimateGas: {
    about: 'The gas that a transaction needs: the lowest estimate with which a quorum says that it succeeds.',
    params: [call, atBlock, ...overrides],
  },
  eth_getBlockByNumber: { about: 'A block by its number or tag.', params: [byNumber, whole] },
  eth_getBlockByHash: { about: 'A block by its hash.', params: [byHash, whole] },
  eth_getTransactionByHash: {
    about: 'A transaction by its hash; null while no quorum has it.',
    params: [transaction],
  },
  eth_getTransactionReceipt: {
    about: 'What became of a transaction; null until it is in a block.',
    params: [transaction],
  },
  eth_getTransactionCount: {
    about: 'The number of transactions that an account has sent: its next nonce.',
    params: [account, atBlock],
  },
  eth_getLogs: { about: 'The events of a range of blocks.', params: [logs] },
  eth_getCode: { about: 'The code at an address; 0x where there is none.', params: [account, atBlock] },
  eth_getStorageAt: { about: 'One storage slot of a contract.', params: [account, slot, atBlock] },
  eth_getStorageValues: {
    about: 'Storage slots of several contracts.',
    params: [{ name: 'slots by account', kind: 'json', example: `{"${account.example}":["0x0"]}` }, atBlock],
  },
  eth_getProof: {
    about: 'An account and storage slots, with Merkle proofs.',
    params: [account, { name: 'slots', kind: 'json', example: '["0x0"]' }, atBlock],
  },
  eth_simulateV1: {
    about: 'What several calls would do, one after another.',
    params: [
      {
        name: 'simulation',
        kind: 'json',
        example: `{"blockStateCalls":[{"calls":[{"from":"${account.example}","to":"${to}","value":"0x1"}]}]}`,
      },
      atBlock,
    ],
  },
  eth_createAccessList: {
    about: 'The accounts and slots that a transaction touches.',
    params: [call, atBlock, { name: 'state overrides', kind: 'json', optional: true, example: '' }],
  },
  eth_gasPrice: { about: 'A gas price, in wei, derived from the agreed fee history.', params: none },
  eth_maxPriorityFeePerGas: {
    about: 'A priority fee, in wei, derived from the agreed fee history.',
    params: none,
  },
  eth_baseFee: { about: 'The base fee of the next block, in wei.', params: none },
  eth_blobBaseFee: {
    about: 'The blob base fee of the next block, in wei; null on a chain without blobs.',
    params: none,
  },
  eth_feeHistory: {
    about: 'Base fees, gas used and priority fees of the last blocks.',
    params: [
      { name: 'blocks', kind: 'quantity', example: '0x4' },
      { ...byNumber, name: 'newest block' },
      { name: 'percentiles', kind: 'json', optional: true, example: '[25, 75]' },
    ],
  },
  eth_sendRawTransaction: {
    about: 'Sends a signed transaction to every node that takes some. This moves real funds.',
    params: [{ name: 'signed transaction', kind: 'data', example: '' }],
  },
  eth_sendRawTransactionSync: {
    about: 'Sends a signed transaction and waits for its receipt. This moves real funds.',
    params: [
      { name: 'signed transaction', kind: 'data', example: '' },
      { name: 'milliseconds', kind: 'quantity', optional: true, example: '0x7d0' },
    ],
  },
  eth_getTransactionBySenderAndNonce: {
    about: 'The transaction that used a nonce of an account; null where none has.',
    params: [account, { name: 'nonce', kind: 'quantity', example: '0x0' }],
  },
  eth_capabilities: { about: 'How far back a quorum has state, logs, receipts and proofs.', params: [] },
  eth_getBlockReceipts: { about: 'All receipts of a block.', params: [byNumber] },
  eth_getBlockTransactionCountByNumber: {
    about: 'The number of transactions in a block.',
    params: [byNumber],
  },
  eth_getBlockTransactionCountByHash: { about: 'The number of transactions in a block.', params: [byHash] },
  eth_getTransactionByBlockNumberAndIndex: {
    about: 'A transaction by its place in a block.',
    params: [byNumber, index],
  },
  eth_getTransactionByBlockHashAndIndex: {
    about: 'A transaction by its place in a block.',
    params: [byHash, index],
  },
  eth_getUncleCountByBlockNumber: { about: 'The number of uncles of a block.', params: [byNumber] },
  eth_getUncleCountByBlockHash: { about: 'The number of uncles of a block.', params: [byHash] },
  eth_getUncleByBlockNumberAndIndex: {
    about: 'An uncle by its place in a block.',
    params: [byNumber, index],
  },
  eth_getUncleByBlockHashAndIndex: { about: 'An uncle by its place in a block.', params: [byHash, index] },
  eth_newFilter: { about: 'Begins to collect events; answers an id to poll with.', params: [logs] },
  eth_newBlockFilter: { about: 'Begins to collect block hashes; answers an id to poll with.', params: none },
  eth_newPendingTransactionFilter: {
    about: 'A filter of pending transactions. It stays empty: nodes do not agree on what is pending.',
    params: none,
  },
  eth_getFilterChanges: { about: 'What a filter has collected since it was last asked.', params: [filter] },
  eth_getFilterLogs: { about: 'All events that a filter matches.', params: [filter] },
  eth_uninstallFilter: { about: 'Ends a filter.', params: [filter] },
  eth_chainId: { about: 'The chain’s id. Answered by the gateway.', params: none },
  net_version: { about: 'The chain’s id as a decimal text. Answered by the gateway.', params: none },
  net_listening: { about: 'Always true. Answered by the gateway.', params: none },
  net_peerCount: { about: 'The number of nodes behind the gateway.', params: none },
  eth_accounts: { about: 'Always empty: the gateway holds no keys.', params: none },
  eth_syncing: { about: 'Always false. Answered by the gateway.', params: none },
  web3_clientVersion: { about: 'The name and version of the gateway.', params: none },
  web3_sha3: {
    about: 'The Keccak-256 hash of bytes. Answered by the gateway.',
    params: [{ name: 'data', kind: 'data', example: '0x68656c6c6f' }],
  },
}
