'use client'

import { type FormEvent, useState } from 'react'
import { useConfig } from 'wagmi'
import { ask } from '#lib/page/ask.ts'
import { toUnits } from '#lib/page/chain-view.ts'
import type { Card } from '#lib/page/shown.ts'
import { requestTexts } from '#lib/page/texts/address.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { readTyped } from '#lib/page/typed-address.ts'
import { hasOwners } from '#lib/wallet/calls.ts'
import { type Plan, planSend } from '#lib/wallet/plan.ts'
import { decimalsDefault, parseAmount, type Unit, units } from '#lib/wallet/units.ts'
import button from '../_ui/button.module.css'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { Spinner } from '../_ui/spinner.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { AmountField, PartyField } from './fields.tsx'
import { readPasted } from './pasted.ts'
import { findProblems, type Problems, problemOf, useFirstProblem } from './problems.ts'
import styles from './send-form.module.css'

/** Units below ether, largest first. */
const smaller = (Object.keys(units) as Unit[]).filter((unit) => unit !== 'ether').toReversed()

/** The current input. It is kept while the review is shown. */
export interface Draft {
  readonly chainId: number | null
  readonly to: string
  readonly amount: string
  readonly unit: 'coin' | Unit
}

export const emptyDraft: Draft = { chainId: null, to: '', amount: '', unit: 'coin' }

export interface SendFormProps {
  readonly cards: readonly Card[]
  readonly draft: Draft
  /** Why the form is shown again, if not by the visitor's choice. */
  readonly problem: string | undefined
  readonly onDraft: (draft: Draft) => void
  readonly onPlan: (plan: Plan) => void
}

/** Recipient, amount and chain. Submits to a plan that was read and simulated at an agreed block. */
export function SendForm({ cards, draft, problem, onDraft, onPlan }: SendFormProps) {
  const config = useConfig()
  const { address, chain, chains, gateway, figures } = useWallet()
  const [problems, setProblems] = useState<Problems>(problem ? { form: problem } : {})
  const [busy, setBusy] = useState(false)
  const [filled, setFilled] = useState('')
  const chosen = chains.find(({ id }) => id === draft.chainId) ?? chain ?? chains[0]
  const card = cards.find((candidate) => candidate.chain.id === chosen?.id)
  const balance = toUnits(card?.balance?.known?.value)
  const form = useFirstProblem(problems)
  if (!chosen || !address) return null

  const { symbol, decimals } = chosen.currency
  const place = { chains, chosen, marks: figures.marks }
  const places = draft.unit === 'coin' ? decimals : decimals - (decimalsDefault - units[draft.unit])
  const change = (part: Partial<Draft>) => {
    onDraft({ ...draft, ...part })
    setProblems({})
    setFilled('')
  }
  /** What a payment request or a link names is put into the fields, where it can be seen. */
  const take = (text: string) => {
    const pasted = readPasted(text, place)
    change(pasted?.draft ?? { to: text })
    if (pasted?.problem) setProblems({ to: pasted.problem })
    if (pasted?.summary) setFilled(`${requestTexts.filled} ${pasted.summary}`)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!chosen || !address || busy) return
    const to = readTyped(draft.to)
    const amount = parseAmount(draft.amount, { decimals: places, decimalMark: figures.marks.decimal })
    const other = readPasted(draft.to, place)?.problem
    const found = { ...findProblems(to, amount, { zero: false }), ...(other && { to: other }) }
    setProblems(found)
    if (to.kind !== 'address' || 'fault' in amount || found.amount || found.to) return
    setBusy(true)
    const intent = {
      chainId: chosen.id,
      from: address,
      to: to.address,
      value: amount.value,
      data: '0x' as const,
      hasOwners: await hasOwners(config),
    }
    const planned = await planSend(intent, (questions) => ask(gateway, chosen.id, questions))
    setBusy(false)
    if ('plan' in planned) return onPlan(planned.plan)
    setProblems(problemOf(planned))
  }

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <fieldset className={styles.chains}>
        <legend>{sendTexts.network}</legend>
        {chains.map(({ id, name }) => (
          <label key={id} className={styles.chain}>
            <input
              type="radio"
              name="chain"
              value={id}
              checked={id === chosen.id}
              onChange={() => change({ chainId: id })}
            />
            <ChainMark id={id} name={name} size={22} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>

      <AmountField
        value={draft.amount}
        problem={problems.amount}
        onChange={(amount) => change({ amount })}
        hint={
          balance === null ? null : sendTexts.balance(`${figures.amount(balance, decimals, 4)} ${symbol}`)
        }
      >
        <select
          className={styles.unit}
          aria-label={sendTexts.unit}
          value={draft.unit}
          onChange={(event) => change({ unit: event.target.value as Draft['unit'] })}
        >
          <option value="coin">{symbol}</option>
          {smaller.map((unit) => (
            <option key={unit} value={unit}>
              {unit}
            </option>
          ))}
        </select>
      </AmountField>
      <PartyField label={sendTexts.to} value={draft.to} problem={problems.to} onChange={take} />
      <p className={styles.note} role="status">
        {filled}
      </p>

      <p className={styles.problem} role="alert">
        {problems.form}
      </p>
      <button type="submit" className={button.submit} aria-disabled={busy}>
        {busy && <Spinner />}
        {busy ? sendTexts.reading : sendTexts.review}
      </button>
    </form>
  )
}
