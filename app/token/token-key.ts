import type { Figure } from '#lib/reads/figure.ts'
import type { TokenFacts } from '#lib/token/erc20.ts'

export interface QueriedToken {
  readonly chainId: number
  readonly address: `0x${string}`
  /** Whose balance is read with it. */
  readonly owner: `0x${string}` | undefined
}

/** Alone in its file: a page that only shows what the server read needs no code to read it. */
export function tokenKey({ chainId, address, owner }: QueriedToken) {
  return ['token', chainId, address, owner ?? null] as const
}

/** A token's facts without the balance, which is of another account. */
export function withoutBalance(figure: Figure<TokenFacts> | undefined): Figure<TokenFacts> | undefined {
  if (!figure?.known) return figure
  const { value, ...read } = figure.known
  return { ...figure, known: { ...read, value: { ...value, balance: null } } }
}
