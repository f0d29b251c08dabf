import * as known from 'viem/chains'
import { site } from '#site'
import { type DemoChain, demoChains } from '../../../demo/demo-chains.ts'

/** What a test knows of a chain. A test names none itself, so that a fork's own chains can play each part. */
export interface ChainRole {
  readonly id: number
  readonly name: string
  readonly symbol: string
}

function roleOf({ facts, label }: DemoChain): ChainRole {
  const chain = Object.values(known).find(({ id }) => id === facts.id)
  const symbol = facts.currency?.symbol ?? chain?.nativeCurrency.symbol ?? ''
  return { id: facts.id, name: label, symbol }
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
