import { useSyncExternalStore } from 'react'
import { ownStorage } from '#lib/page/stored-list.ts'
import { siteTokens } from '#lib/token/label-doubts.ts'
import { keyOf, type ListedToken } from '#lib/token/token-list.ts'
import { createAddedTokens } from '#lib/wallet/added-tokens.ts'

export const addedTokens = createAddedTokens(ownStorage())

/** Added tokens come first. For a token in both lists, the site's entry is used. */
export function tokensOf(chainId: number): readonly ListedToken[] {
  const all = [...addedTokens.all(), ...siteTokens].filter((token) => token.chainId === chainId)
  return [...new Map(all.map((token) => [keyOf(token), token])).values()]
}

export function useAddedTokens(): readonly ListedToken[] {
  return useSyncExternalStore(addedTokens.subscribe, addedTokens.all, addedTokens.all)
}
