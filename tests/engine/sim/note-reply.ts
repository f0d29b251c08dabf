import { isQuorum, mayTighten } from './bars.ts'
import type { Entry } from './calls.ts'
import type { JudgedCall, Reply } from './judged-call.ts'

/** Counts how a call ended, for sometimes.ts. */
export function noteReply({ agreement }: Entry, reply: Reply, note: (what: string) => void): void {
  const { error, cache, agreed, total } = reply
  note(`outcome: ${agreement} ${error === undefined ? 'result' : error.code}`)
  if (error !== undefined) note(`error: ${error.code}`)
  if (error?.code === -32010) note(`failed: ${(error.data as { reason?: string } | undefined)?.reason}`)
  if (cache !== null) note(`cache: ${cache}`)
  if (cache === 'hit' && agreed !== null && total !== null && agreed * 2 <= total)
    note('cache: hit of a minority')
}

/** Counts by which rule a call ended, for sometimes.ts. */
export function notePolicy(judged: JudgedCall, note: (what: string) => void): void {
  const { chain, entry, reply, bars, isProtected: isGuarded, soundness } = judged
  if (reply.policy === null) return
  const kind = reply.isThin ? 'thin' : reply.policy
  if (reply.error === undefined) note(`policy: ${entry.agreement} ${kind}`)
  if (chain.nodes.some(({ isRequired }) => isRequired)) note(`policy: ${kind}, one must vote`)
  if (reply.cache === 'hit') note(`policy: ${kind} from the cache`)
  if (reply.cache === 'hit' && kind === 'protected' && !isGuarded)
    note('policy: protected for an everyday caller')
  if (isGuarded && reply.cache === 'miss' && judged.agreedMs.some((ms) => ms < judged.startMs))
    note('policy: a cached result was too weak')
  if (!mayTighten(chain) || !isQuorum(chain, bars.everyday, soundness.liars)) return
  // Every day their lie would be a result.
  if (kind === 'tightened' || kind === 'protected')
    note(`policy: poisoned voters ${reply.error === undefined ? 'outvoted' : 'without a result'}`)
  if (kind === 'thin' && reply.error === undefined) note('policy: poisoned voters with a thin result')
}
