import { queryOptions } from '@tanstack/react-query'
import type { AskChain, Refusal } from '#lib/page/reading.ts'
import { balanceQuery, headQuery, type QuorumRead, QuorumReadError } from './quorum-read.ts'

const pollMs = 4000

/** A figure of a chain as it is shown: the last agreed one, and why it is not the latest. */
export interface Figure {
  readonly known: QuorumRead<bigint> | null
  /** Null where `known` is the latest answer. `waiting` is a figure of an earlier visit, too. */
  readonly why: Refusal | 'waiting' | null
  /** Since when there is no answer, in epoch milliseconds. */
  readonly sinceMs: number | null
}

export const noFigure: Figure = { known: null, why: 'waiting', sinceMs: null }

/** Polls the balance of an address, or without one the head of the chain. It never fails: a refusal stands beside the last value. */
export function figureQuery(ask: AskChain, chainId: number, address: `0x${string}` | undefined) {
  const read = address ? balanceQuery(chainId, { address }, ask) : headQuery(chainId, ask)
  const queryKey = ['chain', chainId, address ?? null] as const
  return queryOptions({
    queryKey,
    async queryFn({ client, signal }): Promise<Figure> {
      const state = client.getQueryState<Figure>(queryKey)
      try {
        return { known: await read.queryFn({ signal }), why: null, sinceMs: null }
      } catch (error) {
        const { known, why, sinceMs } = state?.data ?? noFigure
        const lastMs = why === null ? state?.dataUpdatedAt : sinceMs
        return {
          known,
          why: error instanceof QuorumReadError ? error.why : 'refused',
          sinceMs: known && lastMs ? lastMs : null,
        }
      }
    },
    // What the server did not get in time is read at once.
    refetchInterval: ({ state }) => (state.data?.why === 'waiting' ? 1 : pollMs),
  })
}
