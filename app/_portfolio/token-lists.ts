'use client'

import { useSyncExternalStore } from 'react'
import { ownStorage } from '#lib/page/stored-list.ts'
import { type ListedToken, parseTokenList } from '#lib/token/token-list.ts'
import { createAddedTokens } from '#lib/wallet/added-tokens.ts'
import list from '#tokens' with { type: 'json' }

/** The tokens of this site. Loaded with the portfolio alone. */
export const siteTokens = parseTokenList(list)

export const addedTokens = createAddedTokens(ownStorage())

/** What the visitor added comes first. */
export function tokensOf(chainId: number): readonly ListedToken[] {
  return [...addedTokens.all(), ...siteTokens].filter((token) => token.chainId === chainId)
}

export function useAddedTokens(): readonly ListedToken[] {
  return useSyncExternalStore(addedTokens.subscribe, addedTokens.all, addedTokens.all)
}
