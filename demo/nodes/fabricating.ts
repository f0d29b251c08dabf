import { createHash } from 'node:crypto'
import type { Say } from './exchange.ts'
import type { Upstream } from './upstream.ts'
import { hex, sayWithin } from './view.ts'

/** Where each voice's own chain leaves the real one: fixed when it first speaks, and shared by all who speak so. */
export type Forks = Map<string, number>

/**
 * A chain of the liar's own: real up to the fork, then its own hashes, each the parent of the next, up to a head
 * above the real one. One voice tells one chain.
 */
export async function sayFabricated(
  upstream: Upstream,
  { voice, blocksAhead, forks }: { voice: string; blocksAhead: number; forks: Forks },
): Promise<Say> {
  const realHead = await upstream.head()
  const fork = forks.get(voice) ?? realHead
  forks.set(voice, fork)

  // The number is the hash's tail, so that a made-up hash can be asked for again without remembering it.
  const mark = createHash('sha256').update(voice).digest('hex').slice(0, 48)
  const hashOf = (number: number) => `0x${mark}${number.toString(16).padStart(16, '0')}`

  // Above the real head the real head's own block is the pattern, so that its hash is the first parent.
  const parentOf = (block: Told, number: number) => {
    if (number > fork + 1) return hashOf(number - 1)
    return number > realHead ? block.hash : block.parentHash
  }
  const dressBlock = (block: Told, number: number): Told => ({
    ...block,
    number: hex(number),
    hash: hashOf(number),
    parentHash: parentOf(block, number),
    ...(number > realHead
      ? { transactions: [], timestamp: hex(Number(block.timestamp) + number - realHead) }
      : { transactions: (block.transactions ?? []).map(dressPlaced) }),
  })
  const dressPlaced = (told: unknown): unknown => {
    if (typeof told !== 'object' || told === null) return told
    const { blockNumber, logs } = told as Told
    if (blockNumber === undefined || Number(blockNumber) <= fork) return told
    return {
      ...told,
      blockHash: hashOf(Number(blockNumber)),
      ...(logs === undefined ? {} : { logs: logs.map(dressPlaced) }),
    }
  }

  return sayWithin(
    {
      head: realHead + blocksAhead,
      real: (number) => Math.min(number, realHead),
      bare: (number) => number > realHead,
      settled: (real) => real,
      async numberOf(hash) {
        if (hash.startsWith(`0x${mark}`)) return Number(`0x${hash.slice(50)}`)
        const reply = await upstream.ask({ method: 'eth_getBlockByHash', params: [hash, false] })
        const block = 'result' in reply ? (reply.result as { number: string } | null) : null
        return block === null || Number(block.number) > fork ? null : Number(block.number)
      },
      dress(told, number) {
        if (number <= fork || typeof told !== 'object' || told === null) return told
        if (Array.isArray(told)) return told.map(dressPlaced)
        return 'parentHash' in told ? dressBlock(told as Told, number) : dressPlaced(told)
      },
    },
    upstream.ask,
  )
}

type Told = Readonly<Record<string, unknown>> & {
  readonly blockNumber?: string
  readonly timestamp?: string
  readonly transactions?: readonly unknown[]
  readonly logs?: readonly unknown[]
}
