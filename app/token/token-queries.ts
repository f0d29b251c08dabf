import { queryOptions } from '@tanstack/react-query'
import type { ReadChain } from '#lib/page/reading.ts'
import { headQuery } from '#lib/reads/quorum-read.ts'
import { readToken, type TokenReading, tokenQuestions } from '#lib/token/erc20.ts'
import { eventQuestions, readEvents, type TokenEvents } from '#lib/token/erc20-events.ts'
import { tokenKey } from './token-key.ts'

const pollMs = 12_000

interface Token {
  readonly chainId: number
  readonly address: `0x${string}`
}

/** Polls the facts of a token and the balance of its owner. It keeps the agreed ones until there are newer ones. */
export function tokenQuery(
  readChain: ReadChain,
  { chainId, address, owner }: Token & { readonly owner: `0x${string}` | undefined },
) {
  const queryKey = tokenKey({ chainId, address, owner })
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<TokenReading> {
      const reading = readToken(
        { chainId, address },
        await readChain(chainId, tokenQuestions(address, owner)),
      )
      const last = client.getQueryData<TokenReading>(queryKey)
      return reading.state !== 'agreed' && last?.state === 'agreed' ? last : reading
    },
    refetchInterval: pollMs,
  })
}

/** Polls the latest events of a token that concern its owner. */
export function eventsQuery(
  readChain: ReadChain,
  { chainId, address, owner }: Token & { readonly owner: `0x${string}` },
) {
  return queryOptions({
    queryKey: ['token', 'events', chainId, address, owner],
    async queryFn(): Promise<TokenEvents> {
      const { value: head } = await headQuery(chainId, readChain).queryFn()
      return readEvents(owner, await readChain(chainId, eventQuestions(address, owner, Number(head))))
    },
    refetchInterval: pollMs,
  })
}
