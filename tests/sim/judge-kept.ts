import { type Answered, pinnedKey, type Report } from './answered.ts'
import type { Asked } from './asked.ts'
import type { Network } from './network.ts'
import { castsWithin, supportersOf, weightOf } from './recount.ts'

/** How long an answer about an immutable block is cached without a strict majority, in milliseconds. */
const minorityKeptMs = 60_000

/** Checks that a cached answer was cacheable and has not expired (S8). */
export function judgeKept(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { entry, reply, soundness, final } = answered
  if (reply.cache !== 'hit') return
  const isNull = reply.result === null && entry.agreement !== 'derived'
  if (reply.error !== undefined || isNull || entry.agreement === 'highest')
    report('S8', `${entry.text} = ${JSON.stringify(reply.error ?? reply.result)} from the cache`)
  judgeAge(answered, network, meaning, report)
  const { blockNumber } = (reply.result ?? {}) as { blockNumber?: string }
  if (entry.asked?.block.kind !== 'none' || blockNumber === undefined || !soundness.isSound) return
  if (Number(blockNumber) > final)
    report('S8', `${entry.text} of block ${Number(blockNumber)} from the cache, but only ${final} is final`)
}

/**
 * An answer that a reorg could change must not be older than the head. An immutable one may have any age with more than
 * half of all weight, and at most a minute with less.
 */
function judgeAge(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { entry, reply, chain, agreedMs, headSinceMs, endMs, givenUpMs } = answered
  // Ranges may have been split and numbers are combined from several answers, so neither has direct votes.
  if (entry.asked === null || !aged.has(entry.agreement)) return
  const youngest = Math.max(Number.NEGATIVE_INFINITY, ...agreedMs)
  if (chain.reset?.kind === 'replaced' && givenUpMs !== null && youngest < givenUpMs)
    report('S8', `${entry.text} at ${reply.block} from the cache, of a chain that was reset since`)
  if (youngest >= headSinceMs) return
  const age = `${endMs - youngest} ms after it was agreed, ${endMs - headSinceMs} ms after the head came`
  if (!isSettled(answered, entry.asked))
    report('S8', `${entry.text} at ${reply.block} from the cache, ${age}`)
  else if (endMs - youngest >= minorityKeptMs && !isMajority(answered, network, meaning))
    report(
      'S8',
      `${entry.text} at ${reply.block} from the cache, ${age}, by ${reply.agreed} of ${chain.total}`,
    )
}

const aged = new Set(['equality', 'lookup'])

/** It is immutable, or liars may have reported it as final. */
function isSettled({ reply, soundness, final }: Answered, { block }: Asked): boolean {
  if (block.kind === 'hash' || block.kind === 'none' || !soundness.isSound) return true
  return reply.block !== null && reply.block <= final
}

function isMajority({ chain, entry, reply, to }: Answered, network: Network, meaning: string): boolean {
  const casts = castsWithin(network, chain, pinnedKey(entry.asked as Asked, reply.block), 0, to)
  const supporters = supportersOf(casts, meaning)
  const operators = new Set(chain.nodes.map(({ operator }) => operator))
  return weightOf(chain, supporters) * 2 > chain.total && supporters.size >= Math.min(2, operators.size)
}
