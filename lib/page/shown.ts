import type { ChainFacts } from '#lib/chains.ts'
import type { ChainView } from './chain-view.ts'
import type { Healths } from './healths.ts'
import { type Reading, waiting } from './reading.ts'
import type { Soon } from './soon.ts'

/** A figure as it stands: the latest reading and, while that is not agreed, what was agreed before. */
export interface Shown {
  readonly reading: Reading
  readonly known: { readonly value: unknown; readonly block: number | null } | null
}

/** One chain's figures. */
export interface ChainState {
  readonly head: Shown
  /** Null while nobody's balance is asked for. */
  readonly balance: Shown | null
  /** The time of day of the last agreed answer, while there is none now. */
  readonly since: string | null
}

/** One chain's card. */
export interface Card extends ChainState {
  readonly chain: ChainFacts
}

/** What the server read for the page. */
export interface Painted {
  readonly views: Readonly<Record<number, Soon<ChainView>>>
  readonly healths: Soon<Healths>
  /** Whose balances the server read. */
  readonly address: string | undefined
}

/** The figures as the server read them. Balances of anybody else than the one it read for are still to come. */
export function paintedState(
  view: ChainView | null,
  { asked, painted }: { readonly asked: string | undefined; readonly painted: string | undefined },
): ChainState {
  const balance = (asked === painted ? view?.balance : null) ?? waiting
  return { head: shown(view?.head ?? waiting), balance: asked ? shown(balance) : null, since: null }
}

export function shown(reading: Reading, known: Shown['known'] = null): Shown {
  return {
    reading,
    known: reading.state === 'agreed' ? { value: reading.value, block: reading.block } : known,
  }
}
