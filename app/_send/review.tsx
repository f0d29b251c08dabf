'use client'

import { useState } from 'react'
import { useConfig } from 'wagmi'
import { type SendTransactionParameters, sendTransaction, switchChain } from 'wagmi/actions'
import { sendTexts } from '#lib/page/texts/send.ts'
import { type Plan, reviewedOf } from '#lib/wallet/plan.ts'
import { submit } from '#lib/wallet/submit.ts'
import { walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import { confirmations } from '#site'
import button from '../_ui/button.module.css'
import { Spinner } from '../_ui/spinner.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { Steps, type StepsProps } from './approval-steps.tsx'
import { CallDetails } from './call-parts.tsx'
import { describeCall } from './describe.ts'
import { transactions } from './own-transactions.ts'
import styles from './review.module.css'
import { Amount, Figures, Parties } from './review-parts.tsx'
import { warningsOf } from './warnings.ts'

type Busy = 'switching' | 'signing' | null

const waitingFor = { switching: sendTexts.switching, signing: sendTexts.inWallet } as const

export interface ReviewProps {
  readonly plan: Plan
  /** Set while two transactions are needed for what the visitor wants. */
  readonly step: StepsProps | null
  readonly onSent: (hash: string) => void
}

/** Shows what will be signed, including the fee, and opens the wallet. */
export function Review({ plan, step, onSent }: ReviewProps) {
  const config = useConfig()
  const { chainId, chains, figures } = useWallet()
  const [busy, setBusy] = useState<Busy>(null)
  const [error, setError] = useState<string | null>(null)
  const [switchError, setSwitchError] = useState<string | null>(null)
  const [unclear, setUnclear] = useState(false)
  const [isAccepted, setAccepted] = useState(false)
  const { intent, fee } = plan
  const chain = chains.find(({ id }) => id === intent.chainId)
  if (!chain) return null
  const coin = chain.currency
  const switchText = switchError === null ? sendTexts.switchTo : sendTexts.switchAgain
  const elsewhere = chainId !== intent.chainId
  // What the wallet says of its chain counts, whatever it answers.
  const waiting = busy === 'switching' && !elsewhere ? null : busy
  const warnings = warningsOf(plan)
  const isDangerous = warnings.some(({ isDanger }) => isDanger)
  const isDisabled = waiting !== null || unclear || (isDangerous && !isAccepted && !elsewhere)

  async function move() {
    setBusy('switching')
    setSwitchError(null)
    await switchChain(config, { chainId: intent.chainId }).catch((error) =>
      setSwitchError(walletErrorOf(error).sentence),
    )
    setBusy((now) => (now === 'switching' ? null : now))
  }
  async function send() {
    setBusy('signing')
    setError(null)
    const { chainId, from, to, value, data, token } = intent
    const submitted = await submit(() =>
      sendTransaction(config, {
        account: from,
        chainId,
        to,
        value,
        ...(data !== '0x' && { data }),
        ...(fee && { gas: fee.gas, ...fee.price }),
      } as SendTransactionParameters),
    )
    setBusy(null)
    if (submitted.kind !== 'sent') {
      setError(submitted.sentence)
      // Sending again needs a new plan, which is made when the form is shown again.
      return setUnclear(submitted.kind === 'unclear')
    }
    const { hash } = submitted
    transactions.add({
      hash,
      chainId,
      from,
      description: describeCall(intent, { figures, coin, token, name: intent.label?.name }),
      status: 'pending',
      confirmations: confirmations[chainId] ?? confirmations.default,
      seen: 0,
      block: null,
      nonce: null,
      sentMs: Date.now(),
      reviewed: reviewedOf(plan),
      ...(intent.hasOwners ? { sentAs: null } : {}),
    })
    onSent(hash)
  }

  return (
    <div className={styles.review}>
      {step && <Steps {...step} />}
      <Amount plan={plan} coin={coin} />
      <Parties plan={plan} />
      {plan.meaning.kind === 'call' && <CallDetails intent={intent} />}
      {warnings.map(({ text, isDanger }) => (
        <p key={text} className={styles.warning} data-danger={isDanger}>
          {text}
        </p>
      ))}
      <Figures plan={plan} chain={chain} />
      <p className={styles.hint}>{sendTexts.compare}</p>
      {isDangerous && (
        <label className={styles.accept}>
          <input
            type="checkbox"
            checked={isAccepted}
            onChange={(event) => setAccepted(event.target.checked)}
          />
          <span>{sendTexts.accept}</span>
        </label>
      )}
      <p className={styles.error} role="alert">
        {elsewhere ? switchError : error}
      </p>
      <button
        type="button"
        className={isDangerous && !elsewhere ? button.danger : button.submit}
        aria-disabled={isDisabled}
        onClick={() => {
          if (!isDisabled) void (elsewhere ? move() : send())
        }}
      >
        {waiting && <Spinner />}
        <span>{waiting ? waitingFor[waiting] : elsewhere ? switchText(chain.name) : sendTexts.confirm}</span>
      </button>
    </div>
  )
}
