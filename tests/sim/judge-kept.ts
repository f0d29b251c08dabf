import { type Answered, pinnedKey, type Report } from './answered.ts'
import type { Asked } from './asked.ts'
import type { Network } from './network.ts'
import { backersOf, castsWithin, weightOf } from './recount.ts'

/** How long what less than a strict majority agrees on is kept of a block that does not change, milliseconds. */
const minorityKeptMs = 60_000

/** What comes out of the cache was fit to be kept, and is not older than it may be (S8). */
export function judgeKept(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { entry, reply, soundness, final } = answered
  if (reply.cache !== 'hit') return
  const isNull = reply.result === null && entry.agreement !== 'derived'
  if (reply.error !== undefined || isNull || entry.agreement === 'highest')
    report('S8', `${entry.text} = ${JSON.stringify(reply.error ?? reply.result)} out of the cache`)
  judgeAge(answered, network, meaning, report)
  const { blockNumber } = (reply.result ?? {}) as { blockNumber?: string }
  if (entry.asked?.block.kind !== 'none' || blockNumber === undefined || !soundness.isSound) return
  if (Number(blockNumber) > final)
    report('S8', `${entry.text} of block ${Number(blockNumber)} out of the cache, and ${final} is final`)
}

/**
 * What a reorg could change is not older than the head. What nothing changes any more may be of any age where more than half
 * of all weight said it, and a minute old at most where less did.
 */
function judgeAge(answered: Answered, network: Network, meaning: string, report: Report): void {
  const { entry, reply, chain, agreedMs, headSinceMs, endMs, givenUpMs } = answered
  // A range may have been read in parts, and a number is made of several answers: neither is found among what nodes said.
  if (entry.asked === null || !aged.has(entry.agreement)) return
  const youngest = Math.max(Number.NEGATIVE_INFINITY, ...agreedMs)
  if (chain.reset?.kind === 'anew' && givenUpMs !== null && youngest < givenUpMs)
    report('S8', `${entry.text} at ${reply.block} out of the cache, of a chain that was reset since`)
  if (youngest >= headSinceMs) return
  const age = `${endMs - youngest} ms after it was agreed, ${endMs - headSinceMs} ms after the head came`
  if (!isSettled(answered, entry.asked))
    report('S8', `${entry.text} at ${reply.block} out of the cache, ${age}`)
  else if (endMs - youngest >= minorityKeptMs && !isMajority(answered, network, meaning))
    report(
      'S8',
      `${entry.text} at ${reply.block} out of the cache, ${age}, by ${reply.agreed} of ${chain.total}`,
    )
}

const aged = new Set(['equality', 'lookup'])

/** Nothing changes it any more, or liars may have called it final. */
function isSettled({ reply, soundness, final }: Answered, { block }: Asked): boolean {
  if (block.kind === 'hash' || block.kind === 'none' || !soundness.isSound) return true
  return reply.block !== null && reply.block <= final
}

function isMajority({ chain, entry, reply, to }: Answered, network: Network, meaning: string): boolean {
  const casts = castsWithin(network, chain, pinnedKey(entry.asked as Asked, reply.block), 0, to)
  const backers = backersOf(casts, meaning)
  const operators = new Set(chain.nodes.map(({ operator }) => operator))
  return weightOf(chain, backers) * 2 > chain.total && backers.size >= Math.min(2, operators.size)
}
