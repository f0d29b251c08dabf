import type { Gateway, NodeState } from '#rpc-proxy'
import { mayTighten } from './bars.ts'
import type { WorldChain } from './world.ts'

/** Nodes that are not usable. */
export type DownNodes = ReadonlySet<string>

const none: DownNodes = new Set()

/** As the gateway shows them; looked at only where they tighten rounds. */
export function downNodes(gateway: Gateway, chain: WorldChain): DownNodes {
  if (!mayTighten(chain)) return none
  const shown = gateway.snapshot().chains.find(({ chainId }) => chainId === chain.id)
  return new Set(shown?.nodes.flatMap(({ name, state }) => (state === 'usable' ? [] : [name])))
}

/** Whether an operator that votes every day has no other nodes for that than those that are down. */
export function isVoterAmong({ nodes }: WorldChain, isDown: (name: string) => boolean): boolean {
  const voters = nodes.filter(({ isWitness }) => !isWitness)
  const up = new Set(voters.filter(({ name }) => !isDown(name)).map(({ operator }) => operator))
  return voters.some(({ operator }) => !up.has(operator))
}

/** States that a node does not leave by the passing of time alone. */
const lasting: ReadonlySet<NodeState> = new Set(['open', 'half-open', 'cordoned'])

/** Since when each node has been in such a state, epoch milliseconds. */
export type DownSince = Map<string, number>

export function noteState(
  since: DownSince,
  { node, to }: { readonly node: string; readonly to: NodeState },
  nowMs: number,
): void {
  if (!lasting.has(to)) since.delete(node)
  else if (!since.has(node)) since.set(node, nowMs)
}

/** Since when an operator that votes every day has had no node that was not in such a state. */
export function voterDownMs({ nodes }: WorldChain, since: DownSince): number {
  const voters = nodes.filter(({ isWitness }) => !isWitness)
  const sinceOf = (operator: string) =>
    Math.max(
      ...voters
        .filter((node) => node.operator === operator)
        .map(({ name }) => since.get(name) ?? Number.POSITIVE_INFINITY),
    )
  return Math.min(...voters.map(({ operator }) => sinceOf(operator)))
}
