'use client'

import { requestTexts } from '#lib/page/texts/address.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Typed } from '#lib/page/typed-address.ts'
import { type TokenAction, type TokenFacts, tokenCall, unlimited } from '#lib/token/erc20.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { parseAmount } from '#lib/wallet/units.ts'
import { type FieldErrors, findProblems, firstErrorOf } from '../_send/field-errors.ts'
import { PlanForm } from '../_send/plan-form.tsx'
import form from '../_send/send-form.module.css'
import { useParty } from '../_send/use-party.tsx'
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
  readonly error: string | undefined
  readonly onDraft: (draft: TokenDraft) => void
  readonly onPlan: (plan: Plan) => void
}

/** Address and amount of a transfer or an approval. */
export function ActionForm({
  action,
  token,
  chainId,
  balance,
  draft,
  error,
  onDraft,
  onPlan,
}: ActionFormProps) {
  const { figures } = useWallet()
  const { find, choice } = useParty(draft.party, chainId)
  const isApproval = action === 'approve'
  const { symbol, decimals } = token
  const change = (part: Partial<TokenDraft>) => onDraft({ ...draft, ...part })

  async function check() {
    const found = await find()
    if ('error' in found) return { to: found.error }
    const { typed: party, named } = found
    const typed = draft.isUnlimited
      ? { value: unlimited }
      : parseAmount(draft.amount, { decimals, decimalMark: figures.marks.decimal, symbol })
    const isTooMuch = !isApproval && balance !== null && 'value' in typed && typed.value > BigInt(balance)
    const problems = {
      ...findProblems(party, typed, { zero: isApproval }),
      ...misdirected(party, chainId),
      ...(isTooMuch && { amount: tokenTexts.funds }),
    }
    if (party.kind !== 'address' || 'fault' in typed || firstErrorOf(problems)) return problems
    const data = tokenCall(action, party.address, typed.value)
    return { wish: { chainId, to: token.address, value: 0n, data, ...(named && { named }) } }
  }

  return (
    <PlanForm
      draft={draft}
      error={error}
      amount={{
        value: draft.isUnlimited ? '' : draft.amount,
        isDisabled: draft.isUnlimited,
        hint:
          balance === null
            ? null
            : sendTexts.balance(`${figures.amount(BigInt(balance), decimals, 4)} ${symbol}`),
        unit: <span translate="no">{symbol}</span>,
        onChange: (amount) => change({ amount }),
      }}
      party={{
        label: isApproval ? tokenTexts.spender : sendTexts.to,
        value: draft.party,
        choice,
        onChange: (party) => change({ party }),
      }}
      middle={
        isApproval && (
          <label className={styles.choice}>
            <input
              type="checkbox"
              checked={draft.isUnlimited}
              onChange={(event) => change({ isUnlimited: event.target.checked })}
            />
            <span>{tokenTexts.unlimitedChoice}</span>
          </label>
        )
      }
      bottom={isApproval && <p className={form.hint}>{tokenTexts.approveText}</p>}
      check={check}
      onPlan={onPlan}
    />
  )
}

/** Why a pasted payment request does not fit this token. */
function misdirected(party: Typed, chainId: number): FieldErrors {
  if (party.kind !== 'address') return {}
  if (party.chainId !== undefined && party.chainId !== chainId)
    return { to: requestTexts.otherNetwork(party.chainId) }
  return party.value === undefined ? {} : { to: requestTexts.inCoin }
}
