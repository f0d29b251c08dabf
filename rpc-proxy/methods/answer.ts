import { readAs, textOf } from '../wire/canonical.ts'
import type { ReadMembers } from '../wire/read-ahead.ts'
import type { Shape } from '../wire/shapes.ts'
import { rangeOf } from './block-ref.ts'
import type { LogFilter } from './log-filter.ts'
import type { Rule } from './rule.ts'

/**
 * Text by which two answers to this call are equal; null for a value that cannot be its answer: not of the method's
 * shape in every part, or not about what was asked, which is a fault of the node and never a vote. `params` are those
 * that the node was asked with. Never throws.
 */
export function answerText(
  rule: Rule,
  params: readonly unknown[],
  value: unknown,
  chainId = 0,
  ahead?: ReadMembers,
): string | null {
  if (value === null) return rule.nullable ? 'null' : null
  try {
    const read = readAs(rule.shape, value, chainId, ahead)
    const isAbout = about.get(rule.method)?.(params, read, rule) ?? true
    return isAbout ? textOf(read) : null
  } catch {
    return null
  }
}

/**
 * Number of the block that an answer is, or that its transaction or receipt is in; null for everything else. Takes the parsed
 * answer, which many calls may share: parsing its bytes again for each of a hundred calls of one batch took 63 ms.
 */
export function namedNumber({ shape }: Rule, value: unknown): number | null {
  const field = numberFields[shape]
  const number = field === undefined ? null : (value as Partial<Read> | null | undefined)?.[field]
  return typeof number === 'string' ? Number(number) : null
}

/** Only these are compared: a node may add a `blockNumber` of its own to a block. */
const numberFields: Partial<Record<Shape, string>> = {
  block: 'number',
  transaction: 'blockNumber',
  receipt: 'blockNumber',
}

type Read = Readonly<Record<string, unknown>>
type About = (params: readonly unknown[], read: unknown, rule: Rule) => boolean

/** By method: does this answer speak of what was asked? Answers are canonical here. */
const about: ReadonlyMap<string, About> = new Map<string, About>([
  [
    'eth_getBlockByNumber',
    ([block, isFull], read) => isAt(block, (read as Read).number) && hasBody(read, isFull),
  ],
  ['eth_getBlockByHash', ([hash, isFull], read) => (read as Read).hash === hash && hasBody(read, isFull)],
  ['eth_getBlockReceipts', ([block], read) => areReceiptsOf(block, read as readonly Read[])],
  ['eth_getTransactionByHash', ([hash], read) => (read as Read).hash === hash],
  [
    'eth_getTransactionByBlockHashAndIndex',
    ([hash, index], read) => isIncluded(read, 'blockHash', hash, index),
  ],
  [
    'eth_getTransactionByBlockNumberAndIndex',
    ([block, index], read) =>
      isAt(block, (read as Read).blockNumber) && (read as Read).transactionIndex === index,
  ],
  [
    'eth_getTransactionReceipt',
    ([hash], read) => (read as Read).transactionHash === hash && ownsItsLogs(read as Read),
  ],
  ['eth_getLogs', ([filter], read, rule) => areLogsOf(filter as LogFilter, read as readonly Read[], rule)],
  ['eth_getProof', ([account, keys], read) => isProofOf(account, keys as readonly string[], read as Read)],
  ['eth_getStorageValues', ([slots], read) => areValuesOf(slots as SlotsByAccount, read as SlotsByAccount)],
  [
    'eth_feeHistory',
    ([count, newest, percentiles], read) => isHistoryOf(count, newest, percentiles, read as Read),
  ],
  ['eth_simulateV1', ([payload], read) => isSimulationOf(payload as Payload, read as readonly Read[])],
])

const isNumber = (block: unknown): block is string => typeof block === 'string' && block.startsWith('0x')

/** A tag that went out as it was says nothing about the number. */
const isAt = (block: unknown, number: unknown) => !isNumber(block) || block === number

function hasBody(read: unknown, isFull: unknown): boolean {
  const { transactions } = read as { transactions: readonly unknown[] }
  return transactions.every((item) => (typeof item === 'string') === !isFull)
}

function isIncluded(read: unknown, name: string, block: unknown, index: unknown): boolean {
  return (read as Read)[name] === block && (read as Read).transactionIndex === index
}

function ownsItsLogs({ logs, transactionHash, blockHash, blockNumber }: Read): boolean {
  return (logs as readonly Read[]).every(
    (log) =>
      log.transactionHash === transactionHash &&
      log.blockHash === blockHash &&
      log.blockNumber === blockNumber,
  )
}

function areReceiptsOf(block: unknown, receipts: readonly Read[]): boolean {
  const first = receipts[0]?.blockHash
  const isOfBlock = ({ blockHash, blockNumber }: Read) =>
    blockHash === first && (isHash(block) ? blockHash === block : isAt(block, blockNumber))
  return receipts.every((receipt) => isOfBlock(receipt) && ownsItsLogs(receipt))
}

const isHash = (block: unknown) => isNumber(block) && block.length === 66

function areLogsOf(filter: LogFilter, logs: readonly Read[], rule: Rule): boolean {
  const range = rangeOf(rule, [filter], Number.POSITIVE_INFINITY)
  return logs.every(({ blockNumber, blockHash, address, topics, removed }) => {
    const number = Number(blockNumber)
    if (removed === true || !isOneOf(filter.address, address)) return false
    if (range !== null && (number < range.from || number > range.to)) return false
    if (filter.blockHash !== undefined && blockHash !== filter.blockHash) return false
    const own = topics as readonly string[]
    const wanted = filter.topics ?? []
    return wanted.length <= own.length && wanted.every((topic, index) => isOneOf(topic, own[index]))
  })
}

function isOneOf(wanted: string | readonly string[] | null | undefined, member: unknown): boolean {
  if (wanted == null) return true
  return typeof wanted === 'string' ? wanted === member : wanted.includes(member as string)
}

function isProofOf(account: unknown, keys: readonly string[], { address, storageProof }: Read): boolean {
  const proven = storageProof as readonly { readonly key: string }[]
  return address === account && proven.length === keys.length && proven.every(({ key }) => keys.includes(key))
}

type SlotsByAccount = Readonly<Record<string, readonly string[]>>

function areValuesOf(asked: SlotsByAccount, read: SlotsByAccount): boolean {
  const accounts = Object.keys(asked)
  return (
    accounts.length === Object.keys(read).length &&
    accounts.every((account) => read[account]?.length === asked[account]?.length)
  )
}

function isHistoryOf(count: unknown, newest: unknown, percentiles: unknown, read: Read): boolean {
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

interface Payload {
  readonly blockStateCalls: readonly { readonly calls?: readonly unknown[] }[]
}

/** Nodes fill gaps between numbered blocks with empty ones. */
function isSimulationOf({ blockStateCalls }: Payload, blocks: readonly Read[]): boolean {
  const asked = blockStateCalls.reduce((sum, { calls }) => sum + (calls?.length ?? 0), 0)
  const done = blocks.reduce((sum, { calls }) => sum + (calls as readonly unknown[]).length, 0)
  return blocks.length >= blockStateCalls.length && done === asked
}
