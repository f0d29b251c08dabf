import { useEffect, useEffectEvent, useState } from 'react'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { sendTexts } from '#lib/page/texts/send.ts'
import { labelCall } from '#lib/wallet/call-label.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import {
  ReviewError,
  type ReviewedCall,
  type ReviewedCalls,
  type ReviewFault,
} from '#lib/wallet/reviewed-call.ts'
import { BusyButton } from '../_ui/busy-button.tsx'
import fields from '../_ui/form.module.css'
import { Worded } from '../_ui/worded.tsx'
import { firstErrorOf } from './field-errors.ts'
import { transactions } from './own-transactions.ts'
import type { Submission } from './review.tsx'
import styles from './send-form.module.css'
import { TransactionDialog } from './transaction-dialog.tsx'
import { useFollow } from './use-follow.ts'
import { type TransactionWish, usePlan, type Wishes } from './use-plan.ts'

/** The bytes to be signed, and what they are called by the ABI. Throws viem's error for arguments that do not fit it. */
export function toWishes(call: ReviewedCall | ReviewedCalls): Wishes {
  if (!('calls' in call)) return toWish(call)
  const { chainId, calls } = call
  return calls.map((one) => toWish({ ...one, chainId }))
}

function toWish(call: ReviewedCall): TransactionWish {
  const { chainId, value = 0n } = call
  if (!('abi' in call)) return { chainId, to: call.to, value, data: call.data ?? '0x' }
  const { abi, address: to, functionName, args } = call
  const data = encodeFunctionData({ abi, functionName, args } as never)
  const label = labelCall(abi as Abi, data)
  return { chainId, to, value, data, abi: abi as Abi, ...(label && { label }) }
}

export interface ReviewDialogProps {
  readonly wishes: Wishes
  /** Called when the wallet is asked. The promise tells, once it has answered, why not everything was sent; null if it was. */
  readonly onSubmit: (fault: Promise<ReviewFault | null>) => void
  /** Called for each transaction, where calls are sent one after the other. */
  readonly onSent: (hash: Hex) => void
  /** Called once the transaction is confirmed as the one that was reviewed. */
  readonly onConfirmed: (hash: Hex) => void
  readonly onError: (error: ReviewError) => void
  readonly onClose: () => void
}

/** The review of any transaction. It has no form: the page has asked for the transaction. */
export function ReviewDialog({ wishes, onSubmit, onSent, onConfirmed, onError, onClose }: ReviewDialogProps) {
  useFollow()
  async function follow(
    submission: Promise<Submission>,
    { isLast }: { readonly isLast: boolean },
  ): Promise<ReviewFault | null> {
    const submitted = await submission
    if (submitted.kind !== 'sent') return submitted.kind === 'refused' ? 'closed' : 'unanswered'
    settle(submitted.hash, onSent).then((confirmed) => isLast && onConfirmed(confirmed), onError)
    return isLast ? null : 'closed'
  }
  return (
    <TransactionDialog
      title={sendTexts.reviewTitle}
      isEditable={false}
      form={(error, onPlan) => <Prepare wishes={wishes} error={error} onPlan={onPlan} />}
      onSubmit={(submission, step) => onSubmit(follow(submission, step))}
      onClose={onClose}
    />
  )
}

/** Resolves with the hash of the transaction once it is confirmed, in whichever tab it is followed. */
function settle(id: string, onHash: (hash: Hex) => void): Promise<Hex> {
  return new Promise((resolve, reject) => {
    const check = () => {
      const record = transactions.all().find(({ hash }) => hash === id)
      const hash = record?.sentAs === undefined ? record?.hash : record.sentAs
      if (hash) onHash(hash)
      const status = record?.status ?? 'untracked'
      if (status === 'pending' || status === 'unanswered') return
      stop()
      if (status === 'confirmed' && hash) resolve(hash)
      else reject(new ReviewError(status === 'confirmed' ? 'untracked' : status))
    }
    const stop = transactions.subscribe(check)
    check()
  })
}

interface PrepareProps {
  readonly wishes: Wishes
  /** Why the review has to be made again. */
  readonly error: string | undefined
  readonly onPlan: (plan: Plan) => void
}

/** Plans the transaction, and says why where there is no plan. */
function Prepare({ wishes, error, onPlan }: PrepareProps) {
  const plan = usePlan()
  const [fault, setFault] = useState(error)
  async function prepare() {
    setFault(undefined)
    const planned = await plan(wishes)
    if (planned === null) return setFault(sendTexts.anyCall.notConnected)
    if ('plan' in planned) return onPlan(planned.plan)
    setFault(firstErrorOf(planned.errors))
  }
  const begin = useEffectEvent(() => error === undefined && void prepare())
  useEffect(() => void begin(), [])
  return (
    <div className={styles.form}>
      <p className={fields.error} role="alert">
        <Worded text={fault} />
      </p>
      <BusyButton busy={fault === undefined && sendTexts.reading} onClick={() => void prepare()}>
        {sendTexts.reviewAgain}
      </BusyButton>
    </div>
  )
}
