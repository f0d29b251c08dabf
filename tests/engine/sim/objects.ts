import { hexDigits } from '../../support/chance.ts'
import { mined, type Signed } from './signed.ts'
import {
  type Block,
  blockAt,
  bloomOf,
  emitters,
  hashOf,
  inclusionOf,
  logsOf,
  type Tip,
  topics,
  transactionsIn,
} from './universe.ts'

type Plain = Readonly<Record<string, unknown>>

const zeros = (bytes: number) => `0x${'0'.repeat(bytes * 2)}`
const hex = (value: number) => `0x${value.toString(16)}`
export const emptyBloom = zeros(256)

/** The block as an honest node returns it; null above the tip. */
export function blockObject(chainId: number, block: Block, isFull: boolean): Plain {
  const { number } = block
  const hash = hashOf(block)
  const included = transactionsIn(block)
  return {
    number: hex(number),
    hash,
    parentHash: number === 0 ? zeros(32) : hashOf(blockAt(block, number - 1)),
    sha3Uncles: zeros(32),
    miner: zeros(20),
    stateRoot: `0x${hexDigits(`state${chainId}${hash}`, 64)}`,
    transactionsRoot: zeros(32),
    receiptsRoot: zeros(32),
    logsBloom: blockBloom(chainId, block),
    difficulty: '0x0',
    gasLimit: hex(30_000_000),
    gasUsed: hex(21_000 * (included.length + 1)),
    timestamp: hex(1_700_000_000 + number * 2),
    extraData: '0x',
    mixHash: zeros(32),
    nonce: zeros(8),
    baseFeePerGas: hex(baseFeeAt(number)),
    transactions: included.map((index) =>
      isFull ? transactionObject(block, index) : (mined[index]?.hash as string),
    ),
    uncles: [],
  }
}

/** Only the first chain has blobs. */
export const blobFeeAt = (chainId: number, number: number): number | null =>
  chainId === 1 ? 1 + (number % 7) : null

export const baseFeeAt = (number: number): number => 1_000_000_000 + (number % 50) * 1_000_000

export function blockBloom(chainId: number, block: Block): string {
  const values = transactionsIn(block).flatMap((index) =>
    logsOf(chainId, block, index).flatMap(({ address, topics: own }) => [address, ...own]),
  )
  return values.length === 0 ? emptyBloom : bloomOf(values)
}

/** The block on this view that holds a transaction; null when it has none. */
export function homeOf(tip: Tip, index: number): Block | null {
  const number = inclusionOf(tip.branch, index)
  return number === null || number > tip.number ? null : blockAt(tip, number)
}

export function transactionObject(block: Block, index: number): Plain {
  return {
    ...mined[index]?.object,
    blockHash: hashOf(block),
    blockNumber: hex(block.number),
    transactionIndex: hex(transactionsIn(block).indexOf(index)),
  }
}

/** The same for a node that has it as pending. */
export function waitingObject(signed: Signed): Plain {
  return { ...signed.object, blockHash: null, blockNumber: null, transactionIndex: null }
}

/** Some transactions fail, depending on the block. */
export function receiptObject(chainId: number, block: Block, index: number): Plain {
  const { hash, sender } = mined[index] as (typeof mined)[number]
  const blockHash = hashOf(block)
  return {
    transactionHash: hash,
    transactionIndex: hex(transactionsIn(block).indexOf(index)),
    blockHash,
    blockNumber: hex(block.number),
    from: sender,
    to: mined[index]?.object.to,
    contractAddress: null,
    status: hexDigits(`status${chainId}${blockHash}${index}`, 1) < '5' ? '0x0' : '0x1',
    cumulativeGasUsed: hex(21_000 * (index + 1)),
    gasUsed: hex(21_000),
    effectiveGasPrice: hex(30_000_000_000),
    type: mined[index]?.object.type,
    logs: logObjects(chainId, block, index),
    logsBloom: emptyBloom,
  }
}

export function logObjects(chainId: number, block: Block, index: number): Plain[] {
  return logsOf(chainId, block, index).map(({ logIndex, ...log }) => ({
    ...log,
    blockHash: hashOf(block),
    blockNumber: hex(block.number),
    transactionHash: mined[index]?.hash,
    transactionIndex: hex(transactionsIn(block).indexOf(index)),
    logIndex: hex(logIndex),
    removed: false,
  }))
}

export interface LogQuery {
  readonly emitter: number | null
  readonly topic: number | null
  readonly from: number
  readonly to: number
}

/** All logs of a range on this view that match a filter. */
export function logsIn(chainId: number, tip: Tip, { emitter, topic, from, to }: LogQuery): Plain[] {
  const found: Plain[] = []
  for (let index = 0; index < mined.length; index++) {
    const home = homeOf(tip, index)
    if (home === null || home.number < from || home.number > to) continue
    for (const log of logObjects(chainId, home, index))
      if (
        (emitter === null || log.address === emitters[emitter]) &&
        (topic === null || (log.topics as string[])[0] === topics[topic])
      )
        found.push(log)
  }
  return found.sort((one, other) => Number(one.blockNumber) - Number(other.blockNumber))
}

export function feeHistoryObject(chainId: number, block: Block, count: number, percentiles: number): Plain {
  const oldest = Math.max(block.number - count + 1, 0)
  const blocks = block.number - oldest + 1
  return {
    oldestBlock: hex(oldest),
    baseFeePerGas: Array.from({ length: blocks + 1 }, (_, index) => hex(baseFeeAt(oldest + index))),
    gasUsedRatio: Array.from({ length: blocks }, (_, index) => ((oldest + index) % 10) / 10),
    ...(blobFeeAt(chainId, 0) !== null && {
      baseFeePerBlobGas: Array.from({ length: blocks + 1 }, (_, index) =>
        hex(blobFeeAt(chainId, oldest + index) as number),
      ),
    }),
    ...(percentiles === 0
      ? {}
      : {
          reward: Array.from({ length: blocks }, (_, index) =>
            Array.from({ length: percentiles }, () =>
              hex(
                Number.parseInt(hexDigits(`tip${chainId}${hashOf(blockAt(block, oldest + index))}`, 8), 16),
              ),
            ),
          ),
        }),
  }
}
