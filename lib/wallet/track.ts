import type { Hex } from 'viem'
import { toHex, toNumber } from '#lib/page/quantity.ts'
import { agreedValue, type ReadCalls, type Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { isHash } from './checks.ts'
import {
  compareSent,
  executions,
  failedInside,
  isSame,
  readLogs,
  readSent,
  type SentCall,
} from './compare.ts'
import { effectQuestions, readEffect, settleEffect } from './effect.ts'
import { readIncluded } from './included.ts'
import { decodeCall, isToken } from './meaning.ts'
import { callOf } from './reviewed.ts'
import {
  hasReceipt,
  isPending,
  reviewedCalls,
  type TransactionRecord,
  walletCalls,
} from './stored-transactions.ts'

/** Changes to a transaction found by one poll; empty when there are none. */
export type Sighting = Partial<TransactionRecord>

/** A transaction that no node shows any more is polled for this long. */
export const followedMs = 24 * 60 * 60 * 1000

/**
 * Polls a transaction once. `failed` needs an agreed receipt with status 0, `confirmed` enough agreed blocks on what was
 * reviewed and has done what it says, `different` an agreed transaction or effect that is another one, and `replaced` another
 * transaction of the same nonce. Missing answers change nothing but `isThin`.
 */
export async function trackTransaction(record: TransactionRecord, readCalls: ReadCalls): Promise<Sighting> {
  let isThin = false
  const sighting = await track(record, async (calls) => {
    const readings = await readCalls(calls)
    isThin ||= readings.some((reading) => reading.state === 'refused' && reading.why === 'thin')
    return readings
  })
  return isThin === (record.isThin ?? false) ? sighting : { ...sighting, isThin }
}

async function track(record: TransactionRecord, readCalls: ReadCalls): Promise<Sighting> {
  const hash = record.sentAs ?? record.hash
  const [receipt, head, transaction] = await readCalls([
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ])
  const found = agreedValue(receipt)
  if (found === undefined) return {}
  if (found === null) return missing(record, agreedValue(transaction), readCalls)
  const sighting = await judge(record, { receipt: found, head, transaction }, readCalls)
  if (!sighting.status || !hasReceipt(sighting.status)) return sighting
  const included = await readIncluded(record, { receipt, transaction }, readCalls)
  return included ? { ...sighting, included } : sighting
}

interface Seen {
  readonly receipt: unknown
  readonly head: Reading | undefined
  readonly transaction: Reading | undefined
}

async function judge(
  record: TransactionRecord,
  { receipt, head, transaction }: Seen,
  readCalls: ReadCalls,
): Promise<Sighting> {
  const mined = receipt as { blockNumber?: unknown; status?: unknown }
  const block = toNumber(mined.blockNumber)
  const latest = toNumber(agreedValue(head))
  if (block === null || latest === null) return {}
  const seen = seenBlocks(block, latest)
  const isReverted = mined.status === '0x0'
  const calls = walletCalls(record)
  const sent = readSent(agreedValue(transaction))
  if (calls && !sent) return { status: 'pending', seen, block }
  const comparison = calls && sent ? compareSent(sent, ...calls) : 'same'
  if (sent && comparison === 'different')
    return { status: 'different', found: { kind: 'sent', isReverted, ...sent }, seen, block }
  const isFailed = comparison === 'wrapped' && failedInside(readLogs(receipt), record.from)
  if (isReverted || isFailed) return { status: 'failed', seen, block }
  if (seen < record.confirmations) return { status: 'pending', seen, block }
  return { ...(await effect(record, { receipt, block }, readCalls)), seen, block }
}

/** Whether it is what was reviewed; the account itself sent it. */
function isReviewedCall(sent: SentCall, record: TransactionRecord): boolean {
  const calls = walletCalls(record)
  return calls !== null && compareSent(sent, ...calls) !== 'different'
}

/** What the included calls of tokens did, beside what they say. */
async function effect(
  record: TransactionRecord,
  { receipt, block }: { readonly receipt: unknown; readonly block: number },
  readCalls: ReadCalls,
): Promise<Sighting> {
  const { from } = record
  const calls = reviewedCalls(record)
  const isOneOfSeveral = calls.length > 1
  for (const [call, reviewed] of calls.entries()) {
    const meaning = reviewed.token && decodeCall(callOf(from, reviewed))
    if (meaning === undefined || !isToken(meaning)) continue
    const readings = await readCalls(effectQuestions(meaning, from, block))
    // A node that no longer has the block's state says so; then the events decide. Everything else may be there at the next poll.
    if (readings.some((reading) => reading.state === 'refused' && reading.why !== 'refused')) {
      return { status: 'pending' }
    }
    const expected = reviewed.gain === undefined ? meaning.amount : BigInt(reviewed.gain)
    const amount = settleEffect(
      { meaning, from, expected, isOneOfSeveral },
      readLogs(receipt),
      readEffect(readings),
    )
    if (amount === expected) continue
    const found = { kind: 'effect', amount: toHex(amount), ...(call > 0 && { call }) } as const
    return { status: 'different', found }
  }
  return { status: 'confirmed' }
}

async function missing(
  record: TransactionRecord,
  transaction: unknown,
  readCalls: ReadCalls,
): Promise<Sighting> {
  const reset = withoutBlock(record)
  const reportedNonce = toNumber((transaction as { nonce?: unknown } | null | undefined)?.nonce)
  if (reportedNonce !== null)
    return { ...reset, nonce: reportedNonce, ...(await readBlocker(record.from, reportedNonce, readCalls)) }
  if (transaction !== null) return reset
  return (await nonceUse(record, readCalls)) ?? endOf(record, reset)
}

/** Whether an earlier nonce of the account is still open, and whether a node has a transaction for it. */
async function readBlocker(
  from: TransactionRecord['from'],
  nonce: number,
  readCalls: ReadCalls,
): Promise<Pick<Sighting, 'blockedBy'>> {
  const readings = await readCalls(
    ['latest', 'pending'].map((tag) => ({ method: 'eth_getTransactionCount', params: [from, tag] })),
  )
  const [next, free] = readings.map((reading) => toNumber(agreedValue(reading)))
  if (typeof next !== 'number') return {}
  return { blockedBy: next < nonce ? { nonce: next, isMissing: free === next } : null }
}

/** What used the nonce of a transaction that no node shows any more; null where nothing did, or it is not known. */
async function nonceUse(record: TransactionRecord, readCalls: ReadCalls): Promise<Sighting | null> {
  const { from, nonce, since, reviewed, confirmations } = record
  // A multi-owner wallet's transaction is sent by another account, with another nonce.
  if (since === undefined || nonce === null || reviewed === undefined) return null
  const reset = withoutBlock(record)
  const use = await findByNonce(from, nonce, readCalls)
  if (!use || use.hash === (record.sentAs ?? record.hash)) return null
  // The wallet sent it again with another fee: the same call, to be followed from now on.
  if (isReviewedCall(use.sent, record)) return { ...reset, sentAs: use.hash }
  if (use.seen < confirmations) return reset
  return { ...reset, status: 'replaced', replacedBy: { hash: use.hash, isCancel: isCancel(use.sent) } }
}

/** Wallets cancel by a payment of nothing to oneself. */
function isCancel({ from, to, value, data }: SentCall): boolean {
  return isSame(to, from) && BigInt(value) === 0n && data === '0x'
}

function endOf({ sentMs }: TransactionRecord, sighting: Sighting): Sighting {
  return Date.now() - sentMs > followedMs ? { ...sighting, status: 'untracked' } : sighting
}

/** How many later transactions of the account one look goes through. */
const usesMax = 8

/**
 * Looks for what the wallet was asked to send, among the account's transactions since: the call itself, or what stands in its place and
 * belongs to no record of `others`.
 */
export async function findUnanswered(
  record: TransactionRecord,
  readCalls: ReadCalls,
  others: readonly TransactionRecord[],
): Promise<Sighting> {
  const { from, chainId, reviewed, status, sinceBlock, confirmations } = record
  if (sinceBlock !== undefined) return findExecuted({ ...record, sinceBlock }, readCalls, others)
  const open = others.filter((one) => one.from === from && one.chainId === chainId && isPending(one))
  const isFirst = open.every(({ sentMs }) => sentMs >= record.sentMs)
  let sighting: Sighting = {}
  let nonce = record.since?.nonce
  for (let uses = 0; nonce !== undefined && reviewed && uses < usesMax; uses += 1) {
    const use = await findByNonce(from, nonce, readCalls)
    if (!use) break
    const isOfOther = isKnown(use.hash, others)
    if (!isOfOther && isReviewedCall(use.sent, record)) return { sentAs: use.hash, nonce }
    if (!isOfOther && !open.some((other) => isReviewedCall(use.sent, other))) {
      // It may stand in the place of what was asked for earlier.
      if (!isFirst) break
      if (isCancel(use.sent)) {
        if (use.seen < confirmations) break
        return { nonce, status: 'replaced', replacedBy: { hash: use.hash, isCancel: true } }
      }
      const { found = { kind: 'sent', isReverted: false, ...use.sent } } = { ...sighting, ...record }
      if (status === 'unanswered') sighting = { found }
    }
    nonce += 1
    sighting = { ...sighting, since: { nonce } }
  }
  return endOf(record, sighting)
}

function isKnown(hash: string, records: readonly TransactionRecord[]): boolean {
  return records.some((record) => [record.hash, record.sentAs, record.replacedBy?.hash].includes(hash as Hex))
}

/** The blocks of which one look reads the events. */
const executedBlocksMax = 1000

/** The same for a Safe: an owner sends the transaction, and the Safe's own event names it. */
async function findExecuted(
  record: TransactionRecord & { readonly sinceBlock: number },
  readCalls: ReadCalls,
  others: readonly TransactionRecord[],
): Promise<Sighting> {
  const { from: address, sinceBlock } = record
  const [head] = await readCalls([{ method: 'eth_blockNumber', params: [] }])
  const last = Math.min(toNumber(agreedValue(head)) ?? 0, sinceBlock + executedBlocksMax - 1)
  if (last < sinceBlock) return endOf(record, {})
  const range = { fromBlock: toHex(sinceBlock), toBlock: toHex(last) }
  const [found] = await readCalls([
    { method: 'eth_getLogs', params: [{ address, ...range, topics: [executions] }] },
  ])
  const hashes = readLogs({ logs: agreedValue(found) }).map((log) => Reflect.get(log, 'transactionHash'))
  const unknown = [...new Set(hashes.filter(isHash))].filter((hash) => !isKnown(hash, others))
  const transactions =
    unknown.length === 0
      ? []
      : await readCalls(unknown.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })))
  const sentAs = unknown.find((_, index) => {
    const sent = readSent(agreedValue(transactions[index]))
    return sent !== null && isReviewedCall(sent, record)
  })
  if (sentAs) return { sentAs }
  const isRead = [found, ...transactions].every((reading) => reading?.state === 'agreed')
  return endOf(record, isRead ? { sinceBlock: last + 1 } : {})
}

