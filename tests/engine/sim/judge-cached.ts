import { isMajority } from './bars.ts'
import { type JudgedCall, pinnedKey, type Report } from './judged-call.ts'
import type { Network } from './network.ts'
import type { ParsedCall } from './parsed-call.ts'
import { supportersOf, votesWithin } from './recount.ts'

/** How long an answer about an immutable block is cached without a strict majority, in milliseconds. */
const minorityCachedMs = 60_000

/** Checks that a cached answer was cacheable and has not expired (S8). */
export function judgeCached(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { entry, reply, soundness, final } = judged
  if (reply.cache !== 'hit') return
  const isNull = reply.result === null && entry.agreement !== 'derived'
  if (reply.error !== undefined || isNull || entry.agreement === 'highest')
    report('S8', `${entry.text} = ${JSON.stringify(reply.error ?? reply.result)} from the cache`)
  judgeAge(judged, network, meaning, report)
  const { blockNumber } = (reply.result ?? {}) as { blockNumber?: string }
  if (entry.call?.block.kind !== 'none' || blockNumber === undefined || !soundness.isSound) return
  if (Number(blockNumber) > final)
    report('S8', `${entry.text} of block ${Number(blockNumber)} from the cache, but only ${final} is final`)
}

/**
 * An answer that a reorg could change must not be older than the head. An immutable one may have any age with more than
 * half of all weight, and at most a minute with less.
 */
function judgeAge(judged: JudgedCall, network: Network, meaning: string, report: Report): void {
  const { entry, reply, chain, agreedMs, headSinceMs, endMs, givenUpMs } = judged
  // Ranges may have been split and numbers are combined from several answers, so neither has direct votes.
  if (entry.call === null || !aged.has(entry.agreement)) return
  const youngest = Math.max(Number.NEGATIVE_INFINITY, ...agreedMs)
  if (chain.reset?.kind === 'replaced' && givenUpMs !== null && youngest < givenUpMs)
    report('S8', `${entry.text} at ${reply.block} from the cache, of a chain that was reset since`)
  if (youngest >= headSinceMs) return
  const age = `${endMs - youngest} ms after it was agreed, ${endMs - headSinceMs} ms after the head came`
  if (!isSettled(judged, entry.call)) report('S8', `${entry.text} at ${reply.block} from the cache, ${age}`)
  else if (endMs - youngest >= minorityCachedMs && !isOfMajority(judged, network, meaning))
    report(
      'S8',
      `${entry.text} at ${reply.block} from the cache, ${age}, by ${reply.agreed} of ${chain.total}`,
    )
}

const aged = new Set(['equality', 'lookup'])

/** It is immutable, or liars may have reported it as final. */
function isSettled({ reply, soundness, final }: JudgedCall, { block }: ParsedCall): boolean {
  if (block.kind === 'hash' || block.kind === 'none' || !soundness.isSound) return true
  return reply.block !== null && reply.block <= final
}

function isOfMajority({ chain, entry, reply, to }: JudgedCall, network: Network, meaning: string): boolean {
  const votes = votesWithin(network, chain, pinnedKey(entry.call as ParsedCall, reply.block), 0, to)
  const supporters = supportersOf(votes, meaning)
  return isMajority(chain, supporters)
}
