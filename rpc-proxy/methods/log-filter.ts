import { z } from 'zod'
import { bloomBits } from '../wire/objects.ts'
import { numberedBlock } from './block-ref.ts'
import {
  badParams,
  fail,
  fields,
  hash,
  type Parse,
  params,
  preview,
  readAddress,
  readHash,
  term,
} from './params.ts'

const topicsMax = 4
/** Addresses, and topics at one position; geth's limit. */
const filterMembersMax = 1000
/** geth's words, on which indexers split. */
const tooManyMembers = `exceed max addresses or topics per search position: ${filterMembersMax}`

type OneOrMany = string | readonly string[]

/** A filter in canonical form: sets sorted and without repeats, a set of one as its only member, no set at all for "any". */
export interface LogFilter {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly address?: OneOrMany
  /** By position; null is any topic. Nulls at the end count: they ask for a log with that many topics. */
  readonly topics?: readonly (OneOrMany | null)[]
}

const addresses = setOf(readAddress, '0x and 40 hex digits')
const alternatives = setOf(readHash, '0x and 64 hex digits')

const topics = z.transform<unknown, LogFilter['topics'] | undefined>((value, context) => {
  if (!Array.isArray(value)) return fail(context, value, `want a list of topics, got ${preview(value)}`)
  if (value.length > topicsMax) return fail(context, value, `want at most ${topicsMax} topics`)
  const read: (OneOrMany | null)[] = []
  for (const [index, item] of value.entries()) {
    // geth reads a null among alternatives as "any", which swallows the others.
    const isAny = item == null || (Array.isArray(item) && item.includes(null))
    const result = alternatives.safeParse(isAny ? [] : item)
    if (!result.success) return fail(context, value, `[${index}]: ${result.error.issues[0]?.message}`)
    read.push(result.data ?? null)
  }
  return read.length === 0 ? undefined : read
})

/** Whose logs, which, and where. Ends that are missing are `latest`, as in geth. */
export const logFilter = fields({
  address: addresses.optional(),
  topics: topics.optional(),
  fromBlock: numberedBlock.optional(),
  toBlock: numberedBlock.optional(),
  blockHash: hash.optional(),
}).transform((filter, context): LogFilter => {
  const { address, topics, fromBlock, toBlock, blockHash } = filter
  const what = { ...(address !== undefined && { address }), ...(topics !== undefined && { topics }) }
  if (blockHash === undefined) return { fromBlock: ends(fromBlock), toBlock: ends(toBlock), ...what }
  if ((fromBlock ?? toBlock) !== undefined)
    return fail(
      context,
      filter,
      'cannot specify both blockHash and fromBlock/toBlock, choose one or the other',
    )
  return { blockHash, ...what }
})

/** Reads one block's logs: what an indexer asks for at every block, and cheap for a node. */
export function isOneBlock({ blockHash, fromBlock, toBlock }: LogFilter): boolean {
  return blockHash !== undefined || fromBlock === toBlock
}

const ends = (block: unknown) => (block ?? 'latest') as string

/** A member or a list of them; undefined for an empty list, which filters nothing. */
function setOf(read: (value: unknown) => string | undefined, want: string) {
  return z.transform<unknown, OneOrMany | undefined>((value, context) => {
    const items = Array.isArray(value) ? value : [value]
    if (items.length > filterMembersMax) return fail(context, value, tooManyMembers)
    const set = new Set<string>()
    for (const item of items) {
      const member = read(item)
      if (member === undefined) return fail(context, value, `want ${want}, got ${preview(item)}`)
      set.add(member)
    }
    const sorted = [...set].sort()
    return sorted.length > 1 ? sorted : sorted[0]
  })
}

/** The three places of a value in a bloom of 2048 bits. */
type Bits = readonly number[]

/** By filter: one is held against the blooms of many blocks. */
const bitsOf = new WeakMap<LogFilter, readonly (readonly Bits[])[]>()

/** The bloom of a block without logs: it may hold nothing, whatever a filter leaves open. Some chains leave it blank whatever a block logs. */
export const isBlankBloom = (bloom: string): boolean => /^0x0*$/.test(bloom)

/**
 * Whether a block with this bloom may hold a log that a canonical filter matches: true says possible, false says
 * certainly not (Yellow Paper, 4.3.1). A bloom that is none says possible. Polygon's state syncs are in no bloom before
 * Madhugiri, so false is not to be taken for "none" there.
 */
export function bloomMayContain(bloom: string, filter: LogFilter): boolean {
  if (!/^0x[0-9a-f]{512}$/i.test(bloom)) return true
  let wanted = bitsOf.get(filter)
  if (wanted === undefined) {
    wanted = [filter.address, ...(filter.topics ?? [])].flatMap((item) =>
      item == null ? [] : [(typeof item === 'string' ? [item] : item).map(bloomBits)],
    )
    bitsOf.set(filter, wanted)
  }
  return wanted.every((alternatives) => alternatives.some((bits) => bits.every((bit) => isSet(bloom, bit))))
}

/** Whether a bloom may hold this address or topic. */
export function isSetIn(bloom: string, value: string): boolean {
  return bloomBits(value).every((bit) => isSet(bloom, bit))
}

/** Bit 0 is the lowest bit of the last byte. */
function isSet(bloom: string, bit: number): boolean {
  const nibble = Number.parseInt(bloom.charAt(bloom.length - 1 - (bit >> 2)), 16)
  return ((nibble >> (bit & 3)) & 1) === 1
}

const kind = term('newHeads or logs', (value) => (typeof value === 'string' ? value : undefined))
const ofLogs = params(kind, logFilter)
const ofHeads = params(kind, z.unknown())

/** What is subscribed to: `newHeads`, or `logs` and a filter. */
export const subscribed: Parse = (given) => {
  switch (given[0]) {
    case 'newHeads':
      return ofHeads(given).slice(0, 1)
    case 'logs':
      return ofLogs([given[0], given[1] ?? {}, ...given.slice(2)])
    case 'newPendingTransactions':
      throw badParams('no subscription to pending transactions: no quorum can agree on a mempool')
    default:
      throw badParams(`argument 0: want newHeads or logs, got ${preview(given[0])}`)
  }
}
