import type { Say } from './demo-call.ts'
import type { Upstream } from './upstream.ts'
import { sayWithin } from './view.ts'

/** The chain some blocks ago. One HTTP request sees one head. */
export async function sayLate(upstream: Upstream, blocks: number): Promise<Say> {
  const head = Math.max(0, (await upstream.head()) - blocks)
  return sayWithin(
    {
      head,
      real: (number) => number,
      isEmpty: () => false,
      settled: (real) => Math.max(0, real - blocks),
      render: (real) => real,
      async numberOf(hash) {
        const reply = await upstream.callNode({ method: 'eth_getBlockByHash', params: [hash, false] })
        const block = 'result' in reply ? (reply.result as { number: string } | null) : null
        return block === null || Number(block.number) > head ? null : Number(block.number)
      },
    },
    upstream.callNode,
  )
}
