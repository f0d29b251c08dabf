import type { UpstreamRequestRecord } from '../events/evidence-types.ts'
import type { Reply } from '../wire/types.ts'

/** What a node's reply is to this transaction: another hash than ours is a fault. */
export function judged(reply: Reply, hash: string): Reply {
  if (reply.kind !== 'result') return reply
  return reply.raw.trim().toLowerCase() === `"${hash}"` ? reply : { kind: 'fault', fault: 'wrong-hash' }
}

/** Writes into the record of a request what came of it. */
export function note(request: UpstreamRequestRecord, reply: Reply): void {
  request.outcome = reply.kind === 'fault' && reply.fault === 'cancelled' ? 'cancelled' : reply.kind
  request.detail = detailOf(reply)
}

function detailOf(reply: Reply): string | null {
  if (reply.kind === 'fault') return reply.fault
  if (reply.kind === 'rejected') return reply.class
  return reply.kind === 'unsupported' ? reply.why : null
}
