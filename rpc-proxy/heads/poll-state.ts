import type { BlockId, Policy } from '../events/evidence-types.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { AgreedBlock, Header } from './head-views.ts'
import { blockFrom } from './headers.ts'

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
  /** It has found an agreed block, by the rule that is its policy now. */
  isAgreed: boolean
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
