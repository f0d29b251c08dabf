import { sentence } from '#lib/page/sentence.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { isSame } from '#lib/wallet/compare.ts'
import { decodeCall } from '#lib/wallet/meaning.ts'
import { callOf, type FoundTransaction, type Reviewed } from '#lib/wallet/reviewed.ts'
import { reviewedCalls, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { type CallWording, describeCall, formatTokens } from './describe.ts'

/** What was included instead of what was reviewed, in words. */
export interface Difference {
  readonly title: string
  readonly text: string
  /** What was reviewed and what was found, each with its label. */
  readonly rows: readonly (readonly [string, string])[]
}

/** Null when what was included is what was reviewed, or when that is not known. */
export function describeDifference(
  record: TransactionRecord,
  wording: Omit<CallWording, 'token'>,
): Difference | null {
  const { found, from, status } = record
  const calls = reviewedCalls(record)
  const reviewed = calls[found?.kind === 'effect' ? (found.call ?? 0) : 0]
  if (status !== 'different' || found === undefined || reviewed === undefined) return null
  const { different } = sendTexts
  const block = wording.figures.block(record.block ?? 0)
  const described = (found.kind === 'effect' ? [reviewed] : calls).map((call) =>
    describeCall(callOf(from, call), { ...wording, token: call.token }),
  )
  const was = [different.reviewed, sendTexts.batch.and(described)] as const
  if (found.kind === 'effect') {
    const amount = BigInt(found.amount)
    const isApproval = decodeCall(callOf(from, reviewed)).kind === 'approve'
    const { title, text } = different[isApproval ? 'allowance' : amount === 0n ? 'nothing' : 'amount']
    const tokens = reviewed.token ? formatTokens(amount, reviewed.token, wording.figures) : String(amount)
    return {
      title,
      text: text(block),
      rows: [was, [isApproval ? different.standing : different.arrived, sentence`${tokens}`]],
    }
  }
  const sent = describeSent(found, reviewed, wording)
  // The same words for other bytes: then the bytes are shown.
  const bytes = [
    [sendTexts.data, sentence`${reviewed.data}`],
    [different.found, sentence`${found.data}`],
  ] as const
  const rows = [was, [different.found, sent] as const, ...(sent === was[1] ? bytes : [])]
  if (!isSame(found.from, from)) return { ...different.stranger, rows }
  const { title, text, reverted } = different.sent
  return { title, text: found.isReverted ? `${text(block)} ${reverted}` : text(block), rows }
}

/** What the account has sent since the wallet was asked for a call, if that is not known to be sent. */
export function describeSentSince(
  { status, found, reviewed }: TransactionRecord,
  wording: CallWording,
): string | null {
  if (status !== 'unanswered' || found?.kind !== 'sent' || reviewed === undefined) return null
  return sendTexts.sentSince(describeSent(found, reviewed, wording))
}

type Sent = Extract<FoundTransaction, { kind: 'sent' }>

function describeSent(sent: Sent, reviewed: Reviewed, wording: CallWording): string {
  const token = isSame(sent.to, reviewed.to) ? reviewed.token : undefined
  return describeCall({ ...sent, value: BigInt(sent.value) }, { ...wording, token })
}
