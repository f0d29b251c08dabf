import type { Chain } from './chain.ts'
import type { Chains } from './chains.ts'

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
