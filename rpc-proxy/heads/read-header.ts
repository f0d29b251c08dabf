import { shortHashes } from '../methods/agreed-blocks.ts'
import type { Reply } from '../wire/types.ts'
import type { Header } from './head-views.ts'

const hash = /^0x[0-9a-f]{64}$/i
const bloom = /^0x[0-9a-f]{512}$/i
const quantity = /^0x[0-9a-f]{1,13}$/i

/** The header in the JSON text of a block; null for anything that is none. */
export function readHeader(raw: string): Header | null {
  const block = parse(raw)
  if (typeof block !== 'object' || block === null) return null
  const {
    number,
    hash: own,
    parentHash,
    logsBloom,
    gasLimit,
    timestamp,
    transactions,
  } = block as Record<string, unknown>
  if (
    !matches(quantity, number) ||
    !matches(hash, own) ||
    !matches(hash, parentHash) ||
    !matches(bloom, logsBloom)
  )
    return null
  return {
    number: Number(number),
    hash: own.toLowerCase(),
    parentHash: parentHash.toLowerCase(),
    logsBloom: logsBloom.toLowerCase(),
    // Zero is what chains send that have no limit.
    gasLimit: matches(quantity, gasLimit) ? Number(gasLimit) || null : null,
    transactions: shortHashes(transactions),
    timeMs: matches(quantity, timestamp) ? Number(timestamp) * 1000 : null,
  }
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return null
  }
}

/** What a reply to a request for a header means. No such block is no fault: the node is behind, or knows no finality. */
export function headerReply(reply: Reply, header: Header | null): Reply {
  if (reply.kind !== 'result' || header !== null) return reply
  return reply.raw === 'null' ? { kind: 'behind' } : { kind: 'fault', fault: 'malformed' }
}
