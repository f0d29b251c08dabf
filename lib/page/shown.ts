import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { ChainView } from './chain-view.ts'
import type { Healths } from './healths.ts'
import { type Reading, waiting } from './reading.ts'
import type { Soon } from './soon.ts'

/** The latest reading of a figure, and the last agreed value. */
export interface Shown {
  readonly reading: Reading
  readonly known: { readonly value: unknown; readonly block: number | null } | null
}

export interface ChainState {
  readonly head: Shown
  /** Null without an address. */
  readonly balance: Shown | null
  /** The time of the last agreed answer, while the latest one is a refusal. */
  readonly since: string | null
}

export interface Card extends ChainState {
  readonly chain: ChainFacts
}

/** What the server rendered. */
export interface Painted {
  readonly views: Readonly<Record<number, Soon<ChainView>>>
  readonly healths: Soon<Healths>
  /** The address whose balances the server read. */
  readonly address: string | undefined
}

/** The figures that the server read. The balance is `waiting` for an address other than the server's. */
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
