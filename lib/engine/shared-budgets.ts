import { z } from 'zod'
import type { BudgetPeers } from '#rpc-proxy'
import type { Peers } from './peers.ts'

/** What is spent within this time travels in one message. */
const everyMs = 25

const spends = z.record(z.string(), z.number())

/**
 * One budget of each caller over all replicas. Each has a bucket of its own, takes from it what callers spend here, and a moment later
 * what they spend elsewhere. What was spent twice meanwhile is owed, so that over time a caller has what one replica would allow.
 */
export function shareBudgets(peers: Pick<Peers, 'send' | 'on'>): BudgetPeers {
  let own = new Map<string, number>()

  function send(): void {
    const costs = own
    own = new Map()
    peers.send('spends', Object.fromEntries(costs))
  }

  return {
    spent(key, cost) {
      if (own.size === 0) setTimeout(send, everyMs).unref()
      own.set(key, (own.get(key) ?? 0) + cost)
    },
    listen(take) {
      peers.on('spends', (value) => {
        for (const [key, cost] of Object.entries(spends.safeParse(value).data ?? {})) take(key, cost)
      })
    },
  }
}
