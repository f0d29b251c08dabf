import type { ChainConfig, Config } from '../config/config-types.ts'
import type { Node } from '../upstreams/node.ts'
import type { Chain } from './chain.ts'

/** Every chain that is served, by its id. */
export type Chains = ReadonlyMap<number, Chain>

/** The chains of a configuration. One that is configured as before is kept with all that it has learned. */
export function chainsOf(
  { chains, limits: { answerBytesMax } }: Config,
  old: Chains,
  make: (config: ChainConfig, answerBytesMax: number, previous: Chain | null) => Chain,
): Chains {
  return new Map(
    chains.map((config) => {
      const previous = old.get(config.id)
      const isSame =
        previous?.answerBytesMax === answerBytesMax &&
        JSON.stringify(previous.config) === JSON.stringify(config)
      if (isSame) return [config.id, previous]
      const made = make(config, answerBytesMax, previous ?? null)
      for (const before of previous?.nodes.filter(isCordoned) ?? [])
        made.nodes.find((node) => isSameNode(node, before.options))?.cordon(before.cordoned())
      return [config.id, made]
    }),
  )
}

const isCordoned = (node: Node) => node.cordoned() !== null

/** A node stays cordoned through a reload under the same name at the same address. */
function isSameNode({ options }: Node, { name, url }: Node['options']): boolean {
  return options.name === name && options.url === url
}
