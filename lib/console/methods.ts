/** How a param is typed into the console. */
export type ParamKind = 'address' | 'block' | 'hash' | 'quantity' | 'data' | 'id' | 'flag' | 'json'

export interface ParamHelp {
  readonly name: string
  readonly kind: ParamKind
  readonly optional?: true
  /** As typed: JSON for `json`, `true` or `false` for `flag`, otherwise the text itself. */
  readonly example: string
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

/** Every method that the gateway answers, in the order of the menu: what it is about, and its params. */
export const methodHelp: Readonly<Record<string, readonly [about: string, ...params: ParamHelp[]]>> = {
  eth_getBalance: ['The balance of an account, in wei.', account, atBlock],
  eth_blockNumber: ['The number of the block that a quorum shows.'],
  eth_call: ['What a call would return, without sending it.', call, atBlock, ...overrides],
  eth_estimateGas: [
    'The gas that a transaction needs: the lowest estimate with which a quorum says that it succeeds.',
    call,
    atBlock,
    ...overrides,
  ],
  eth_getBlockByNumber: ['A block by its number or tag.', byNumber, whole],
  eth_getBlockByHash: ['A block by its hash.', byHash, whole],
  eth_getTransactionByHash: ['A transaction by its hash; null while no quorum has it.', transaction],
  eth_getTransactionReceipt: ['What became of a transaction; null until it is in a block.', transaction],
  eth_getTransactionCount: [
    'The number of transactions that an account has sent: its next nonce.',
    account,
    atBlock,
  ],
  eth_getLogs: ['The events of a range of blocks.', logs],
  eth_getCode: ['The code at an address; 0x where there is none.', account, atBlock],
  eth_getStorageAt: ['One storage slot of a contract.', account, slot, atBlock],
  eth_getStorageValues: [
    'Storage slots of several contracts.',
    { name: 'slots by account', kind: 'json', example: `{"${account.example}":["0x0"]}` },
    atBlock,
  ],
  eth_getProof: [
    'An account and storage slots, with Merkle proofs.',
    account,
    { name: 'slots', kind: 'json', example: '["0x0"]' },
    atBlock,
  ],
  eth_simulateV1: [
    'What several calls would do, one after another.',
    {
      name: 'simulation',
      kind: 'json',
      example: `{"blockStateCalls":[{"calls":[{"from":"${account.example}","to":"${to}","value":"0x1"}]}]}`,
    },
    atBlock,
  ],
  eth_createAccessList: [
    'The accounts and slots that a transaction touches.',
    call,
    atBlock,
    { name: 'state overrides', kind: 'json', optional: true, example: '' },
  ],
  eth_gasPrice: ['A gas price, in wei, derived from the agreed fee history.'],
  eth_maxPriorityFeePerGas: ['A priority fee, in wei, derived from the agreed fee history.'],
  eth_baseFee: ['The base fee of the next block, in wei.'],
  eth_blobBaseFee: ['The blob base fee of the next block, in wei; null on a chain without blobs.'],
  eth_feeHistory: [
    'Base fees, gas used and priority fees of the last blocks.',
    { name: 'blocks', kind: 'quantity', example: '0x4' },
    { ...byNumber, name: 'newest block' },
    { name: 'percentiles', kind: 'json', optional: true, example: '[25, 75]' },
  ],
  eth_sendRawTransaction: [
    'Sends a signed transaction to every node that takes some. This moves real funds.',
    { name: 'signed transaction', kind: 'data', example: '' },
  ],
  eth_sendRawTransactionSync: [
    'Sends a signed transaction and waits for its receipt. This moves real funds.',
    { name: 'signed transaction', kind: 'data', example: '' },
    { name: 'milliseconds', kind: 'quantity', optional: true, example: '0x7d0' },
  ],
  eth_getTransactionBySenderAndNonce: [
    'The transaction that used a nonce of an account; null where none has.',
    account,
    { name: 'nonce', kind: 'quantity', example: '0x0' },
  ],
  eth_capabilities: ['How far back a quorum has state, logs, receipts and proofs.'],
  eth_getBlockReceipts: ['All receipts of a block.', byNumber],
  eth_getBlockTransactionCountByNumber: ['The number of transactions in a block.', byNumber],
  eth_getBlockTransactionCountByHash: ['The number of transactions in a block.', byHash],
  eth_getTransactionByBlockNumberAndIndex: ['A transaction by its place in a block.', byNumber, index],
  eth_getTransactionByBlockHashAndIndex: ['A transaction by its place in a block.', byHash, index],
  eth_getUncleCountByBlockNumber: ['The number of uncles of a block.', byNumber],
  eth_getUncleCountByBlockHash: ['The number of uncles of a block.', byHash],
  eth_getUncleByBlockNumberAndIndex: ['An uncle by its place in a block.', byNumber, index],
  eth_getUncleByBlockHashAndIndex: ['An uncle by its place in a block.', byHash, index],
  eth_newFilter: ['Begins to collect events; answers an id to poll with.', logs],
  eth_newBlockFilter: ['Begins to collect block hashes; answers an id to poll with.'],
  eth_newPendingTransactionFilter: [
    'A filter of pending transactions. It stays empty: nodes do not agree on what is pending.',
  ],
  eth_getFilterChanges: ['What a filter has collected since it was last asked.', filter],
  eth_getFilterLogs: ['All events that a filter matches.', filter],
  eth_uninstallFilter: ['Ends a filter.', filter],
  eth_chainId: ['The chain’s id. Answered by the gateway.'],
  net_version: ['The chain’s id as a decimal text. Answered by the gateway.'],
  net_listening: ['Always true. Answered by the gateway.'],
  net_peerCount: ['The number of nodes behind the gateway.'],
  eth_accounts: ['Always empty: the gateway holds no keys.'],
  eth_syncing: ['Always false. Answered by the gateway.'],
  web3_clientVersion: ['The name and version of the gateway.'],
  web3_sha3: [
    'The Keccak-256 hash of bytes. Answered by the gateway.',
    { name: 'data', kind: 'data', example: '0x68656c6c6f' },
  ],
}
