import { queryOptions } from '@tanstack/react-query'
import type { ReadChain } from '#lib/page/reading.ts'
import { type Figure, readFigure } from '#lib/reads/figure.ts'
import type { ListedToken } from '#lib/token/token-list.ts'
import { aggregate } from './aggregate.ts'
import { readOf } from './effect.ts'

/** Units by the token's address in lower case. Null is unknown: the token did not answer. */
export type TokenBalances = Readonly<Record<string, bigint | null>>

const pollMs = 30_000

interface PortfolioOptions {
  readonly chainId: number
  readonly owner: `0x${string}`
  /** Asked at each read: a visitor adds tokens. At most 300. */
  readonly tokens: () => readonly ListedToken[]
}

/** Reads the balances of an account by one call of Multicall3, at one agreed block. It never fails, as a figure. */
export function portfolioQuery(readChain: ReadChain, { chainId, owner, tokens }: PortfolioOptions) {
  return queryOptions({
    queryKey: ['chain', chainId, owner, 'tokens'],
    queryFn: (): Promise<Figure<TokenBalances>> =>
      readFigure(async () => {
        const listed = tokens()
        const reads = listed.map(({ address }) => readOf.balance(address, owner))
        const { value, ...agreed } = await aggregate(readChain, chainId, reads)
        return { ...agreed, value: balancesOf(listed, value) }
      }),
    refetchInterval: pollMs,
  })
}

type Result = Readonly<Record<'success', boolean> & Record<'returnData', string>>

function balancesOf(tokens: readonly ListedToken[], results: readonly Result[]): TokenBalances {
  return Object.fromEntries(
    tokens.map(({ address }, index) => [address.toLowerCase(), unitsIn(results[index])]),
  )
}

/** An address without a contract succeeds, and returns nothing. */
function unitsIn(result: Result | undefined): bigint | null {
  const [word] = (result?.success && /^0x[0-9a-f]{64}/.exec(result.returnData)) || []
  return word === undefined ? null : BigInt(word)
}
