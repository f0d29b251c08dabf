import { queryOptions } from '@tanstack/react-query'
import { ask } from './ask.ts'
import { cardQuestions } from './chain-view.ts'
import { decodeHealths, type Healths } from './healths.ts'
import type { ReadFailure, Reading } from './reading.ts'

const pollMs = 4000
const healthPollMs = 8000

/** A chain's head and, with an address, its balance, agreed at one block. */
export interface ChainFigures {
  readonly head: Reading
  readonly balance: Reading | null
}

/** Thrown by the query, so that it keeps its last agreed data next to the error. */
export class RefusedError extends Error {
  readonly why: ReadFailure

  constructor(why: ReadFailure) {
    super(why)
    this.name = 'RefusedError'
    this.why = why
  }
}

interface ChainQuery {
  /** Origin of the gateway; empty for this site. */
  readonly gateway: string
  readonly chainId: number
  readonly address: string | undefined
}

/** Polls a chain for its card. */
export function chainQuery({ gateway, chainId, address }: ChainQuery) {
  return queryOptions({
    queryKey: ['chain', chainId, address ?? null],
    async queryFn({ signal }): Promise<ChainFigures> {
      const readings = await ask(gateway, chainId, cardQuestions(address), signal)
      for (const reading of readings) if (reading.state === 'refused') throw new RefusedError(reading.why)
      return { head: readings[0] as Reading, balance: readings[1] ?? null }
    },
    refetchInterval: pollMs,
  })
}

/** Polls the health of all chains. */
export function healthQuery(gateway: string) {
  return queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Healths> =>
      decodeHealths(await (await fetch(`${gateway}/api/rpc/health`, { signal, cache: 'no-store' })).json()),
    refetchInterval: healthPollMs,
  })
}