/** Looks once more at a settled transaction when its block is final: a reorganisation may have taken it away before. */
export async function recheck(
  { block, hash, sentAs }: TransactionRecord,
  readCalls: ReadCalls,
): Promise<Sighting> {
  const [final] = await readCalls([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }])
  const finalBlock = agreedValue(final) as { readonly number?: unknown } | null | undefined
  const number = toNumber(finalBlock?.number)
  if (block === null || number === null || number < block) return {}
  const [receipt] = await readCalls([{ method: 'eth_getTransactionReceipt', params: [sentAs ?? hash] }])
  const found = agreedValue(receipt) as { readonly blockNumber?: unknown } | null | undefined
  if (found === undefined) return {}
  if (toNumber(found?.blockNumber) === block) return { isProvisional: false }
  return { status: 'pending', block: null, seen: 0, isProvisional: false }
}

/** It had a block and lost it in a reorg, so it is pending again. */
function withoutBlock({ block }: TransactionRecord): Sighting {
  return block === null ? {} : { block: null, seen: 0 }
}

/** What an account sent with this nonce, found by the gateway; null while there is nothing, undefined where the nodes do not say. */
export async function findByNonce(from: TransactionRecord['from'], nonce: number, readCalls: ReadCalls) {
  const [head, transaction] = await readCalls([
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionBySenderAndNonce', params: [from, toHex(nonce)] },
  ])
  const found = agreedValue(transaction)
  if (!isRecord(found)) return found === null ? null : undefined
  const [latest, block] = [toNumber(agreedValue(head)), toNumber(found.blockNumber)]
  const sent = readSent(found)
  if (latest === null || block === null || !isHash(found.hash) || sent === null) return undefined
  return { hash: found.hash, seen: seenBlocks(block, latest), sent }
}

/** Agreed blocks, its own included. At least 1: in one batch the head may have been read before. */
function seenBlocks(block: number, latest: number): number {
  return Math.max(1, latest - block + 1)
}
