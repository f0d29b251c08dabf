import { sendTexts } from '#lib/page/texts/send.ts'
import { decodeCall } from '#lib/wallet/meaning.ts'
import { callOf, type Reviewed } from '#lib/wallet/reviewed.ts'
import { reviewedCalls, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { describeCall, formatTokens, type Wording } from './describe.ts'

/** What was included instead of what was reviewed, in words. */
export interface Difference {
  readonly title: string
  readonly text: string
  /** What was reviewed and what was found, each with its label. */
  readonly rows: readonly (readonly [string, string])[]
}

/** Null when what was included is what was reviewed, or when that is not known. */
export function differenceOf(record: TransactionRecord, wording: Omit<Wording, 'token'>): Difference | null {
  const { found } = record
  const calls = reviewedCalls(record)
  const reviewed = calls[found?.kind === 'effect' ? (found.call ?? 0) : 0]
  if (record.status !== 'different' || found === undefined || reviewed === undefined) return null
  const { different } = sendTexts
  const block = wording.figures.block(record.block ?? 0)
  const full = { ...wording, token: reviewed.token }
  const described = (found.kind === 'effect' ? [reviewed] : calls).map((call) =>
    describeCall(callOf(record.from, call), { ...wording, token: call.token }),
  )
  const was = [different.reviewed, sendTexts.batch.and(described)] as const
  if (found.kind === 'effect')
    return differentEffect(record, reviewed, { block, was, wording: full, amount: BigInt(found.amount) })
  const isStranger = found.from.toLowerCase() !== record.from.toLowerCase()
  const { title, text } = isStranger ? different.stranger : different.sent
  const token = found.to?.toLowerCase() === reviewed.to.toLowerCase() ? reviewed.token : undefined
  const sent = describeCall({ ...found, value: BigInt(found.value) }, { ...wording, token })
  return {
    title,
    text: [
      typeof text === 'string' ? text : text(block),
      ...(found.isReverted && !isStranger ? [different.sent.reverted] : []),
    ].join(' '),
    rows: [
      was,
      [different.found, sent],
      // The same words for other bytes: then the bytes are shown.
      ...(sent === was[1]
        ? ([
            [sendTexts.data, reviewed.data],
            [different.found, found.data],
          ] as const)
        : []),
    ],
  }
}

interface EffectFound {
  readonly block: string
  readonly was: readonly [string, string]
  readonly wording: Wording
  readonly amount: bigint
}

function differentEffect(
  { from }: TransactionRecord,
  reviewed: Reviewed,
  { block, was, wording, amount }: EffectFound,
): Difference {
  const { different } = sendTexts
  const isApproval = decodeCall(callOf(from, reviewed)).kind === 'approve'
  const { title, text } = isApproval
    ? different.allowance
    : amount === 0n
      ? different.nothing
      : different.amount
  const tokens = wording.token ? formatTokens(amount, wording.token, wording.figures) : String(amount)
  return {
    title,
    text: text(block),
    rows: [was, [isApproval ? different.standing : different.arrived, tokens]],
  }
}
