import { createStoredList, type ItemStorage } from '#lib/page/stored-list.ts'
import { addedMax, isListedToken, keyOf, type ListedToken } from '#lib/token/token-list.ts'

/** The tokens that the visitor added in this browser, newest first. */
export function createAddedTokens(storage: ItemStorage | null) {
  const list = createStoredList(storage, 'quorate.tokens', isListedToken)
  list.set(trim(list.get()))
  const replace = (token: ListedToken, by: readonly ListedToken[]) =>
    list.save((tokens) => trim([...by, ...tokens.filter((other) => keyOf(other) !== keyOf(token))]))
  return {
    all: list.get,
    add: (token: ListedToken) => replace(token, [token]),
    remove: (token: ListedToken) => replace(token, []),
    subscribe: list.subscribe,
  }
}

/** One call reads so many. */
function trim(tokens: readonly ListedToken[]): readonly ListedToken[] {
  const place = (token: ListedToken) =>
    tokens.filter(({ chainId }) => chainId === token.chainId).indexOf(token)
  return tokens.filter((token) => place(token) < addedMax)
}
