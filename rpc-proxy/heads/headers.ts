import type { BlockId, Policy } from '../events/evidence-types.ts'
import { shortHashes } from '../methods/agreed-blocks.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { verifyHeader } from '../wire/header-hash.ts'
import { parseJson } from '../wire/scan.ts'
import type { Reply } from '../wire/types.ts'
import type { AgreedBlock, Header } from './head-views.ts'

/** What one poll has brought so far. */
export interface PollState {
  /** By which it is decided. */
  electorate: Electorate
  policy: Policy
  /** Too few witnesses reply: it is decided by the everyday rule all the same. */
  isThin: boolean
  readonly headers: ReturnType<typeof createHeaders>
  readonly polled: readonly NodeIndex[]
  /** Nodes that contradict what would be thin. */
  readonly witnesses: readonly NodeIndex[]
  nodesCount: number
  /** Nodes that have replied in it, each with the highest block that it has shown. */
  readonly heard: Map<NodeIndex, number>
  /** Nodes that have stalled on the way back: the next step does not wait for them. */
  readonly silent: Set<NodeIndex>
  /** Start and deadline of the poll, epoch milliseconds. */
  readonly sinceMs: number
  readonly endMs: number
  /** All nodes have been asked, and each has replied or stalled. */
  isComplete: boolean
}

/** The headers that a poll has brought, and who sent each. */
export function createHeaders() {
  const sent: { readonly node: NodeIndex; readonly header: Header }[] = []
  return {
    add(node: NodeIndex, header: Header): void {
      sent.push({ node, header })
    },
    /** The block with all that follows from its hash, or that a quorum has shown alike. */
    agreed({ number, hash }: BlockId, electorate: Electorate): AgreedBlock {
      const same = sent.filter(({ header }) => header.hash === hash && header.number === number)
      const shared = <Key extends 'parentHash' | 'logsBloom' | 'gasLimit' | 'transactions'>(
        key: Key,
      ): Header[Key] | null =>
        same.find(({ header }) => {
          const alike = same.filter((other) => other.header[key] === header[key])
          const nodes = alike.map(({ node }) => node)
          return isQuorum(electorate, operatorsOfNodes(electorate, nodes))
        })?.header[key] ?? null
      const transactions = shared('transactions')
      const verified = same.find(({ header }) => header.verified !== null)
      if (verified !== undefined) return { ...blockFrom(verified.header), transactions }
      return {
        number,
        hash,
        parentHash: shared('parentHash'),
        logsBloom: shared('logsBloom'),
        gasLimit: shared('gasLimit'),
        transactions,
        stateRoot: null,
        verified: null,
      }
    },
    /** The latest time that the headers of a quorum reach, epoch milliseconds. The nodes may be some blocks apart. */
    timeMs(electorate: Electorate): number | null {
      const times = sent.flatMap(({ node, header: { timeMs } }) =>
        timeMs === null ? [] : [{ node, timeMs }],
      )
      times.sort((a, b) => b.timeMs - a.timeMs)
      const reached: NodeIndex[] = []
      for (const { node, timeMs } of times) {
        reached.push(node)
        if (isQuorum(electorate, operatorsOfNodes(electorate, reached))) return timeMs
      }
      return null
    },
  }
}

const hash = /^0x[0-9a-f]{64}$/i
const bloom = /^0x[0-9a-f]{512}$/i
const quantity = /^0x[0-9a-f]{1,13}$/i

/** The header in the JSON text of a block; null for anything else. */
export function readHeader(raw: string, chainId: number): Header | null {
  const block = parseJson(raw)
  if (typeof block !== 'object' || block === null) return null
  const {
    number,
    hash: own,
    parentHash,
    logsBloom,
    gasLimit,
    stateRoot,
    timestamp,
    transactions,
  } = block as Record<string, unknown>
  if (
    !matches(quantity, number) ||
    !matches(hash, own) ||
    !matches(hash, parentHash) ||
    !matches(bloom, logsBloom)
  )
    return null
  return {
    number: Number(number),
    hash: own.toLowerCase(),
    parentHash: parentHash.toLowerCase(),
    logsBloom: logsBloom.toLowerCase(),
    // Zero is what chains send that have no limit.
    gasLimit: matches(quantity, gasLimit) ? Number(gasLimit) || null : null,
    transactions: shortHashes(transactions),
    timeMs: matches(quantity, timestamp) ? Number(timestamp) * 1000 : null,
    stateRoot: matches(hash, stateRoot) ? stateRoot.toLowerCase() : null,
    verified: verifyHeader(block, { chainId, hash: own.toLowerCase() }),
  }
}

/** Blocks of classic Arbitrum have no state root. */
const noState = `0x${'0'.repeat(64)}`

/** A block whose header is believed as a whole. What follows from its hash it has only where the header is verified. */
export function blockFrom({ timeMs: _, verified, ...header }: Header): AgreedBlock {
  const { stateRoot } = header
  return verified !== null && stateRoot !== noState
    ? { ...header, verified }
    : { ...header, stateRoot: null, verified: null }
}

const bound = ['parentHash', 'logsBloom', 'gasLimit', 'stateRoot'] as const

/**
 * Whether a header says other than the hash that it names. Only against a header that was verified: one that does not hash may be of
 * a chain, or after a fork, whose headers have other fields, and its node may leave some out.
 */
export function contradicts(header: Header, known: AgreedBlock | null): boolean {
  return (
    known?.stateRoot != null && header.verified === null && bound.some((key) => header[key] !== known[key])
  )
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** What a reply to a request for a header means. No such block is no fault: the node is behind, or knows no finality. */
export function headerReply(reply: Reply, header: Header | null): Reply {
  if (reply.kind !== 'result' || header !== null) return reply
  return reply.raw === 'null' ? { kind: 'behind' } : { kind: 'fault', fault: 'malformed' }
}
