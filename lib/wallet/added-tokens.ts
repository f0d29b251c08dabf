import { addedMax, isListedToken, keyOf, type ListedToken } from '#lib/token/token-list.ts'

const storageKey = 'quorate.tokens'

/** The tokens that the visitor added in this browser, newest first. Without storage they last until the page is left. */
export interface AddedTokens {
  readonly all: () => readonly ListedToken[]
  readonly add: (token: ListedToken) => void
  readonly remove: (token: ListedToken) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createAddedTokens(storage: Pick<Storage, 'getItem' | 'setItem'> | null): AddedTokens {
  let tokens = load(storage)
  const listeners = new Set<() => void>()
  const save = (next: readonly ListedToken[]) => {
    tokens = next
    try {
      storage?.setItem(storageKey, JSON.stringify(next))
    } catch {
      // They last as long as the page.
    }
    for (const listener of listeners) listener()
  }
  const without = (token: ListedToken) => tokens.filter((other) => keyOf(other) !== keyOf(token))
  return {
    all: () => tokens,
    add: (token) => save([token, ...without(token)]),
    remove: (token) => save(without(token)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What stands in the storage may be of another version, or of a stranger. */
function load(storage: Pick<Storage, 'getItem'> | null): readonly ListedToken[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    const tokens = Array.isArray(value) ? value.filter(isListedToken) : []
    const place = (token: ListedToken) =>
      tokens.filter(({ chainId }) => chainId === token.chainId).indexOf(token)
    return tokens.filter((token) => place(token) < addedMax)
  } catch {
    return []
  }
}
