import { queryOptions } from '@tanstack/react-query'
import type { ReadChain } from '#lib/page/reading.ts'
import { readToken, type TokenReading, tokenQuestions } from '#lib/token/erc20.ts'
import { eventQuestions, readEvents, type TokenEvents } from '#lib/token/erc20-events.ts'
import { type QueriedToken, tokenKey } from './token-key.ts'

const pollMs = 12_000

/** Polls the facts of a token and the balance of its owner. It keeps the agreed ones until there are newer ones. */
export function tokenQuery(readChain: ReadChain, token: QueriedToken) {
  const { chainId, address, owner } = token
  const queryKey = tokenKey(token)
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<TokenReading> {
      const reading = readToken(token, await readChain(chainId, tokenQuestions(address, owner)))
      return latestAgreed(client.getQueryData<TokenReading>(queryKey), reading)
    },
    refetchInterval: pollMs,
  })
}

function latestAgreed<Read extends { readonly state: string }>(last: Read | undefined, read: Read): Read {
  return read.state !== 'agreed' && last?.state === 'agreed' ? last : read
}

/** Polls the latest events of a token that involve its owner. Never throws. After a failed poll, the last agreed events stay. */
export function eventsQuery(
  readChain: ReadChain,
  { chainId, address, owner }: QueriedToken & { readonly owner: `0x${string}` },
) {
  const queryKey = ['token', 'events', chainId, address, owner]
  return queryOptions({
    queryKey,
    async queryFn({ client }): Promise<TokenEvents> {
      const [head] = await readChain(chainId, [{ method: 'eth_blockNumber', params: [] }])
      const events =
        head?.state === 'agreed'
          ? readEvents(owner, await readChain(chainId, eventQuestions(address, owner, Number(head.value))))
          : ({ state: 'refused', why: head?.state === 'refused' ? head.why : 'silent' } as const)
      return latestAgreed(client.getQueryData<TokenEvents>(queryKey), events)
    },
    refetchInterval: pollMs,
  })
}
