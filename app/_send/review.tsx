import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfig } from 'wagmi'
import { type SendTransactionParameters, sendTransaction, switchChain } from 'wagmi/actions'
import { randomHex } from '#lib/bytes.ts'
import { rememberParty } from '#lib/names/named-party.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { sendBatch } from '#lib/wallet/calls.ts'
import { isHash } from '#lib/wallet/checks.ts'
import { hasRisen, priceQuestions } from '#lib/wallet/fee.ts'
import { type Plan, reviewedOf } from '#lib/wallet/plan.ts'
import { type TransactionRecord, walletCalls } from '#lib/wallet/stored-transactions.ts'
import { isBatchId, submit } from '#lib/wallet/submit.ts'
import { isBatchError, walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import { confirmations } from '#site'
import { BusyButton } from '../_ui/busy-button.tsx'
import button from '../_ui/button.module.css'
import { Choice } from '../_ui/choice.tsx'
import box from '../_ui/warning.module.css'
import { Worded } from '../_ui/worded.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { BatchCalls } from './batch-calls.tsx'
import { CallDetails } from './call-parts.tsx'
import { describeCalls } from './describe.ts'
import { describeSentSince } from './describe-difference.ts'
import { transactions, useTransactions } from './own-transactions.ts'
import styles from './review.module.css'
import { Amount, Figures, Parties, partiesOf } from './review-parts.tsx'
import { StepList } from './step-list.tsx'
import { rememberNotAtomic } from './use-plan.ts'
import { contradictionWarnings, warningsOf } from './warnings.ts'

type Busy = 'switching' | 'signing' | 'reviewing' | null

const waitingFor = {
  switching: sendTexts.switching,
  signing: sendTexts.inWallet,
  reviewing: sendTexts.reading,
} as const

/** What became of a request to the wallet. `unclear`: it may have been sent. */
export type Submission =
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'refused' | 'unclear' }

export interface ReviewProps {
  readonly plan: Plan
  readonly onSubmit: (submission: Promise<Submission>) => void
  /** Plans the same transaction again. */
  readonly onAgain: () => Promise<void>
}

