/** A branch: from this block number on, its blocks differ from the main chain. */
export interface Fork {
  readonly name: string
  readonly from: number
}

/** A node's state on the scripted chain. A test may change it at any time. */
export interface CacheScope {
  head: number
  fork: Fork | null
  safe: number | null
  finalized: number | null
}

export const emptyBloom = `0x${'00'.repeat(256)}`
/** A bloom that matches everything. */
export const fullBloom = `0x${'ff'.repeat(256)}`

const word = (digits: string) => `0x${digits.padStart(64, '0')}`

/** Block hashes are derived from number and fork, so tests can compute them. */
export function hashOf(number: number, fork: Fork | null = null): string {
  const branch = fork === null || number < fork.from ? '' : [...fork.name].map(codeOf).join('')
  return `0x${number.toString(16).padStart(16, 'b')}${branch.padStart(48, '0')}`
}

const codeOf = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, '0')

/** A full block as geth sends it. */
export function blockAt(number: number, fork: Fork | null = null, logsBloom = emptyBloom) {
  return {
    number: hex(number),
    hash: hashOf(number, fork),
    parentHash: number === 0 ? word('0') : hashOf(number - 1, fork),
    sha3Uncles: word('1dcc'),
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: word('57a7e'),
    transactionsRoot: word('7a'),
    receiptsRoot: word('4e'),
    logsBloom,
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: hex(1_700_000_000 + number * 2),
    extraData: '0x',
    mixHash: word('0'),
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
    size: '0x221',
    transactions: [transactionHash],
    uncles: [],
  }
}

/** A receipt in a block of the chain. */
export function receiptAt(number: number, fields: object = {}) {
  return {
    transactionHash: transactionHash,
    transactionIndex: '0x0',
    blockHash: hashOf(number),
    blockNumber: hex(number),
    type: '0x2',
    from: `0x${'f0'.repeat(20)}`,
    to: `0x${'70'.repeat(20)}`,
    contractAddress: null,
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x9',
    logs: [],
    logsBloom: emptyBloom,
    ...fields,
  }
}

/** A log in a block of the chain. */
export function logAt(number: number, index: number, fields: object = {}) {
  return {
    address: `0x${'10'.repeat(20)}`,
    topics: [word('109')],
    data: '0x01',
    blockNumber: hex(number),
    blockHash: hashOf(number),
    transactionHash: transactionHash,
    transactionIndex: '0x0',
    logIndex: hex(index),
    removed: false,
    ...fields,
  }
}

/** One of many that begin alike: to the engine, each is the transaction that every block has. */
export const transactionHashOf = (n: number) => `0x7a6${n.toString(16).padStart(61, '0')}`
export const transactionHash = transactionHashOf(0)

export const hex = (number: number): string => `0x${number.toString(16)}`
