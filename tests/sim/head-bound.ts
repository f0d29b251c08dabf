import { isQuorum } from './recount.ts'
import { tipAt, type WorldChain, type WorldNode } from './world.ts'

/** How old a served head may be: README, `headMaxAgeMs`. */
export const headAgeMsMax = ({ headMaxAgeMs }: WorldChain): number => Math.max(4 * headMaxAgeMs, 4000)

/**
 * The highest block that a quorum of honest nodes had at that time: no head served `headAgeMsMax` later may be below it.
 * Null where it is not known: reorgs, and quorums for which faulty nodes are needed.
 */
export function reachedAt(chain: WorldChain, atMs: number): number | null {
  if (chain.hasReorg || chain.reset !== null) return null
  const prompt = chain.nodes.filter((node) => isPrompt(node) && !hasFaultyTwin(chain, node))
  const latencyMs = Math.max(0, ...prompt.map((node) => node.latencyMs * 1.25))
  // A reply says what the node had when it was asked.
  const heights = prompt.map((node) => ({
    operator: node.operator,
    number: tipAt(chain, atMs - latencyMs - node.delayMs).number,
  }))
  heights.sort((a, b) => b.number - a.number)
  const bar = { quorum: chain.quorum, operatorsMin: chain.operatorsMin }
  const operators = new Set<string>()
  for (const { operator, number } of heights) {
    operators.add(operator)
    if (isQuorum(chain, bar, operators)) return number
  }
  return null
}

/** It is honest for as long as the world lasts, and replies before its stall. */
function isPrompt(node: WorldNode): boolean {
  const { phases, latencyMs, stallMs, inFlightMax, perSecond } = node
  const isHonest = phases.every(({ character: { kind } }) => kind === 'honest')
  // The first call to a node takes three round trips.
  return isHonest && latencyMs * 4 < stallMs && inFlightMax === 64 && perSecond === null
}

/** An operator whose nodes contradict each other does not count. */
function hasFaultyTwin({ nodes }: WorldChain, { operator }: WorldNode): boolean {
  return nodes.some((node) => node.operator === operator && !isPrompt(node))
}
