import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ReadChain } from '#lib/page/reading.ts'
import { type Figure, readFigure } from '#lib/reads/figure.ts'
import { agreedRead, headQuery, type QuorumRead } from '#lib/reads/quorum-read.ts'
import { readToken, type TokenFacts, tokenQuestions } from '#lib/token/erc20.ts'
import { eventQuestions, readEvents, type TokenEvent } from '#lib/token/erc20-events.ts'
import { preferKnown } from '#lib/wallet/query-cache.ts'
import { type QueriedToken, tokenKey } from './token-key.ts'

/** Polls the facts of a token and the balance of its owner. It never fails, as a figure. */
export function tokenQuery(readChain: ReadChain, token: QueriedToken) {
  const { chainId, address, owner } = token
  return polled<TokenFacts>(tokenKey(token), async () =>
    readToken(token, await readChain(chainId, tokenQuestions(address, owner))),
  )
}

/** Polls the latest events of a token that involve its owner. It never fails, as a figure. */
export function eventsQuery(
  readChain: ReadChain,
  { chainId, address, owner }: QueriedToken & { readonly owner: `0x${string}` },
) {
  return polled<readonly TokenEvent[]>(['token', 'events', chainId, address, owner], async () => {
    const head = await headQuery(chainId, readChain).queryFn()
    const readings = await readChain(chainId, eventQuestions(address, owner, Number(head.value)))
    const logs = readings.flatMap((reading) => agreedRead(reading).value as readonly unknown[])
    return { ...head, value: readEvents(owner, logs) }
  })
}

function polled<Value>(queryKey: readonly unknown[], read: () => Promise<QuorumRead<Value>>) {
  return queryOptions({
    queryKey,
    queryFn: async ({ client }: { client: QueryClient }) =>
      preferKnown(client.getQueryData(queryKey), await readFigure(read)) as Figure<Value>,
    refetchInterval: 12_000,
  })
}
