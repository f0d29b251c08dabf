import type { ChainConfig, Config } from '../config/config-types.ts'
import type { Node } from '../upstreams/node.ts'
import type { Chain } from './chain.ts'

/** The chains of one configuration, and how many calls in flight use them. */
interface Served {
  readonly chains: Chains
  calls: number
}

/** The chains that are served now, and those of earlier configurations while a call in flight uses them. */
export class ServedChains {
  #now: Served
  readonly #before = new Set<Served>()

  constructor(chains: Chains) {
    this.#now = { chains, calls: 0 }
  }

  now(): Chains {
    return this.#now.chains
  }

  /** Serves these from now on. */
  replace(chains: Chains): void {
    this.#before.add(this.#now)
    this.#now = { chains, calls: 0 }
    this.#closeUnused()
  }

  /** The chains for a call, which are not closed before it leaves. */
  enter(): Served {
    this.#now.calls += 1
    return this.#now
  }

  leave(served: Served): void {
    served.calls -= 1
    this.#closeUnused()
  }

  close(): void {
    for (const { chains } of [this.#now, ...this.#before]) for (const chain of chains.values()) chain.close()
  }

  #closeUnused(): void {
    if (this.#before.size === 0) return
    const unused = [...this.#before].filter(({ calls }) => calls === 0)
    for (const served of unused) this.#before.delete(served)
    const left = new Set<Chain>([this.#now, ...this.#before].flatMap(({ chains }) => [...chains.values()]))
    for (const { chains } of unused) for (const chain of chains.values()) if (!left.has(chain)) chain.close()
  }
}

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
