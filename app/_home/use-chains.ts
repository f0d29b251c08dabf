'use client'

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ChainFigures, chainQuery, healthQuery, RefusedError } from '#lib/page/chain-query.ts'
import type { ChainView } from '#lib/page/chain-view.ts'
import { formatTime } from '#lib/page/format.ts'
import type { Healths } from '#lib/page/healths.ts'
import { type Reading, waiting } from '#lib/page/reading.ts'
import { type ChainState, type Painted, type Shown, shown } from '#lib/page/shown.ts'
import { useWallet } from '../_wallet/wallet.ts'

export interface Refresh {
  /** Readings of the chains since the page was loaded. */
  readonly refreshed: Readonly<Record<number, ChainState>>
  readonly healths: Healths | undefined
}

/** Polls the chains after the first paint, beginning with what the server read for this address. */
export function useChains(painted: Painted, address: string | undefined): Refresh {
  const { chains, gateway } = useWallet()
  usePaintedViews(painted, address)
  const results = useQueries({
    queries: chains.map(({ id: chainId }) => chainQuery({ gateway, chainId, address })),
  })
  const { data: healths } = useQuery(healthQuery(gateway))
  const refreshed: Record<number, ChainState> = {}
  for (const [index, { id }] of chains.entries()) {
    const state = stateOf(results[index] as Result, address)
    if (state) refreshed[id] = state
  }
  return { refreshed, healths }
}

/** Fills the cache with the server's figures, unless it has newer ones. */
function usePaintedViews({ views, address: paintedFor }: Painted, address: string | undefined): void {
  const queries = useQueryClient()
  const { gateway } = useWallet()
  useEffect(() => {
    if (address !== paintedFor) return
    for (const [id, view] of Object.entries(views)) {
      const { queryKey } = chainQuery({ gateway, chainId: Number(id), address })
      const keep = (read: ChainView) => {
        if (isAgreed(read, address)) queries.setQueryData(queryKey, (known) => known ?? read)
      }
      if ('now' in view) keep(view.now)
      else void view.later.then(keep)
    }
  }, [queries, gateway, views, paintedFor, address])
}

interface Result {
  readonly data: ChainFigures | undefined
  readonly dataUpdatedAt: number
  readonly error: Error | null
}

/** Null while nothing is known. */
function stateOf({ data, dataUpdatedAt, error }: Result, address: string | undefined): ChainState | null {
  if (!data && !error) return null
  const refusal: Reading | null = error
    ? { state: 'refused', why: error instanceof RefusedError ? error.why : 'unreachable', answer: null }
    : null
  // Restored from an earlier visit: shown as known, not as currently agreed.
  const instead = refusal ?? (dataUpdatedAt < performance.timeOrigin ? waiting : null)
  const show = (reading: Reading | null | undefined): Shown =>
    instead ? shown(instead, reading ? shown(reading).known : null) : shown(reading as Reading)
  return {
    head: show(data?.head),
    balance: address ? show(data?.balance) : null,
    since: refusal && data ? formatTime(dataUpdatedAt) : null,
  }
}

function isAgreed(view: ChainView, address: string | undefined): boolean {
  return view.head.state === 'agreed' && (!address || view.balance?.state === 'agreed')
}
