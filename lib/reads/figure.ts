import { queryOptions } from '@tanstack/react-query'
import type { ReadChain, ReadFailure } from '#lib/page/reading.ts'
import { balanceQuery, headQuery, type QuorumRead, QuorumReadError } from './quorum-read.ts'

const pollMs = 4000

/** A figure of a chain as it is shown: the last agreed one, and why it is not the latest. */
export interface Figure<Value = bigint> {
  readonly known: QuorumRead<Value> | null
  /** When `known` was agreed, in epoch milliseconds. */
  readonly knownMs: number | null
  /** Null where `known` is the latest answer. `waiting` is a figure of an earlier visit, too. */
  readonly why: ReadFailure | 'waiting' | null
}

export const noFigure: Figure<never> = { known: null, knownMs: null, why: 'waiting' }

/** Polls the balance of an address, or without one the head of the chain. It never fails: the cache keeps the last value. */
export function figureQuery(readChain: ReadChain, chainId: number, address: `0x${string}` | undefined) {
  const read = address ? balanceQuery(chainId, { address }, readChain) : headQuery(chainId, readChain)
  return queryOptions({
    queryKey: ['chain', chainId, address ?? null],
    queryFn: (): Promise<Figure> => readFigure(read.queryFn),
    // A figure of the server is read again when its time has come, and what it did not get in time at once.
    staleTime: ({ state }) => (state.data?.why === null ? pollMs : 0),
    refetchInterval: ({ state }) => (state.data?.why === 'waiting' ? 1 : pollMs),
  })
}

/** Without an agreed value, the reason in its place. */
export async function readFigure<Value>(read: () => Promise<QuorumRead<Value>>): Promise<Figure<Value>> {
  try {
    return { known: await read(), knownMs: Date.now(), why: null }
  } catch (error) {
    return { ...noFigure, why: error instanceof QuorumReadError ? error.why : 'refused' }
  }
}
