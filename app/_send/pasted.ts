import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { NumberMarks } from '#lib/page/format.ts'
import { requestTexts } from '#lib/page/texts/address.ts'
import { isOtherForm, readTyped } from '#lib/page/typed-address.ts'
import { typedAmount } from '#lib/wallet/units.ts'

/** What a pasted text fills in, with a summary of what is not the address; or why it cannot be sent from here. */
export interface Pasted {
  readonly draft: {
    readonly to: string
    readonly chainId?: number
    readonly amount?: string
    readonly unit?: 'coin'
  }
  readonly summary?: string
  readonly error?: string
}

interface PasteContext {
  readonly chains: readonly ChainFacts[]
  readonly chosen: ChainFacts
  readonly marks: NumberMarks
}

/** Reads a payment request, a link or another form of an address; null for a plain address and for anything else. */
export function readPasted(text: string, { chains, chosen, marks }: PasteContext): Pasted | null {
  const typed = readTyped(text)
  if (typed.kind !== 'address' || !isOtherForm(text)) return null
  const { address, chainId, value } = typed
  const named = chains.find(({ id }) => id === chainId)
  if (chainId !== undefined && !named)
    return { draft: { to: text }, error: requestTexts.unknownNetwork(chainId) }
  const { decimals, symbol } = (named ?? chosen).currency
  const amount = value === undefined ? null : typedAmount(value, decimals, marks)
  const parts = [...(named ? [named.name] : []), ...(amount === null ? [] : [`${amount} ${symbol}`])]
  return {
    draft: {
      to: address,
      ...(named && { chainId: named.id }),
      ...(amount !== null && { amount, unit: 'coin' }),
    },
    ...(parts.length > 0 && { summary: parts.join(', ') }),
  }
}
