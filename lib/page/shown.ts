import type { ChainFacts } from '#lib/chains.ts'
import type { ChainView } from './chain-view.ts'
import type { ChainHealth, Healths } from './healths.ts'
import { type Reading, waiting } from './reading.ts'

/** A figure as it stands: the latest reading and, while that is not agreed, what was agreed before. */
export interface Shown {
  readonly reading: Reading
  readonly known: { readonly value: unknown; readonly block: number | null } | null
}

/** One chain's card. */
export interface Card {
  readonly chain: ChainFacts
  readonly health: ChainHealth
  readonly head: Shown
  /** Null while nobody's balance is asked for. */
  readonly balance: Shown | null
}

export interface Painted {
  readonly views: readonly ChainView[]
  readonly healths: Healths
  /** Whose balances the server read. */
  readonly address: string | undefined
}

/** The cards as the server painted them. Balances of anybody else than the one it read for are still to come. */
export function paintedCards(
  chains: readonly ChainFacts[],
  { views, healths, address }: Painted,
  asked: string | undefined,
): readonly Card[] {
  return chains.map((chain) => {
    const view = views.find(({ chainId }) => chainId === chain.id)
    const balance = (asked === address ? view?.balance : null) ?? waiting
    return {
      chain,
      health: healths[chain.id] ?? 'unknown',
      head: shown(view?.head ?? waiting),
      balance: asked ? shown(balance) : null,
    }
  })
}

export function shown(reading: Reading, known: Shown['known'] = null): Shown {
  return {
    reading,
    known: reading.state === 'agreed' ? { value: reading.value, block: reading.block } : known,
  }
}
