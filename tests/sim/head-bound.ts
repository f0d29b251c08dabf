import { isQuorum } from './recount.ts'
import { delayMsMax, tipAt, type WorldChain, type WorldNode } from './world.ts'

/** How old a served head may be: README, `headMaxAgeMs`. */
export const headAgeMsMax = ({ headMaxAgeMs }: WorldChain): number => Math.max(4 * headMaxAgeMs, 4000)

/**
 * The highest block that a quorum of prompt nodes had at that time. No head served `headAgeMsMax` later may be below it.
 * Null where that cannot be expected: after reorgs, and where the other nodes are a quorum by themselves.
 */
export function reachedAt(chain: WorldChain, atMs: number): number | null {
  if (chain.hasReorg || chain.reset !== null) return null
  const bar = { quorum: chain.quorum, operatorsMin: chain.operatorsMin }
  const others = new Set(chain.nodes.filter((node) => !isPrompt(node)).map(({ operator }) => operator))
  if (isQuorum(chain, bar, others)) return null
  // An operator whose nodes contradict each other does not count.
  const prompt = chain.nodes.filter(({ operator }) => !others.has(operator))
  // A reply says what the node had when it was asked.
  const replyMs = Math.max(0, ...prompt.map(({ latencyMs }) => latencyMs * 1.25))
  const operators = new Set<string>()
  for (const { operator, number } of prompt
    .map(({ operator, delayMs }) => ({ operator, number: tipAt(chain, atMs - replyMs - delayMs).number }))
    .sort((a, b) => b.number - a.number)) {
    operators.add(operator)
    if (isQuorum(chain, bar, operators)) return number
  }
  return null
}

/** It is honest and follows the chain for as long as the world lasts, and replies before its stall. */
function isPrompt({ phases, latencyMs, stallMs, delayMs, inFlightMax, perSecond }: WorldNode): boolean {
  return (
    phases.every(({ character: { kind } }) => kind === 'honest') &&
    delayMs <= delayMsMax &&
    // The first call to a node takes three round trips.
    latencyMs * 4 < stallMs &&
    inFlightMax === 64 &&
    perSecond === null
  )
}
