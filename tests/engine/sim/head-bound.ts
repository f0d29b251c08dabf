import { type Bar, isQuorum } from './bars.ts'
import { isPrompt } from './soundness.ts'
import { type TipAt, tipAt, type WorldChain } from './world.ts'

/** How old a served head may be: README, `headMaxAgeMs`. */
export const headAgeMsMax = ({ headMaxAgeMs }: WorldChain): number => Math.max(4 * headMaxAgeMs, 4000)

/** The same, but twice as old where a node may have spent its plan: it is polled only after others showed a higher block for that long. */
export function servedAgeMsMax(chain: WorldChain): number {
  const mayBeSpent = chain.nodes.some(({ perMonth }) => perMonth !== undefined)
  return (mayBeSpent ? 2 : 1) * headAgeMsMax(chain)
}

/**
 * The block that every quorum of prompt nodes had at that time. No head served `servedAgeMsMax` later may be below it. A head poll
 * sends to a quorum and one node more, and its slower nodes may decide. Null where that cannot be expected: after reorgs, and where
 * the quorum of a poll may need a node that is late or faulty: there are two of those, or the others may be two blocks apart and
 * show no common one. `bars`: those by which a head may be agreed on.
 */
export function reachedAt(chain: WorldChain, bars: readonly Bar[], atMs: number): number | null {
  if (chain.hasReorg || chain.reset !== null) return null
  const late = chain.nodes.filter((node) => !isPrompt(node))
  if (late.length > 1) return null
  const others = new Set(late.map(({ operator }) => operator))
  if (bars.some((bar) => isQuorum(chain, bar, others))) return null
  // An operator whose nodes contradict each other does not count.
  const prompt = chain.nodes.filter(({ operator }) => !others.has(operator))
  // A reply says what the node had when it was asked.
  const replyMs = Math.max(0, ...prompt.map(({ latencyMs }) => latencyMs * 1.25))
  const operators = new Set(prompt.map(({ operator }) => operator))
  if (!bars.every((bar) => isQuorum(chain, bar, operators))) return null
  const delaysMs = prompt.map(({ delayMs }) => delayMs)
  const apartMs = Math.max(...delaysMs) - Math.min(...delaysMs) + replyMs
  if (late.length > 0 && hasTwoBlocksIn(chain, apartMs)) return null
  return Math.min(...delaysMs.map((delayMs) => tipAt(chain, atMs - replyMs - delayMs).number))
}

/** Two blocks of the chain come within so many milliseconds. */
function hasTwoBlocksIn({ tips }: WorldChain, ms: number): boolean {
  return tips.some(({ atMs }, index) => index > 0 && atMs - (tips[index - 1] as TipAt).atMs <= ms)
}