/** Shows what will be signed, including the fee, and opens the wallet. */
export function Review({ plan, onSubmit, onAgain }: ReviewProps) {
  const config = useConfig()
  const queries = useQueryClient()
  const { chainId, chains, figures } = useWallet()
  const [busy, setBusy] = useState<Busy>(null)
  const [error, setError] = useState<string | null>(null)
  const [switchError, setSwitchError] = useState<string | null>(null)
  const [unclear, setUnclear] = useState(false)
  // Consent is to what was there to be read, and to nothing that comes later.
  const [acceptedPlan, setAcceptedPlan] = useState<Plan | null>(null)
  const [ownId, setOwnId] = useState<string>()
  const [checkedIds, setCheckedIds] = useState<readonly string[]>([])
  const { calls, fee } = plan
  const [own, ...afterOwn] = calls
  const { intent, meaning } = own
  const isBatch = afterOwn.length > 0
  const unanswered = useTransactions().filter(
    ({ status, from }) => status === 'unanswered' && from === intent.from,
  )
  const hasRisen = useHasRisen(plan)
  const chain = chains.find(({ id }) => id === intent.chainId)
  if (!chain) return null
  const coin = chain.currency
  const switchText = switchError === null ? sendTexts.switchTo : sendTexts.switchAgain
  const elsewhere = chainId !== intent.chainId
  // What the wallet says of its chain counts, whatever it answers.
  const waiting = busy === 'switching' && !elsewhere ? null : busy
  const warnings = [...contradictionWarnings(plan, { figures, coin }), ...warningsOf(plan)]
  const isDangerous = warnings.some(({ isDanger }) => isDanger)
  // What the wallet was asked before, and has not answered: also in another tab, or before a reload.
  const others = unanswered.filter(({ hash }) => hash !== ownId)
  const isChecked = others.every(({ hash }) => checkedIds.includes(hash))
  const isAccepted = acceptedPlan === plan

  async function move() {
    setBusy('switching')
    setSwitchError(null)
    await switchChain(config, { chainId: intent.chainId }).catch((error) =>
      setSwitchError(walletErrorOf(error).sentence),
    )
    setBusy((now) => (now === 'switching' ? null : now))
  }
  async function request(): Promise<Submission> {
    setBusy('signing')
    setError(null)
    const { chainId, from, to, value, data, named } = intent
    const record: TransactionRecord = {
      hash: `0x${randomHex(32)}`,
      chainId,
      from,
      description: describeCalls(plan, { figures, coin }),
      status: 'unanswered',
      confirmations: confirmations[chainId] ?? confirmations.default,
      seen: 0,
      block: null,
      nonce: null,
      sentMs: Date.now(),
      reviewed: reviewedOf(own),
      ...(isBatch && { others: afterOwn.map(reviewedOf) }),
      ...(plan.nonce !== null && { since: { nonce: plan.nonce } }),
      ...(intent.hasOwners && plan.block !== null && { sinceBlock: plan.block }),
    }
    // Before the wallet is asked: the page may be gone when it answers.
    transactions.add({ ...record, sentAs: null })
    setOwnId(record.hash)
    const sent = walletCalls(record)
    const submitted =
      isBatch && sent
        ? await submit(() => sendBatch(config, { id: record.hash, chainId, calls: sent }), isBatchId)
        : await submit(
            () =>
              sendTransaction(config, {
                account: from,
                chainId,
                to,
                value,
                ...(data !== '0x' && { data }),
                ...(fee && { gas: fee.gas, ...fee.price }),
              } as SendTransactionParameters),
            isHash,
          )
    setBusy(null)
    if (named && 'party' in meaning && submitted.kind !== 'refused')
      rememberParty(named, chainId, meaning.party)
    // By its nonce it may be found before the wallet answers.
    const sentAs = transactions.all().find(({ hash }) => hash === record.hash)?.sentAs ?? null
    if (submitted.kind !== 'unclear') transactions.remove(({ hash }) => hash === record.hash)
    if (submitted.kind !== 'sent') {
      const isOneByOne = isBatchError(submitted.why)
      if (isOneByOne) rememberNotAtomic({ queries, config }, intent)
      setError(isOneByOne ? `${submitted.sentence} ${sendTexts.batch.oneByOne}` : submitted.sentence)
      // Sending again needs a new plan.
      setUnclear(isOneByOne || submitted.kind === 'unclear')
      return submitted
    }
    const { id } = submitted
    const hash = isHash(id) ? id : record.hash
    const isWalletId = isBatch || intent.hasOwners
    transactions.add({
      ...record,
      hash,
      status: 'pending',
      ...(isBatch && { batchId: id }),
      ...(isWalletId && { sentAs }),
    })
    return { kind: 'sent', hash }
  }
  const send = () => onSubmit(request())
  async function reviewAgain() {
    setBusy('reviewing')
    await onAgain()
    setBusy(null)
    setError(null)
    setUnclear(false)
    setOwnId(undefined)
  }
  const [act, text] = elsewhere
    ? ([move, switchText(chain.name)] as const)
    : unclear || hasRisen
      ? ([reviewAgain, sendTexts.reviewAgain] as const)
      : isChecked
        ? ([send, sendTexts.confirm] as const)
        : ([() => setCheckedIds(others.map(({ hash }) => hash)), sendTexts.checkedWallet] as const)
  const isBlocked = act === send && isDangerous && !isAccepted

  return (
    <div className={styles.review}>
      <StepList plan={plan} />
      {isBatch ? (
        <BatchCalls calls={calls} changes={plan.changes} coin={coin} />
      ) : (
        <>
          <Amount call={own} coin={coin} />
          <Parties parties={partiesOf(own)} />
          {meaning.kind === 'call' && <CallDetails call={own} changes={plan.changes} coin={coin} />}
        </>
      )}
      {calls.some(({ display }) => display) && <p className={styles.hint}>{sendTexts.anyCall.described}</p>}
      {warnings.map(({ text, isDanger }) => (
        <p key={text} className={box.warning} data-danger={isDanger}>
          <Worded text={text} />
        </p>
      ))}
      <Figures plan={plan} chain={chain} />
      {others.map((record) => (
        <p key={record.hash} className={box.warning}>
          <Worded text={sendTexts.unanswered(record.description)} />{' '}
          <Worded text={describeSentSince(record, { figures, coin })} /> <span>{sendTexts.mayPayTwice}</span>
        </p>
      ))}
      <p className={styles.hint}>{sendTexts.compare}</p>
      {isDangerous && (
        <Choice
          className={styles.accept}
          isChecked={isAccepted}
          onChange={(isOn) => setAcceptedPlan(isOn ? plan : null)}
        >
          {sendTexts.accept}
        </Choice>
      )}
      <p className={styles.error} role="alert">
        {elsewhere ? switchError : (error ?? (hasRisen && sendTexts.feeRose))}
      </p>
      <BusyButton
        busy={waiting && waitingFor[waiting]}
        className={isDangerous && !elsewhere ? button.danger : button.submit}
        aria-disabled={waiting !== null || isBlocked}
        onClick={isBlocked ? undefined : () => void act()}
      >
        {text}
      </BusyButton>
    </div>
  )
}

const feePollMs = 10_000

function useHasRisen({ calls, fee, block }: Plan): boolean {
  const { chainId, data } = calls[0].intent
  // Of several calls the wallet names the fee.
  const isOurs = fee !== null && calls.length === 1
  const readChain = useReadChain()
  const { data: prices } = useQuery({
    // Of each plan its own: an earlier price may be a higher one.
    queryKey: ['gas-price', chainId, data, block],
    gcTime: 0,
    queryFn: () => readChain(chainId, priceQuestions(data)),
    enabled: isOurs,
    refetchInterval: feePollMs,
  })
  return isOurs && prices !== undefined && hasRisen(fee, prices)
}
