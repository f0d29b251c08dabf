'use client'

import { type FormEvent, useState } from 'react'
import { useConfig } from 'wagmi'
import { ask } from '#lib/page/ask.ts'
import { requestTexts } from '#lib/page/texts/address.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { readTyped, type Typed } from '#lib/page/typed-address.ts'
import { type TokenAction, type TokenFacts, tokenCall, unlimited } from '#lib/token/erc20.ts'
import { hasOwners } from '#lib/wallet/calls.ts'
import { type Plan, planSend } from '#lib/wallet/plan.ts'
import { parseAmount } from '#lib/wallet/units.ts'
import { AmountField, PartyField } from '../_send/fields.tsx'
import { findProblems, type Problems, problemOf, useFirstProblem } from '../_send/problems.ts'
import form from '../_send/send-form.module.css'
import button from '../_ui/button.module.css'
import { Spinner } from '../_ui/spinner.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './token.module.css'

/** The current input. It is kept while the review is shown. */
export interface TokenDraft {
  readonly party: string
  readonly amount: string
  readonly isUnlimited: boolean
}

export interface ActionFormProps {
  readonly action: TokenAction
  readonly token: TokenFacts
  readonly chainId: number
  /** In the smallest units of the token; null while unknown. */
  readonly balance: string | null
  readonly draft: TokenDraft
  readonly problem: string | undefined
  readonly onDraft: (draft: TokenDraft) => void
  readonly onPlan: (plan: Plan) => void
}

/** Address and amount. Submits to a plan that was read and simulated at an agreed block. */
export function ActionForm(props: ActionFormProps) {
  const { action, token, chainId, balance, draft, onDraft, onPlan } = props
  const config = useConfig()
  const { address, gateway, figures } = useWallet()
  const [problems, setProblems] = useState<Problems>(props.problem ? { form: props.problem } : {})
  const [busy, setBusy] = useState(false)
  const place = useFirstProblem(problems)
  if (!address) return null
  const isApproval = action === 'approve'
  const { symbol, decimals } = token
  const change = (part: Partial<TokenDraft>) => {
    onDraft({ ...draft, ...part })
    setProblems({})
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!address || busy) return
    const party = readTyped(draft.party)
    const typed = draft.isUnlimited
      ? { value: unlimited }
      : parseAmount(draft.amount, { decimals, decimalMark: figures.marks.decimal })
    const found = { ...findProblems(party, typed, { zero: isApproval }), ...misdirected(party, chainId) }
    const isTooMuch = !isApproval && balance !== null && 'value' in typed && typed.value > BigInt(balance)
    setProblems(isTooMuch ? { ...found, amount: tokenTexts.funds } : found)
    if (party.kind !== 'address' || 'fault' in typed || found.amount || found.to || isTooMuch) return
    setBusy(true)
    const planned = await planSend(
      {
        chainId,
        from: address,
        to: token.address,
        value: 0n,
        data: tokenCall(action, party.address, typed.value),
        token: { symbol, decimals },
        hasOwners: await hasOwners(config),
      },
      (questions) => ask(gateway, chainId, questions),
    )
    setBusy(false)
    if ('plan' in planned) return onPlan(planned.plan)
    setProblems(problemOf(planned))
  }

  return (
    <form ref={place} className={form.form} onSubmit={(event) => void submit(event)} noValidate>
      <AmountField
        value={draft.isUnlimited ? '' : draft.amount}
        disabled={draft.isUnlimited}
        problem={problems.amount}
        onChange={(amount) => change({ amount })}
        hint={
          balance === null
            ? null
            : sendTexts.balance(`${figures.amount(BigInt(balance), decimals, 4)} ${symbol}`)
        }
      >
        <span>{symbol}</span>
      </AmountField>
      {isApproval && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={draft.isUnlimited}
            onChange={(event) => change({ isUnlimited: event.target.checked })}
          />
          {tokenTexts.unlimitedChoice}
        </label>
      )}
      <PartyField
        label={isApproval ? tokenTexts.spender : sendTexts.to}
        value={draft.party}
        problem={problems.to}
        onChange={(party) => change({ party })}
      />
      {isApproval && <p className={form.hint}>{tokenTexts.approveText}</p>}
      <p className={form.problem} role="alert">
        {problems.form}
      </p>
      <button type="submit" className={button.submit} aria-disabled={busy}>
        {busy && <Spinner />}
        {busy ? sendTexts.reading : sendTexts.review}
      </button>
    </form>
  )
}

/** Why a pasted payment request does not fit this token. */
function misdirected(party: Typed, chainId: number): Problems {
  if (party.kind !== 'address') return {}
  if (party.chainId !== undefined && party.chainId !== chainId)
    return { to: requestTexts.otherNetwork(party.chainId) }
  return party.value === undefined ? {} : { to: requestTexts.inCoin }
}
