import { checksumAddress } from 'viem'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { type Figures, formatAddress, formatName } from '#lib/page/format.ts'
import { sentence } from '#lib/page/sentence.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { DescribedAmount, DescribedText } from '#lib/wallet/call-display.ts'
import { decodeCall, isUnlimitedAmount, type WalletCall } from '#lib/wallet/meaning.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import type { TokenLabel } from '#lib/wallet/reviewed.ts'

/** How amounts are written. */
export interface Wording {
  readonly figures: Figures
  readonly coin: ChainFacts['currency']
}

/** How a call is written. */
export interface CallWording extends Wording {
  /** Of the called token; without it its amounts cannot be written. */
  readonly token?: TokenLabel | undefined
  /** Of the called function. */
  readonly name?: string | undefined
  readonly address?: (address: string) => string
}

type Described = Pick<WalletCall, 'value' | 'data'> & { readonly to: WalletCall['to'] | null }

/** A call as a sentence: what it sends and to whom, as its bytes say. */
export function describeCall({ to, value, data }: Described, wording: CallWording): string {
  const { figures, coin, token, name, address: format = formatAddress } = wording
  const address = (of: `0x${string}`) => format(checksumAddress(of))
  const coins = formatTokens(value, coin, figures)
  if (to === null) return sendTexts.create
  const meaning = decodeCall({ to, value, data })
  if (meaning.kind === 'pay') return sendTexts.description(coins, address(to))
  if (meaning.kind === 'call' || token === undefined)
    return sendTexts.call(address(to), value === 0n ? null : coins, name)
  const describe = meaning.kind === 'approve' ? tokenTexts.approval : sendTexts.description
  return describe(formatTokens(meaning.amount, token, figures), address(meaning.party))
}

/** What a plan sends, each call as a sentence. A name stands before the address that it leads to. */
export function describeCalls(plan: Plan, wording: Wording): string {
  return sendTexts.batch.and(
    plan.calls.map(({ intent }) => {
      const { token, label, named } = intent
      return describeCall(intent, {
        ...wording,
        token,
        name: label?.name,
        ...(named && { address: (party) => `${formatName(named.name)} (${formatAddress(party)})` }),
      })
    }),
  )
}

/** What a descriptor says. An amount of a token that does not say how it is written has its address. */
export function writeText(text: DescribedText, { figures, coin }: Wording): string {
  const write = ({ token, label, units }: DescribedAmount) => {
    if (token === null)
      return units === null ? coin.symbol : `${figures.exact(units, coin.decimals)} ${coin.symbol}`
    if (label) return units === null ? label.symbol : formatTokens(units, label, figures)
    return units === null ? formatAddress(token) : `${units} ${formatAddress(token)}`
  }
  return text.map((part) => (typeof part === 'string' ? part : sentence`${write(part)}`)).join('')
}

/** The same as a headline: addresses are written short, and in full below it. */
export function writeSentence(text: DescribedText, wording: Wording): string {
  return writeText(text, wording).replaceAll(
    /0x[0-9a-fA-F]{40}/g,
    (address) => sentence`${formatAddress(address)}`,
  )
}

/** What any call does, in the words of its descriptor, else by its function. */
export function nameCall({ intent: { label }, display }: PlannedCall, wording: Wording): string {
  if (display) return writeSentence(display.sentence, wording)
  return label ? sentence`${label.name}` : sendTexts.anyCall.headline
}

/** An amount of a token with all digits, and its symbol. */
export function formatTokens(amount: bigint, { symbol, decimals }: TokenLabel, figures: Figures): string {
  return `${isUnlimitedAmount(amount) ? tokenTexts.unlimited : figures.exact(amount, decimals)} ${symbol}`
}
