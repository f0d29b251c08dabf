import { plainText } from '#lib/page/plain-text.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Intent, Plan } from '#lib/wallet/plan.ts'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { describeCall, formatTokens } from './describe.ts'
import styles from './review.module.css'

/** The transactions of what the visitor wants, one after the other, and why an old allowance is revoked first. */
export function StepList({ plan: { steps, calls } }: { plan: Plan }) {
  const { figures, chains } = useWallet()
  if (!steps) return null
  const { intents, current, allowance } = steps
  const coin = chains.find(({ id }) => id === intents[0]?.chainId)?.currency
  if (!coin) return null
  const { why, revoke } = tokenTexts.revokedFirst
  const { token, to, data } = allowance?.revocation ?? {}
  const reason = allowance && token && why(token.symbol, formatTokens(allowance.units, token, figures))
  if (calls.length > 1)
    return (
      reason && (
        <p className={styles.steps}>
          <Worded text={reason} />
        </p>
      )
    )
  const nameOf = (intent: Intent) =>
    reason && intent.to === to && intent.data === data
      ? revoke
      : describeCall(intent, { figures, coin, token: intent.token, name: intent.label?.name })
  const title = sendTexts.batch.stepsTitle(intents.length)
  return (
    <section className={styles.steps} aria-label={plainText(title)}>
      <p>
        <Worded text={reason ?? title} />
      </p>
      <ol>
        {intents.map((intent, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same call may be there twice.
          <li key={index} aria-current={index === current ? 'step' : undefined}>
            <Worded text={nameOf(intent)} />
          </li>
        ))}
      </ol>
    </section>
  )
}
