import * as known from 'viem/chains'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { confirmations, site } from '#site'
import list from '#tokens' with { type: 'json' }
import { type DemoChain, demoChains } from '../../../demo/demo-chains.ts'

/** What a test knows of a chain. A test names none itself, so that a fork's own chains can play each part. */
export interface ChainRole {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly confirmations: number
}

function roleOf({ facts, label }: DemoChain): ChainRole {
  const chain = Object.values(known).find(({ id }) => id === facts.id)
  const symbol = facts.currency?.symbol ?? chain?.nativeCurrency.symbol ?? ''
  return {
    id: facts.id,
    name: label,
    symbol,
    confirmations: confirmations[facts.id] ?? confirmations.default,
  }
}

/** All, as on the page. */
export const chains = demoChains.map(roleOf)
const [first] = chains
if (first === undefined) throw new Error('quorate.config.ts has no chain')
const others = chains.filter(({ id }) => id !== site.initialChainId)

/** Where wallets begin: that of `initialChainId`. */
export const initial = chains.find(({ id }) => id === site.initialChainId) ?? first
/** One that they have to switch to. */
export const another = others.at(-1) ?? initial
/** One that is neither, where there are three. */
export const third = others[0] ?? initial

const tokensOf = ({ id }: ChainRole) => list.tokens.filter(({ chainId }) => chainId === id)

/** Tokens of `tokens.json` on this chain, or on another one if it has too few: one of which each account of a local chain has 1,250, two that nobody has. */
export function listedTokens(wanted: ChainRole) {
  for (const chain of [wanted, ...chains]) {
    const [owned, , , empty, broken] = tokensOf(chain)
    if (owned && empty && broken) return { chain, owned, empty, broken }
  }
  throw new Error('tokens.json has five tokens of no chain')
}

/** The notice that this chain is not well, perhaps with others. */
export function degraded({ name }: ChainRole): RegExp {
  return new RegExp(`${name}[^:<]*${chainTexts.degraded('')}`)
}
