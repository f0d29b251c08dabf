'use client'

import { useState } from 'react'
import { useConfig } from 'wagmi'
import { sendTransaction, switchChain } from 'wagmi/actions'
import { ask } from '#lib/page/ask.ts'
import { formatAddress } from '#lib/page/format.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { namesItself } from '#lib/wallet/calls.ts'
import { troubleOf, troubleOfSend } from '#lib/wallet/errors.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { nonceBefore } from '#lib/wallet/track.ts'
import { Address } from '../../_ui/address.tsx'
import { Avatar } from '../../_ui/avatar.tsx'
import button from '../../_ui/button.module.css'
import { QuorumRing } from '../../_ui/quorum-ring.tsx'
import { Spinner } from '../../_ui/spinner.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import styles from './review.module.css'
import { transactions } from './store.ts'

/** Agreed blocks until a transaction counts as confirmed; where blocks are slow, two. */
const confirmationsDefault = 3
const confirmationsByChain: Readonly<Record<number, number>> = { 1: 2 }

/** What has been sent is written down by then, with its nonce or without. */
const nonceWithinMs = 1500

/** What is longer is written smaller, so that it stays in one line. */
const digitsLarge = 12

type Busy = 'switching' | 'signing' | null

const waitingFor = { switching: sendTexts.switching, signing: sendTexts.inWallet } as const

/** What will be signed, down to the fee; and the step into the wallet. */
export function Review({ plan, onSent }: { plan: Plan; onSent: (hash: string) => void }) {
  const config = useConfig()
  const { chainId, chains, gateway, figures } = useWallet()
  const [busy, setBusy] = useState<Busy>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { intent, feeMax, gas, maxFeePerGas, maxPriorityFeePerGas } = plan
  const chain = chains.find(({ id }) => id === intent.chainId)
  if (!chain) return null
  const { symbol, decimals } = chain.currency
  const exact = figures.exact(intent.value, decimals)
  const amount = `${exact} ${symbol}`
  const elsewhere = chainId !== intent.chainId

  async function act(step: Exclude<Busy, null>, work: () => Promise<void>) {
    setBusy(step)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem((step === 'signing' ? troubleOfSend : troubleOf)(error).sentence)
    } finally {
      setBusy(null)
    }
  }
  const move = () =>
    act('switching', async () => {
      await switchChain(config, { chainId: intent.chainId })
    })
  const send = () =>
    act('signing', async () => {
      // Begun before the wallet is asked, whose window must not wait: browsers open it only right after a click.
      const nonce = nonceBefore(intent.from, (questions) =>
        ask(gateway, intent.chainId, questions, AbortSignal.timeout(nonceWithinMs)),
      )
      const hash = await sendTransaction(config, {
        account: intent.from,
        chainId: intent.chainId,
        to: intent.to,
        value: intent.value,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      })
      transactions.add({
        hash,
        chainId: intent.chainId,
        from: intent.from,
        description: sendTexts.description(amount, formatAddress(intent.to)),
        status: 'pending',
        confirmations: confirmationsByChain[intent.chainId] ?? confirmationsDefault,
        seen: 0,
        block: null,
        nonce: await nonce,
        sentMs: Date.now(),
        ...(namesItself(config) ? { sentAs: null } : {}),
      })
      onSent(hash)
    })

  return (
    <div className={styles.review}>
      <p className={styles.amount} data-long={exact.length > digitsLarge}>
        {exact} <span>{symbol}</span>
      </p>
      <dl className={styles.parties}>
        {(['from', 'to'] as const).map((party) => (
          <div key={party}>
            <dt>{sendTexts[party]}</dt>
            <dd>
              <Avatar address={intent[party]} size={28} />
              <Address address={intent[party]} />
            </dd>
          </div>
        ))}
      </dl>
      {plan.toContract && <p className={styles.warning}>{sendTexts.toContract}</p>}
      {intent.to === intent.from && <p className={styles.warning}>{sendTexts.toSelf}</p>}
      <dl className={styles.rows}>
        <dt>{sendTexts.network}</dt>
        <dd>{chain.name}</dd>
        <dt>{sendTexts.fee}</dt>
        <dd>
          {figures.atMost(feeMax, decimals)} {symbol}
        </dd>
        <dt>{sendTexts.total}</dt>
        <dd>
          {figures.atMost(intent.value + feeMax, decimals)} {symbol}
        </dd>
        <dt>{sendTexts.tried}</dt>
        <dd className={styles.tried}>
          {plan.block !== null && sendTexts.triedText(figures.block(plan.block))}
          {plan.agreed && (
            <span>
              <QuorumRing quorum={plan.agreed} size={22} stroke={3} />
              {chainTexts.agreement(figures.weight(plan.agreed.agreed), figures.weight(plan.agreed.total))}
            </span>
          )}
        </dd>
      </dl>
      <p className={styles.hint}>{sendTexts.compare}</p>
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      <button
        type="button"
        className={button.submit}
        aria-disabled={busy !== null}
        onClick={() => void (busy ?? (elsewhere ? move() : send()))}
      >
        {busy && <Spinner />}
        {busy ? waitingFor[busy] : elsewhere ? sendTexts.switchTo(chain.name) : sendTexts.confirm}
      </button>
    </div>
  )
}
