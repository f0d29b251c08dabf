import { useState } from 'react'
import { sendTexts } from '#lib/page/texts/send.ts'
import { asStep, type Plan, type Steps } from '#lib/wallet/plan.ts'
import { Dialog } from '../_ui/dialog.tsx'
import { crossPath, IconButton } from '../_ui/icon-button.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { firstErrorOf } from './field-errors.ts'
import { Review, type Submission } from './review.tsx'
import { Tracker } from './tracker.tsx'
import styles from './transaction-dialog.module.css'
import { usePlan } from './use-plan.ts'

export interface TransactionDialogProps {
  readonly title: string
  /** The form that makes a plan. It keeps its own input, and gets the reason if it is shown again unexpectedly. */
  readonly form: (error: string | undefined, onPlan: (plan: Plan) => void) => React.ReactNode
  /** Whether a form can be shown again, to change what is sent. */
  readonly isEditable?: boolean
  /** The wallet is asked; it may answer after the dialog is closed. `isLast`: nothing follows of what the visitor wants. */
  readonly onSubmit: (submission: Promise<Submission>, step: { readonly isLast: boolean }) => void
  readonly onClose: () => void
}

type Step =
  | { readonly name: 'form'; readonly error?: string | undefined }
  | { readonly name: 'review'; readonly plan: Plan; readonly before: SentStep | null }
  | SentStep

interface SentStep {
  readonly name: 'sent'
  readonly hash: string
  /** What follows, with its index as the current one. */
  readonly next: Steps | null
  /** Why what follows has no review. */
  readonly error?: string | undefined
}

/** A transaction from its form to its last confirmation. Closing the dialog does not stop a sent transaction. */
export function TransactionDialog({
  title,
  form,
  isEditable = true,
  onSubmit,
  onClose,
}: TransactionDialogProps) {
  const { address } = useWallet()
  const plan = usePlan()
  const [step, setStep] = useState<Step>({ name: 'form' })

  // A plan was simulated for one account. It is not valid after the wallet switches to another.
  if (step.name === 'review' && step.plan.calls[0].intent.from !== address) {
    setStep(step.before ? moved(step.before) : { name: 'form', error: sendTexts.faults.moved })
  }

  /** Shows the next step, unless the visitor has left the current one. */
  function goOn(next: Step) {
    setStep((now) => (now === step ? next : now))
  }
  function review(plan: Plan) {
    goOn({ name: 'review', plan, before: null })
  }
  async function submit(submission: Promise<Submission>) {
    if (step.name !== 'review') return
    const next = nextOf(step.plan)
    onSubmit(submission, { isLast: next === null })
    const submitted = await submission
    if (submitted.kind === 'sent') setStep({ name: 'sent', hash: submitted.hash, next })
  }
  async function planNext(next: Steps | null, before: SentStep) {
    const intent = next?.intents[next.current]
    if (!intent) return
    if (intent.from !== address) return goOn(moved(before))
    const planned = await plan(intent)
    if (planned === null) return
    if ('plan' in planned) return goOn({ name: 'review', plan: asStep(planned.plan, next), before })
    // What was sent before is not asked for again.
    goOn({ ...before, error: firstErrorOf(planned.errors) })
  }
  async function planAgain(last: Plan) {
    const intents = last.calls.map(({ intent }) => intent)
    const planned = await plan(intents.length > 1 ? intents : (last.steps?.intents ?? intents))
    if (planned === null) return
    if ('plan' in planned) return review(withReason(planned.plan, last))
    goOn({ name: 'form', error: firstErrorOf(planned.errors) })
  }

  return (
    <Dialog name={{ id: 'send-title' }} step={step.name} onClose={onClose}>
      {(close) => (
        <>
          <header className={styles.head}>
            {step.name === 'review' && isEditable ? (
              <IconButton
                label={sendTexts.back}
                path="M11 3.5 5.5 9l5.5 5.5"
                onClick={() => setStep({ name: 'form' })}
              />
            ) : (
              <span />
            )}
            {step.name === 'form' && <h2 id="send-title">{title}</h2>}
            {step.name === 'review' && (
              <h2 id="send-title" tabIndex={-1} data-first-focus>
                {sendTexts.reviewTitle}
              </h2>
            )}
            {step.name === 'sent' && <span />}
            <IconButton label={sendTexts.close} path={crossPath} onClick={close} />
          </header>
          {step.name === 'form' && form(step.error, review)}
          {step.name === 'review' && (
            <Review
              plan={step.plan}
              onSubmit={(submission) => void submit(submission)}
              onAgain={() =>
                step.before ? planNext(step.plan.steps ?? null, step.before) : planAgain(step.plan)
              }
            />
          )}
          {step.name === 'sent' && (
            <Tracker
              titleId="send-title"
              hash={step.hash}
              next={step.next && { step: step.next.current + 1, error: step.error }}
              onNext={() => planNext(step.next, step)}
              onDone={close}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

/** The sent step with an error: the next step needs the same account. */
function moved(before: SentStep): SentStep {
  return { ...before, error: sendTexts.batch.moved }
}

function nextOf({ steps }: Plan): Steps | null {
  const next = steps && { ...steps, current: steps.current + 1 }
  return next && next.current < next.intents.length ? next : null
}

/** Planned again, with why an old allowance is revoked first. */
function withReason(plan: Plan, { steps: last }: Plan): Plan {
  const steps = plan.steps ?? (plan.calls.length > 1 ? last : undefined)
  return steps ? { ...plan, steps: { ...steps, allowance: steps.allowance ?? last?.allowance } } : plan
}
