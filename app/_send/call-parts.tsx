'use client'

import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { type Figures, formatAddress } from '#lib/page/format.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Change } from '#lib/wallet/changes.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { Address } from '../_ui/address.tsx'
import { ScrollRegion } from '../_ui/scroll-region.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { formatTokens } from './describe.ts'
import styles from './review.module.css'

const { anyCall } = sendTexts

/** The called function with its arguments as the ABI names them, else its selector; and the bytes that are signed. */
export function CallDetails({ intent, changes }: Pick<Plan, 'intent' | 'changes'>) {
  const { figures } = useWallet()
  const { label, data } = intent
  return (
    <ScrollRegion label={anyCall.function} className={styles.call}>
      <dl>
        <div>
          <dt>{anyCall.function}</dt>
          <dd translate="no">{label?.name ?? anyCall.unknown(data.slice(0, 10))}</dd>
        </div>
        {label?.args.map(({ name, type, text }) => (
          <div key={name}>
            <dt translate="no">
              {name} <span>{type}</span>
            </dt>
            <dd translate="no">
              {type === 'address' ? <Address address={text} /> : text}
              {tokenAmounts(text, changes, figures).map((amount) => (
                <span key={amount}> ({amount})</span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <details open={label === undefined}>
        <summary>{anyCall.bytes(data.length / 2 - 1)}</summary>
        <code translate="no">{data}</code>
      </details>
    </ScrollRegion>
  )
}

/** The number as an amount of each token of which the simulation moves or approves exactly as many units. */
function tokenAmounts(text: string, changes: Plan['changes'], figures: Figures): readonly string[] {
  if (!/^[1-9]\d*$/.test(text)) return []
  const units = BigInt(text)
  const amounts = (changes ?? []).flatMap(({ kind, before, after, label }) => {
    const isMoved = kind === 'balance' && (after - before === units || before - after === units)
    const isApproved = (kind === 'allowance' || kind === 'permit2') && after === units
    return label !== null && (isMoved || isApproved) ? [formatTokens(units, label, figures)] : []
  })
  return [...new Set(amounts)]
}

/** What the simulation says that changes for the sender. */
export function CallChanges({ plan: { changes, fee }, chain }: { plan: Plan; chain: ChainFacts }) {
  const { figures } = useWallet()
  if (changes === null) return null
  if (changes.length === 0)
    return (
      <>
        <dt>{anyCall.changes}</dt>
        <dd>{anyCall.nothing}</dd>
      </>
    )
  return changes.map((change) => {
    const wording = { figures, coin: chain.currency, feeMax: fee?.max ?? 0n }
    const { name, text } = describeChange(change, wording)
    return (
      <div key={`${name} ${text}`} className={styles.change}>
        <dt>{name}</dt>
        <dd>
          <span>{text}</span>
          {'token' in change && (
            <span className={styles.token} translate="no">
              {` (${formatAddress(change.token)})`}
            </span>
          )}
          {'spender' in change && (
            <span className={styles.spender}>
              <span>{anyCall.by}</span> <Address address={change.spender} />
            </span>
          )}
        </dd>
      </div>
    )
  })
}

interface Wording {
  readonly figures: Figures
  readonly coin: ChainFacts['currency']
  readonly feeMax: bigint
}

function describeChange(change: Change, { figures, coin, feeMax }: Wording): { name: string; text: string } {
  if (change.kind === 'coin') {
    const least = change.after > feeMax ? change.after - feeMax : 0n
    const text = sendTexts.atLeast(`${figures.amount(least, coin.decimals)} ${coin.symbol}`)
    return { name: sendTexts.after, text }
  }
  const { label, before, after } = change
  const amounts = (units: bigint) => (label ? formatTokens(units, label, figures) : `${units}`)
  if (change.kind === 'balance')
    return { name: sendTexts.after, text: sendTexts.afterText(amounts(after), amounts(before)) }
  if (change.kind === 'allowance' || change.kind === 'permit2')
    return { name: anyCall.mayTake, text: tokenTexts.allowanceText(amounts(after), amounts(before)) }
  const items = change.kind === 'item' ? anyCall.item(`${change.id}`) : anyCall.collection
  return { name: anyCall.mayTake, text: after > before ? items : anyCall.noMore(items) }
}
