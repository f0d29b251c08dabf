'use client'

import { Suspense, use } from 'react'
import type { ChainView } from '#lib/page/chain-view.ts'
import { type ChainState, type Painted, paintedState } from '#lib/page/shown.ts'

/** The known figures of all chains. */
export interface Board {
  readonly painted: Painted
  /** The address of the shown balances. */
  readonly address: string | undefined
  /** Figures read by the browser since the first paint. */
  readonly refreshed: Readonly<Record<number, ChainState>>
}

export interface ChainFiguresProps {
  readonly chainId: number
  readonly board: Board
  readonly children: (state: ChainState, isStreamed: boolean) => React.ReactNode
}

/** Shows the figures of a chain: those of the browser, or those of the server, which may be streamed later. */
export function ChainFigures({ chainId, board, children }: ChainFiguresProps) {
  const view = board.painted.views[chainId]
  const refreshed = board.refreshed[chainId]
  const show = (read: ChainView | null) => children(refreshed ?? stateFrom(read, board), false)
  if (!view || 'now' in view) return show(view?.now ?? null)
  return (
    <Suspense fallback={children(stateFrom(null, board), true)}>
      {refreshed ? show(null) : <Later view={view.later} show={show} />}
    </Suspense>
  )
}

function Later({ view, show }: { view: Promise<ChainView>; show: (view: ChainView) => React.ReactNode }) {
  return show(use(view))
}

/** The known figures of a chain, without waiting for the server. */
export function stateFrom(view: ChainView | null, { painted, address }: Board): ChainState {
  return paintedState(view, { asked: address, painted: painted.address })
}
