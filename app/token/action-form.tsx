import { maxUint256 } from 'viem'
import { requestTexts } from '#lib/page/texts/address.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { readTyped, type Typed } from '#lib/page/typed-address.ts'
import { type TokenAction, type TokenFacts, tokenCall } from '#lib/token/erc20.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { typedAmount } from '#lib/wallet/units.ts'
import { PlanForm } from '../_send/plan-form.tsx'
import form from '../_send/send-form.module.css'
import { Choice } from '../_ui/choice.tsx'
import { useWallet } from '../_wallet/wallet.ts'

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
  const isApproval = action === 'approve'
  const { symbol, decimals } = token
  const change = (part: Partial<TokenDraft>) => onDraft({ ...draft, ...part })

  return (
    <PlanForm
      draft={draft}
      error={error}
      chainId={chainId}
      amount={{
        value: draft.amount,
        fixed: draft.isUnlimited && maxUint256,
        decimals,
        symbol,
        errorOf: (units) =>
          !isApproval &&
          ((units === 0n && sendTexts.faults.zero) ||
            (balance !== null && units > BigInt(balance) && tokenTexts.funds)),
        available: balance === null ? null : `${figures.amount(BigInt(balance), decimals, 4)} ${symbol}`,
        unit: <span translate="no">{symbol}</span>,
        max: !isApproval && balance !== null && (
          <button
            type="button"
            className={form.max}
            onClick={() => change({ amount: typedAmount(BigInt(balance), decimals, figures.marks) })}
          >
            {sendTexts.max}
          </button>
        ),
        onChange: (amount) => change({ amount }),
      }}
      party={{
        label: isApproval ? tokenTexts.spender : sendTexts.to,
        value: draft.party,
        error: misdirected(readTyped(draft.party), chainId),
        onChange: (party) => change({ party }),
      }}
      middle={
        isApproval && (
          <Choice isChecked={draft.isUnlimited} onChange={(isUnlimited) => change({ isUnlimited })}>
            {tokenTexts.unlimitedChoice}
          </Choice>
        )
      }
      bottom={isApproval && <p className={form.hint}>{tokenTexts.approveText}</p>}
      toWish={(party, units) => ({ to: token.address, value: 0n, data: tokenCall(action, party, units) })}
      onPlan={onPlan}
    />
  )
}

/** Why a pasted payment request does not fit this token. */
function misdirected(party: Typed, chainId: number): string | undefined {
  if (party.kind !== 'address') return
  if (party.chainId !== undefined && party.chainId !== chainId)
    return requestTexts.otherNetwork(party.chainId)
  return party.value === undefined ? undefined : requestTexts.inCoin
}
