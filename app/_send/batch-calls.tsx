import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Plan, PlannedCall } from '#lib/wallet/plan.ts'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { CallDetails } from './call-parts.tsx'
import { formatTokens, nameCall, type Wording } from './describe.ts'
import styles from './review.module.css'
import { Parties, partiesOf } from './review-parts.tsx'

interface Props {
  readonly calls: Plan['calls']
  /** Of all of them. */
  readonly changes: Plan['changes']
  readonly coin: ChainFacts['currency']
}

/** Calls that the wallet carries out as one, in their order. */
export function BatchCalls({ calls, changes, coin }: Props) {
  const { figures } = useWallet()
  const { headline, text } = sendTexts.batch
  return (
    <>
      <p className={styles.headline}>
        <Worded text={headline(calls.length)} />
      </p>
      <p className={styles.hint}>{text}</p>
      <Parties parties={partiesOf(calls[0]).slice(0, 1)} />
      <ol className={styles.batch}>
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same call may be there twice.
          <li key={index}>
            <h3 className={styles.headline}>
              <Worded text={titleOf(call, { figures, coin })} />
            </h3>
            <Parties parties={partiesOf(call).slice(1)} />
            {call.meaning.kind === 'call' && <CallDetails call={call} changes={changes} coin={coin} />}
          </li>
        ))}
      </ol>
    </>
  )
}

/** What it does, without to whom. */
function titleOf(call: PlannedCall, wording: Wording): string {
  const { intent, meaning } = call
  const { figures, coin } = wording
  const { token, value } = intent
  const { approve, send, paying } = sendTexts.batch
  const coins = formatTokens(value, coin, figures)
  const name = nameCall(call, wording)
  if (meaning.kind === 'call') return value === 0n ? name : paying(name, coins)
  if (meaning.kind === 'pay') return send(coins)
  const amount = token ? formatTokens(meaning.amount, token, figures) : `${meaning.amount}`
  if (meaning.kind === 'transfer') return send(amount)
  return meaning.amount === 0n ? tokenTexts.revoke : approve(amount)
}
