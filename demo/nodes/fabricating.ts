import { createHash } from 'node:crypto'
import type { Say } from './demo-call.ts'
import type { Upstream } from './upstream.ts'
import { hex, sayWithin } from './view.ts'

/** The fork block of each lie name. It is fixed at its first use and shared by all nodes with that lie name. */
export type Forks = Map<string, number>

/**
 * A fabricated chain: real up to the fork, then with its own linked hashes up to a head above the real one. Each lie name has
 * one chain.
 */
export async function sayFabricated(
  upstream: Upstream,
  { lieName, blocksAhead, forks }: { lieName: string; blocksAhead: number; forks: Forks },
): Promise<Say> {
  const realHead = await upstream.head()
  const fork = forks.get(lieName) ?? realHead
  forks.set(lieName, fork)

  // The number is the end of the hash, so a fabricated hash can be looked up without state.
  const mark = createHash('sha256').update(lieName).digest('hex').slice(0, 48)
  const hashOf = (number: number) => `0x${mark}${number.toString(16).padStart(16, '0')}`

  // Above the real head its block is the template, so that its hash is the first parent.
  const parentOf = (block: RealObject, number: number) => {
    if (number > fork + 1) return hashOf(number - 1)
    return number > realHead ? block.hash : block.parentHash
  }
  const renderBlock = (block: RealObject, number: number): RealObject => ({
    ...block,
    number: hex(number),
    hash: hashOf(number),
    parentHash: parentOf(block, number),
    ...(number > realHead
      ? { transactions: [], timestamp: hex(Number(block.timestamp) + number - realHead) }
      : { transactions: (block.transactions ?? []).map(renderPlaced) }),
  })
  const renderPlaced = (real: unknown): unknown => {
    if (typeof real !== 'object' || real === null) return real
    const { blockNumber, logs } = real as RealObject
    if (blockNumber === undefined || Number(blockNumber) <= fork) return real
    return {
      ...real,
      blockHash: hashOf(Number(blockNumber)),
      ...(logs === undefined ? {} : { logs: logs.map(renderPlaced) }),
    }
  }

  return sayWithin(
    {
      head: realHead + blocksAhead,
      real: (number) => Math.min(number, realHead),
      isEmpty: (number) => number > realHead,
      settled: (real) => real,
      async numberOf(hash) {
        if (hash.startsWith(`0x${mark}`)) return Number(`0x${hash.slice(50)}`)
        const reply = await upstream.callNode({ method: 'eth_getBlockByHash', params: [hash, false] })
        const block = 'result' in reply ? (reply.result as { number: string } | null) : null
        return block === null || Number(block.number) > fork ? null : Number(block.number)
      },
      render(real, number) {
        if (number <= fork || typeof real !== 'object' || real === null) return real
        if (Array.isArray(real)) return real.map(renderPlaced)
        return 'parentHash' in real ? renderBlock(real as RealObject, number) : renderPlaced(real)
      },
    },
    upstream.callNode,
  )
}

type RealObject = Readonly<Record<string, unknown>> & {
  readonly blockNumber?: string
  readonly timestamp?: string
  readonly transactions?: readonly unknown[]
  readonly logs?: readonly unknown[]
}
