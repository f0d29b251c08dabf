import type { Gateway } from '#rpc-proxy'
import { mayTighten } from './bars.ts'
import type { World } from './draw-world.ts'
import { startMs, type WorldChain } from './world.ts'

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

/** Since when an operator that votes every day has no node left that is not cordoned. */
export function cordonedMs({ settings, chains }: World, chain: WorldChain): number {
  if (chain !== chains[0]) return Number.POSITIVE_INFINITY
  const isBack = (node: string) => settings.cordons.some((each) => each.node === node && !each.isOut)
  const isForGood = (node: string) => !isBack(node) && isVoterAmong(chain, (name) => name === node)
  return Math.min(...settings.cordons.filter(({ node }) => isForGood(node)).map(({ atMs }) => startMs + atMs))
}
