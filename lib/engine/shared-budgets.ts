import { z } from 'zod'
import type { BudgetPeers, NodeBudgetPeers } from '#rpc-proxy'
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
    listen(take) {
      listener = take
    },
  }
}

/** The same for what nodes allow: all replicas together keep within it. */
export function shareNodeBudgets(peers: Peers): NodeBudgetPeers {
  const listeners = new Map<string, (requests: number) => void>()
  const spent = shareSpends(peers, 'node-spends', (node, requests) => listeners.get(node)?.(requests))
  return { spent, listen: (node, take) => void listeners.set(node, take) }
}

/** Sends sums by key, and calls `take` with those of the others. Returns what adds to the next sum. */
function shareSpends(peers: Peers, kind: string, take: (key: string, amount: number) => void) {
  let sums = new Map<string, number>()

  function send(): void {
    const sent = sums
    sums = new Map()
    peers.send(kind, Object.fromEntries(sent))
  }

  peers.on(kind, (value) => {
    for (const [key, amount] of Object.entries(spends.safeParse(value).data ?? {})) take(key, amount)
  })
  return (key: string, amount: number) => {
    if (sums.size === 0) setTimeout(send, everyMs).unref()
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
}
