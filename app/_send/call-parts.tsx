import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { type Figures, formatAddress } from '#lib/page/format.ts'
import { plainText } from '#lib/page/plain-text.ts'
import { sentence } from '#lib/page/sentence.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { DescribedText } from '#lib/wallet/call-display.ts'
import type { CallArgument } from '#lib/wallet/call-label.ts'
import type { Change } from '#lib/wallet/changes.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { keyOfFigure } from '#lib/wallet/watched.ts'
import { Address } from '../_ui/address.tsx'
import { ScrollRegion } from '../_ui/scroll-region.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { formatTokens, type Wording, writeText } from './describe.ts'
import styles from './review.module.css'

const { anyCall } = sendTexts

interface DetailsProps {
  readonly call: PlannedCall
  readonly changes: Plan['changes']
  readonly coin: ChainFacts['currency']
}

/**
 * What the descriptor says of a call, and which arguments it leaves out; else the function with its arguments as the ABI names them.
 * The bytes that are signed are one press away.
 */
export function CallDetails({ call: { intent, display }, changes, coin }: DetailsProps) {
  const { figures } = useWallet()
  const { data, value } = intent
  const called = display ?? intent.label
  const isNamed = display?.amounts.some(({ token, units }) => token === null && units === value)
  const write = (text: DescribedText) => writeText(text, { figures, coin })
  const whole = (
    <dl>
      <div>
        <dt>{anyCall.function}</dt>
        <dd>
          <Worded text={called ? sentence`${called.name}` : anyCall.unknown(data.slice(0, 10))} />
        </dd>
      </div>
      <Arguments args={called?.args ?? []} changes={changes} />
    </dl>
  )
  return (
    <ScrollRegion label={anyCall.function} className={styles.call}>
      {display ? (
        <dl>
          {display.fields.map(({ label, value: text, address }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same field may be there twice.
            <div key={index}>
              <dt>{label}</dt>
              <dd translate="no">
                <Worded text={plainText(write(text)) !== address && write(text)} />
                {address && <Address address={address} />}
              </dd>
            </div>
          ))}
          {value > 0n && !isNamed && (
            <div>
              <dt>{anyCall.paid}</dt>
              <dd translate="no">{write([{ token: null, label: null, units: value }])}</dd>
            </div>
          )}
          {display.omitted.length > 0 && (
            <div>
              <dt>{anyCall.omitted}</dt>
            </div>
          )}
          <Arguments args={display.omitted} changes={changes} />
        </dl>
      ) : (
        whole
      )}
      <details open={called === undefined}>
        <summary>
          <Worded text={anyCall.bytes(data.length / 2 - 1)} />
        </summary>
        {display && whole}
        <code translate="no">{data}</code>
      </details>
    </ScrollRegion>
  )
}

function Arguments({ args, changes }: { args: readonly CallArgument[]; changes: Plan['changes'] }) {
  const { figures } = useWallet()
  return args.map(({ name, type, text }) => (
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
  ))
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

/** What changes for the sender. */
export function CallChanges({ changes, fee, chain }: Pick<Plan, 'changes' | 'fee'> & { chain: ChainFacts }) {
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
      <div key={keyOfFigure(change)} className={styles.change}>
        <dt>{name}</dt>
        <dd>
          <Worded text={text} />
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

function describeChange(
  change: Change,
  { figures, coin, feeMax }: Wording & { readonly feeMax: bigint },
): { name: string; text: string } {
  if (change.kind === 'coin') {
    const least = change.after > feeMax ? change.after - feeMax : 0n
    const coins = `${figures.amount(least, coin.decimals)} ${coin.symbol}`
    return { name: sendTexts.after, text: sendTexts.atLeast(coins) }
  }
  const { label, before, after } = change
  const amounts = (units: bigint) => (label ? formatTokens(units, label, figures) : `${units}`)
  const moved = [amounts(after), amounts(before)] as const
  if (change.kind === 'balance') return { name: sendTexts.after, text: sendTexts.afterText(...moved) }
  if (change.kind === 'items' || change.kind === 'owned') {
    const items = plainText(anyCall.items(`${after}`, `${change.id}`))
    return { name: sendTexts.after, text: sendTexts.afterText(items, `${before}`) }
  }
  if (change.kind === 'allowance' || change.kind === 'permit2')
    return { name: anyCall.mayTake, text: tokenTexts.allowanceText(...moved) }
  const items = change.kind === 'item' ? anyCall.item(`${change.id}`) : anyCall.collection
  return { name: anyCall.mayTake, text: after > before ? items : anyCall.noMore(items) }
}
