import { rangeOf } from './block-ref.ts'
import type { LogFilter } from './log-filter.ts'
import type { SlotsByAccount } from './proves.ts'

/** Whether a canonical answer speaks of what these params ask: of this block, this transaction, this filter. */
export type About = (params: readonly unknown[], answer: unknown) => boolean

type Read = Readonly<Record<string, unknown>>

const isNumber = (block: unknown): block is string => typeof block === 'string' && block.startsWith('0x')
const isHash = (block: unknown) => isNumber(block) && block.length === 66

/** A tag that went out as it was says nothing about the number. */
const isAt = (block: unknown, number: unknown) => !isNumber(block) || block === number

export const blockByNumber: About = ([block, isFull], read) =>
  isAt(block, (read as Read).number) && hasBody(read, isFull)

export const blockByHash: About = ([hash, isFull], read) =>
  (read as Read).hash === hash && hasBody(read, isFull)

function hasBody(read: unknown, isFull: unknown): boolean {
  const { transactions } = read as { transactions: readonly unknown[] }
  return transactions.every((item) => (typeof item === 'string') === !isFull)
}

export const transaction: About = ([hash], read) => (read as Read).hash === hash

export const transactionInBlock: About = ([hash, index], read) =>
  (read as Read).blockHash === hash && (read as Read).transactionIndex === index

export const transactionAtNumber: About = ([block, index], read) =>
  isAt(block, (read as Read).blockNumber) && (read as Read).transactionIndex === index

export const receipt: About = ([hash], read) =>
  (read as Read).transactionHash === hash && ownsItsLogs(read as Read)

export const blockReceipts: About = ([block], read) => {
  const receipts = read as readonly Read[]
  const first = receipts[0]?.blockHash
  return receipts.every(
    (receipt) =>
      receipt.blockHash === first &&
      (isHash(block) ? first === block : isAt(block, receipt.blockNumber)) &&
      ownsItsLogs(receipt),
  )
}

function ownsItsLogs({ logs, transactionHash, blockHash, blockNumber }: Read): boolean {
  return (logs as readonly Read[]).every(
    (log) =>
      log.transactionHash === transactionHash &&
      log.blockHash === blockHash &&
      log.blockNumber === blockNumber,
  )
}

export const logs: About = (params, read) => {
  const filter = params[0] as LogFilter
  const range = rangeOf({ pin: 'range' }, params, Number.POSITIVE_INFINITY)
  const addresses = membersOf(filter.address)
  const wanted = (filter.topics ?? []).map(membersOf)
  return (read as readonly Read[]).every(({ blockNumber, blockHash, address, topics, removed }) => {
    const number = Number(blockNumber)
    if (removed === true || addresses?.has(address) === false) return false
    if (range !== null && (number < range.from || number > range.to)) return false
    if (filter.blockHash !== undefined && blockHash !== filter.blockHash) return false
    const own = topics as readonly string[]
    return wanted.length <= own.length && wanted.every((topic, index) => topic?.has(own[index]) !== false)
  })
}

/** Null for any. Sets, since there may be a thousand members and as many logs. */
function membersOf(wanted: string | readonly string[] | null | undefined): ReadonlySet<unknown> | null {
  if (wanted == null) return null
  return new Set(typeof wanted === 'string' ? [wanted] : wanted)
}

export const proof: About = ([account, keys], read) => {
  const { address, storageProof } = read as Read
  const proven = storageProof as readonly { readonly key: string }[]
  const expected = keys as readonly string[]
  return (
    address === account &&
    proven.length === expected.length &&
    proven.every(({ key }) => expected.includes(key))
  )
}

export const storageValues: About = ([slots], read) => {
  const [expected, values] = [slots as SlotsByAccount, read as SlotsByAccount]
  const accounts = Object.keys(expected)
  return (
    accounts.length === Object.keys(values).length &&
    accounts.every((account) => values[account]?.length === expected[account]?.length)
  )
}

export const feeHistory: About = ([count, newest, percentiles], read) => {
  const { gasUsedRatio, baseFeePerGas, reward, oldestBlock } = read as {
    gasUsedRatio: readonly number[]
    baseFeePerGas: readonly string[]
    reward: readonly (readonly string[])[] | null
    oldestBlock: string
  }
  const blocks = gasUsedRatio.length
  const ranks = (percentiles as readonly number[]).length
  const rewards = reward ?? gasUsedRatio.map(() => [])
  if (blocks === 0 || blocks > Number(count) || baseFeePerGas.length !== blocks + 1) return false
  if (rewards.length !== blocks || !rewards.every((row) => row.length === ranks)) return false
  return !isNumber(newest) || Number(oldestBlock) + blocks - 1 === Number(newest)
}

/** Nodes fill gaps between numbered blocks with empty ones. */
export const simulation: About = ([payload], read) => {
  const { blockStateCalls } = payload as { blockStateCalls: readonly { calls?: readonly unknown[] }[] }
  const blocks = read as readonly { calls: readonly unknown[] }[]
  const expected = blockStateCalls.reduce((sum, { calls }) => sum + (calls?.length ?? 0), 0)
  const done = blocks.reduce((sum, { calls }) => sum + calls.length, 0)
  return blocks.length >= blockStateCalls.length && done === expected
}
