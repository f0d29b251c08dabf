import { type Hex, isHex } from 'viem'
import { toHex, toUnits } from '#lib/page/quantity.ts'
import { agreedValue, type ReadCalls, type Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { labelQuestions, readLabel } from '../token/erc20.ts'
import { eventTopics, isTopicOf } from '../token/event-topics.ts'
import { labelDoubts } from '../token/label-doubts.ts'
import { isSame, readLogs, readSent } from './compare.ts'
import { isAddress, isLabel, type Reviewed, type TokenLabel } from './reviewed.ts'

/** What an included transaction moved for its account, by its agreed receipt. */
export interface Included {
  /** Of the receipt. */
  readonly certificateId: string | null
  readonly moves: readonly Move[]
}

interface Move {
  /** Null is the coin. */
  readonly token: Hex | null
  readonly isIn: boolean
  readonly amount: Hex
  /** How the token writes its amounts. Left out where its symbol is in doubt: anyone can write an event of a token that looks like another. */
  readonly label?: TokenLabel
}

/** Of one that moves more tokens, the first are shown. */
export const movesMax = 4

interface Settled {
  readonly receipt: Reading | undefined
  readonly transaction: Reading | undefined
}

/** The value that was paid, and what the token's events moved. Coins that a contract pays leave no event. */
export async function readIncluded(
  { chainId, from, reviewed }: { readonly chainId: number; readonly from: Hex; readonly reviewed?: Reviewed },
  { receipt, transaction }: Settled,
  readCalls: ReadCalls,
): Promise<Included | undefined> {
  if (receipt?.state !== 'agreed') return undefined
  const isReverted = isRecord(receipt.value) && receipt.value.status === '0x0'
  const sent = readSent(agreedValue(transaction))
  const paid =
    !isReverted && sent && isSame(sent.from, from) && sent.to && !isSame(sent.to, from) ? sent.value : '0x0'
  const coin: readonly Move[] = toUnits(paid) ? [{ token: null, isIn: false, amount: paid }] : []
  const tokens = [...sumsOf(receipt.value, from)].filter(([, sum]) => sum !== 0n).slice(0, movesMax)
  const unlabelled = tokens.filter(([token]) => !reviewed?.token || !isSame(token, reviewed.to))
  const questions = unlabelled.flatMap(([token]) => labelQuestions(token))
  // An empty batch is an invalid request.
  const labels = questions.length === 0 ? [] : await readCalls(questions)
  const moves = tokens.map(([token, sum]): Move => {
    const at = 2 * unlabelled.findIndex(([other]) => other === token)
    const label = at < 0 ? reviewed?.token : readLabel(agreedValue(labels[at]), agreedValue(labels[at + 1]))
    const amount = toHex(sum < 0n ? -sum : sum)
    const isSure = label && labelDoubts({ chainId, address: token, symbol: label.symbol }).length === 0
    return { token, isIn: sum > 0n, amount, ...(isSure && { label }) }
  })
  const certificateId = receipt.answer
  if (certificateId === null && coin.length + moves.length === 0) return undefined
  return { certificateId, moves: [...coin, ...moves] }
}

/** What the account has more or less of each token, by its Transfer events. An item of ERC-721 has no amount. */
function sumsOf(receipt: unknown, account: Hex): ReadonlyMap<Hex, bigint> {
  const sums = new Map<Hex, bigint>()
  for (const { address, topics, data } of readLogs(receipt)) {
    const [topic, from, to, item] = topics
    const units = toUnits(data)
    if (topic !== eventTopics.transfer || item !== undefined || units === null || !isHex(address)) continue
    const change = (isTopicOf(to, account) ? units : 0n) - (isTopicOf(from, account) ? units : 0n)
    sums.set(address, (sums.get(address) ?? 0n) + change)
  }
  return sums
}

/** What a browser has stored may be of another version. */
export function isIncluded(value: unknown): value is Included {
  if (!isRecord(value) || !Array.isArray(value.moves)) return false
  return (
    (value.certificateId === null || typeof value.certificateId === 'string') && value.moves.every(isMove)
  )
}

function isMove(value: unknown): value is Move {
  if (!isRecord(value) || toUnits(value.amount) === null || typeof value.isIn !== 'boolean') return false
  const { token, label } = value
  return (token === null || isAddress(token)) && (label === undefined || isLabel(label))
}
