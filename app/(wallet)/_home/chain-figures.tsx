'use client'

import { Suspense, use } from 'react'
import type { ChainView } from '#lib/page/chain-view.ts'
import { type ChainState, type Painted, paintedState } from '#lib/page/shown.ts'

/** What is known of all chains' figures. */
export interface Board {
  readonly painted: Painted
  /** Whose balances are shown. */
  readonly address: string | undefined
  /** What the browser has heard since the page was painted. */
  readonly heard: Readonly<Record<number, ChainState>>
}

export interface ChainFiguresProps {
  readonly chainId: number
  readonly board: Board
  readonly children: (state: ChainState, isStreamed: boolean) => React.ReactNode
}

/** Shows a chain's figures: what the browser has heard, else what the server read, which may follow later in the same response. */
export function ChainFigures({ chainId, board, children }: ChainFiguresProps) {
  const view = board.painted.views[chainId]
  const heard = board.heard[chainId]
  const show = (read: ChainView | null) => children(heard ?? stateFrom(read, board), false)
  if (!view || 'now' in view) return show(view?.now ?? null)
  return (
    <Suspense fallback={children(stateFrom(null, board), true)}>
      {heard ? show(null) : <Later view={view.later} show={show} />}
    </Suspense>
  )
}

function Later({ view, show }: { view: Promise<ChainView>; show: (view: ChainView) => React.ReactNode }) {
  return show(use(view))
}

/** What is known of a chain without waiting for the server's answer. */
export function stateFrom(view: ChainView | null, { painted, address }: Board): ChainState {
  return paintedState(view, { asked: address, painted: painted.address })
}
