import { shortHashes } from '../methods/agreed-blocks.ts'
import { verifyHeader } from '../wire/header-hash.ts'
import { parseJson } from '../wire/scan.ts'
import type { Reply } from '../wire/types.ts'
import type { AgreedBlock, Header } from './head-views.ts'

const hash = /^0x[0-9a-f]{64}$/i
const bloom = /^0x[0-9a-f]{512}$/i
const quantity = /^0x[0-9a-f]{1,13}$/i

/** The header in the JSON text of a block; null for anything else. */
export function readHeader(raw: string, chainId: number): Header | null {
  const block = parseJson(raw)
  if (typeof block !== 'object' || block === null) return null
  const members = block as Record<string, unknown>
  const { number, hash: own, parentHash, logsBloom } = members
  const { gasLimit, stateRoot, timestamp, transactions } = members
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
    stateRoot: matches(hash, stateRoot) ? stateRoot.toLowerCase() : null,
    verified: verifyHeader(block, { chainId, hash: own.toLowerCase() }),
  }
}

/** Blocks of classic Arbitrum have no state root. */
const noState = `0x${'0'.repeat(64)}`

/** A block whose header is believed as a whole. What follows from its hash it has only where the header is verified. */
export function blockFrom({ timeMs: _, verified, ...header }: Header): AgreedBlock {
  const { stateRoot } = header
  return verified !== null && stateRoot !== noState
    ? { ...header, verified }
    : { ...header, stateRoot: null, verified: null }
}

const bound = ['parentHash', 'logsBloom', 'gasLimit', 'stateRoot'] as const

/**
 * Whether a header says other than the hash that it names. Only against a header that was verified: one that does not hash may be of
 * a chain, or after a fork, whose headers have other fields, and its node may leave some out.
 */
export function contradicts(header: Header, known: AgreedBlock | null): boolean {
  return (
    known?.stateRoot != null && header.verified === null && bound.some((key) => header[key] !== known[key])
  )
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** What a reply to a request for a header means. No such block is no fault: the node is behind, or knows no finality. */
export function headerReply(reply: Reply, header: Header | null): Reply {
  if (reply.kind !== 'result' || header !== null) return reply
  return reply.raw === 'null' ? { kind: 'behind' } : { kind: 'fault', fault: 'malformed' }
}
