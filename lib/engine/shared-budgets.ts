import { z } from 'zod'
import type { BudgetPeers, NodeListener, NodePeers } from '#rpc-proxy'
import type { Peers } from './peers.ts'

/** What is spent within this time travels in one message. */
const everyMs = 25

const spends = z.record(z.string(), z.number())

/**
 * One budget of each caller over all replicas. Each has a bucket of its own, takes from it what callers spend here, and a moment later
 * what they spend elsewhere. What was spent twice meanwhile is owed, so that over time a caller has what one replica would allow.
 */
export function shareBudgets(peers: Peers): BudgetPeers {
  let listener: ((key: string, cost: number) => void) | null = null
  const spent = shareSpends(peers, 'spends', (key, cost) => listener?.(key, cost))
  return {
    spent,
    listen(onSpent) {
      listener = onSpent
    },
  }
}

const limit = z.object({ node: z.string(), ms: z.number().nullable() })

/** The same for what nodes allow: all replicas together keep within it, and leave a node alone that limits one of them. */
export function shareNodes(peers: Peers): NodePeers {
  const listeners = new Map<string, NodeListener>()
  peers.on('node-limit', (value) => {
    const { data } = limit.safeParse(value)
    if (data !== undefined) listeners.get(data.node)?.limited(data.ms)
  })
  const spent = shareSpends(peers, 'node-spends', (node, requests) => listeners.get(node)?.spent(requests))
  return {
    spent,
    limited: (node, ms) => peers.send('node-limit', { node, ms }),
    listen: (node, listener) => void listeners.set(node, listener),
  }
}

/** Sends sums by key, and calls `onSpent` with those of the others. Returns what adds to the next sum. */
function shareSpends(peers: Peers, kind: string, onSpent: (key: string, amount: number) => void) {
  let sums = new Map<string, number>()

  function send(): void {
    const sent = sums
    sums = new Map()
    peers.send(kind, Object.fromEntries(sent))
  }

  peers.on(kind, (value) => {
    for (const [key, amount] of Object.entries(spends.safeParse(value).data ?? {})) onSpent(key, amount)
  })
  return (key: string, amount: number) => {
    if (sums.size === 0) setTimeout(send, everyMs).unref()
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
}
