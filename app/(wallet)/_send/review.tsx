'use client'

import { useState } from 'react'
import { useConfig } from 'wagmi'
import { type SendTransactionParameters, sendTransaction, switchChain } from 'wagmi/actions'
import { formatAddress } from '#lib/page/format.ts'
import { agreementLine } from '#lib/page/texts/chain.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { troubleOf } from '#lib/wallet/errors.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { submit } from '#lib/wallet/submit.ts'
import { Address } from '../../_ui/address.tsx'
import { Avatar } from '../../_ui/avatar.tsx'
import button from '../../_ui/button.module.css'
import { AgreementRing } from '../../_ui/quorum-ring.tsx'
import { Spinner } from '../../_ui/spinner.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import styles from './review.module.css'
import { transactions } from './store.ts'

/** Agreed blocks until a transaction counts as confirmed; two on chains with slow blocks. */
const confirmationsDefault = 3
const confirmationsByChain: Readonly<Record<number, number>> = { 1: 2 }

/** Longer amounts get a smaller font to stay in one line. */
const digitsLarge = 12

type Busy = 'switching' | 'signing' | null

const waitingFor = { switching: sendTexts.switching, signing: sendTexts.inWallet } as const

/** Shows what will be signed, including the fee, and opens the wallet. */
export function Review({ plan, onSent }: { plan: Plan; onSent: (hash: string) => void }) {
  const config = useConfig()
  const { chainId, chains, figures } = useWallet()
  const [busy, setBusy] = useState<Busy>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [unclear, setUnclear] = useState(false)
  const { intent, fee } = plan
  const { token } = intent
  const chain = chains.find(({ id }) => id === intent.chainId)
  if (!chain) return null
  const coin = chain.currency
  const { symbol, decimals } = token ?? coin
  const units = token ? token.amount : intent.value
  const exact = units === null ? tokenTexts.unlimited : figures.exact(units, decimals)
  const amount = `${exact} ${symbol}`
  const party = token?.party ?? intent.to
  const elsewhere = chainId !== intent.chainId
  const isHeld = busy !== null || unclear

  const describe = token?.action === 'approve' ? tokenTexts.approval : sendTexts.description

  async function move() {
    setBusy('switching')
    setProblem(null)
    await switchChain(config, { chainId: intent.chainId }).catch((error) =>
      setProblem(troubleOf(error).sentence),
    )
    setBusy(null)
  }
  async function send() {
    setBusy('signing')
    setProblem(null)
    const { chainId, from, to, value } = intent
    const submitted = await submit(() =>
      sendTransaction(config, {
        account: from,
        chainId,
        to,
        value,
        ...(token && { data: token.data }),
        ...(fee && { gas: fee.gas, ...fee.price }),
      } as SendTransactionParameters),
    )
    setBusy(null)
    if (submitted.kind !== 'sent') {
      setProblem(submitted.sentence)
      // Sending again needs a new plan, which is made when the form is shown again.
      return setUnclear(submitted.kind === 'unclear')
    }
    const { hash } = submitted
    transactions.add({
      hash,
      chainId,
      from,
      description: describe(amount, formatAddress(party)),
      status: 'pending',
      confirmations: confirmationsByChain[chainId] ?? confirmationsDefault,
      seen: 0,
      block: null,
      nonce: null,
      sentMs: Date.now(),
      ...(intent.hasOwners ? { sentAs: null } : {}),
    })
    onSent(hash)
  }

  return (
    <div className={styles.review}>
      <p className={styles.amount} data-long={exact.length > digitsLarge}>
        {exact} <span>{symbol}</span>
      </p>
      <dl className={styles.parties}>
        {[
          [sendTexts.from, intent.from] as const,
          [token?.action === 'approve' ? tokenTexts.spender : sendTexts.to, party] as const,
          ...(token ? [[tokenTexts.contract, intent.to] as const] : []),
        ].map(([label, address]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Avatar address={address} size={28} />
              <Address address={address} />
            </dd>
          </div>
        ))}
      </dl>
      {warningsOf(plan).map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      <dl className={styles.rows}>
        <dt>{sendTexts.network}</dt>
        <dd>{chain.name}</dd>
        {fee ? (
          <>
            <dt>{sendTexts.fee}</dt>
            <dd>
              {figures.atMost(fee.max, coin.decimals)} {coin.symbol}
            </dd>
            {!token && (
              <>
                <dt>{sendTexts.total}</dt>
                <dd>
                  {figures.atMost(intent.value + fee.max, decimals)} {symbol}
                </dd>
              </>
            )}
          </>
        ) : (
          <>
            <dt>{sendTexts.feeOfOwners}</dt>
            <dd>{sendTexts.feeOfOwnersText}</dd>
          </>
        )}
        <dt>{sendTexts.tried}</dt>
        <dd className={styles.tried}>
          {plan.block !== null && sendTexts.triedText(figures.block(plan.block))}
          {plan.agreed && (
            <span>
              <AgreementRing quorum={plan.agreed} size={22} stroke={3} />
              {agreementLine(plan.agreed)}
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
        aria-disabled={isHeld}
        onClick={() => {
          if (!isHeld) void (elsewhere ? move() : send())
        }}
      >
        {busy && <Spinner />}
        {busy ? waitingFor[busy] : elsewhere ? sendTexts.switchTo(chain.name) : sendTexts.confirm}
      </button>
    </div>
  )
}

/** Warnings before signing. */
function warningsOf({ intent: { from, to, token }, toContract }: Plan): readonly string[] {
  if (token?.action === 'approve')
    return [
      token.amount === null
        ? tokenTexts.unlimitedWarning
        : token.amount > 0n
          ? tokenTexts.approveWarning
          : tokenTexts.revokeText,
      ...(toContract || token.amount === 0n ? [] : [tokenTexts.spenderIsAccount]),
    ]
  const party = token?.party ?? to
  return [
    ...(token && party === to ? [tokenTexts.toItself] : toContract ? [sendTexts.toContract] : []),
    ...(party === from ? [sendTexts.toSelf] : []),
  ]
}
