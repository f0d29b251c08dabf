import { isQuorum } from './recount.ts'
import { delayMsMax, tipAt, type WorldChain, type WorldNode } from './world.ts'

/** How old a served head may be: README, `headMaxAgeMs`. */
export const headAgeMsMax = ({ headMaxAgeMs }: WorldChain): number => Math.max(4 * headMaxAgeMs, 4000)

/**
 * The block that every quorum of prompt nodes had at that time. No head served `headAgeMsMax` later may be below it. A head poll
 * sends to a quorum and one node more, and its slower nodes may decide. Null where that cannot be expected: after reorgs, and with
 * more than one node that is late or faulty, since the quorum of a poll may then need one of them.
 */
export function reachedAt(chain: WorldChain, atMs: number): number | null {
  if (chain.hasReorg || chain.reset !== null) return null
  const bar = { quorum: chain.quorum, operatorsMin: chain.operatorsMin }
  const late = chain.nodes.filter((node) => !isPrompt(node))
  if (late.length > 1) return null
  const others = new Set(late.map(({ operator }) => operator))
  if (isQuorum(chain, bar, others)) return null
  // An operator whose nodes contradict each other does not count.
  const prompt = chain.nodes.filter(({ operator }) => !others.has(operator))
  // A reply says what the node had when it was asked.
  const replyMs = Math.max(0, ...prompt.map(({ latencyMs }) => latencyMs * 1.25))
  if (!isQuorum(chain, bar, new Set(prompt.map(({ operator }) => operator)))) return null
  return Math.min(...prompt.map(({ delayMs }) => tipAt(chain, atMs - replyMs - delayMs).number))
}

/** It is honest and follows the chain for as long as the world lasts, and replies before its stall. */
function isPrompt({ phases, latencyMs, stallMs, delayMs, inFlightMax, perSecond }: WorldNode): boolean {
  return (
    phases.every(({ behavior: { kind } }) => kind === 'honest') &&
    delayMs <= delayMsMax &&
    // The first call to a node takes three round trips.
    latencyMs * 4 < stallMs &&
    inFlightMax === 64 &&
    perSecond === null
  )
}
