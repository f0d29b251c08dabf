import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountTexts } from '#lib/page/texts/account.ts'
import { requestTexts } from '#lib/page/texts/address.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { readTyped } from '#lib/page/typed-address.ts'
import { figureQuery } from '#lib/reads/figure.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { decimalsDefault, typedAmount, type Unit, units } from '#lib/wallet/units.ts'
import { ChainMark } from '../_ui/chain-mark.tsx'
import fields from '../_ui/form.module.css'
import { Worded } from '../_ui/worded.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { firstErrorOf } from './field-errors.ts'
import { readPasted } from './pasted.ts'
import { PlanForm } from './plan-form.tsx'
import styles from './send-form.module.css'
import { type TransactionWish, usePlan } from './use-plan.ts'

const smaller = Object.keys(units) as Unit[]

/** The current input. It is kept while the review is shown. */
export interface Draft {
  readonly chainId: number | null
  readonly to: string
  readonly amount: string
  readonly unit: 'coin' | Unit
  /** Whether the amount is all but the fee, as read when it was chosen. The review has the exact one. */
  readonly isEverything: boolean
}

export const emptyDraft: Draft = { chainId: null, to: '', amount: '', unit: 'coin', isEverything: false }

export interface SendFormProps {
  readonly draft: Draft
  readonly error: string | undefined
  readonly onDraft: (change: (draft: Draft) => Draft) => void
  readonly onPlan: (plan: Plan) => void
}

/** Recipient, amount and chain of a payment in the chain's coin. */
export function SendForm({ draft, error, onDraft, onPlan }: SendFormProps) {
  const { address, chain, chains, figures } = useWallet()
  const readChain = useReadChain()
  const [summary, setSummary] = useState<string>()
  const chosen = chains.find(({ id }) => id === draft.chainId) ?? chain ?? chains[0]
  const { data } = useQuery({
    ...figureQuery(readChain, chosen?.id ?? 0, address),
    enabled: chosen !== undefined,
  })
  if (!chosen || !address) return null

  const { symbol, decimals } = chosen.currency
  const context = { chains, chosen, marks: figures.marks }
  const pasted = readPasted(draft.to, context)
  const change = (part: Partial<Draft>) => {
    onDraft((now) => ({ ...now, isEverything: false, ...part }))
    setSummary(undefined)
  }
  /** What a payment request or a link names is put into the fields, where it can be seen. */
  const take = (text: string) => {
    const read = readPasted(text, context)
    change(read?.draft ?? { to: text, isEverything: draft.isEverything })
    setSummary(read?.summary)
  }

  const typed = readTyped(draft.to)
  const recipient = typed.kind === 'address' ? typed.address : address
  const chooseAll = ({ calls: [{ intent }] }: Plan) => {
    const amount = typedAmount(intent.value, decimals, figures.marks)
    const all = { chainId: intent.chainId, amount, unit: 'coin', isEverything: true } as const
    // Not where another network or amount was chosen meanwhile.
    const isSame = (now: Draft) =>
      now.chainId === draft.chainId && now.amount === draft.amount && now.unit === draft.unit
    onDraft((now) => (isSame(now) ? { ...now, ...all } : now))
    setSummary(undefined)
  }

  return (
    <PlanForm
      draft={draft}
      error={error}
      chainId={chosen.id}
      amount={{
        value: draft.amount,
        ...(draft.unit === 'coin'
          ? { symbol, decimals }
          : { symbol: draft.unit, decimals: decimals - (decimalsDefault - units[draft.unit]) }),
        errorOf: (amount) => amount === 0n && sendTexts.faults.zero,
        // A balance that only some nodes tell is shown where it says so.
        available:
          data?.known && !data.known.evidence?.unreached
            ? `${figures.amount(data.known.value, decimals, 4)} ${symbol}`
            : null,
        unit: <UnitSelect symbol={symbol} unit={draft.unit} onChange={(unit) => change({ unit })} />,
        max: (
          <MaxButton wish={{ chainId: chosen.id, to: recipient, value: 0n, data: '0x' }} onPlan={chooseAll} />
        ),
        onChange: (amount) => change({ amount }),
      }}
      party={{ label: sendTexts.to, value: draft.to, error: pasted?.error, onChange: take }}
      top={<ChainChoice chosenId={chosen.id} onChange={(chainId) => change({ chainId })} />}
      bottom={
        <p className={fields.note} role="status">
          <Worded text={summary && requestTexts.filled(summary)} />
        </p>
      }
      toWish={(to, value) => ({ to, value, data: '0x', isEverything: draft.isEverything })}
      onPlan={onPlan}
    />
  )
}

/** Fills in all that can be sent: the balance without the highest fee, on a layer 2 with that of layer 1. */
function MaxButton({ wish, onPlan }: { wish: TransactionWish; onPlan: (plan: Plan) => void }) {
  const plan = usePlan()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  async function choose() {
    if (isPending) return
    setError(undefined)
    setPending(true)
    const planned = await plan({ ...wish, isEverything: true }).finally(() => setPending(false))
    if (planned === null) return
    if ('plan' in planned) return onPlan(planned.plan)
    setError(firstErrorOf(planned.errors))
  }
  return (
    <>
      <button type="button" className={styles.max} aria-busy={isPending} onClick={() => void choose()}>
        {sendTexts.max}
      </button>
      <span role="status" className={styles.maxError}>
        <Worded text={error} />
      </span>
    </>
  )
}

function ChainChoice({ chosenId, onChange }: { chosenId: number; onChange: (chainId: number) => void }) {
  const { chains } = useWallet()
  return (
    <fieldset className={styles.chains}>
      <legend>{accountTexts.network}</legend>
      {chains.map(({ id, name }) => (
        <label key={id} className={styles.chain}>
          <input
            type="radio"
            name="chain"
            value={id}
            checked={id === chosenId}
            onChange={() => onChange(id)}
          />
          <ChainMark id={id} name={name} size={22} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface UnitSelectProps {
  readonly symbol: string
  readonly unit: Draft['unit']
  readonly onChange: (unit: Draft['unit']) => void
}

function UnitSelect({ symbol, unit, onChange }: UnitSelectProps) {
  return (
    <select
      className={styles.unit}
      aria-label={sendTexts.unit}
      value={unit}
      onChange={(event) => onChange(event.target.value as Draft['unit'])}
    >
      <option value="coin">{symbol}</option>
      {smaller.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
