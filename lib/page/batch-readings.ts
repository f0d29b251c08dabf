import { isRecord, parseJson } from '../parse-json.ts'
import type { Quorum, ReadCall, Reading } from './reading.ts'

/** A JSON-RPC batch for the questions; ids are their indexes. */
export function encodeReadCalls(calls: readonly ReadCall[]): string {
  return JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
}

/** The reply of each call, in their order. What was refused as a whole is refused for each, and is never a value. */
export function repliesOf(text: string, calls: number): readonly unknown[] {
  const replies = parseJson(text)
  if (Array.isArray(replies))
    return Array.from({ length: calls }, (_, id) =>
      replies.find((reply) => isRecord(reply) && reply.id === id),
    )
  return Array(calls).fill(isRecord(replies) ? { error: replies.error } : undefined)
}

/** Decodes an explained reply. A missing or malformed one is a refusal, never a value. */
export function decodeReading(reply: unknown): Reading {
  if (!isRecord(reply)) return failedReading(undefined, null)
  const explained = isRecord(reply.quorate) ? reply.quorate : {}
  const answer = typeof explained.answer === 'string' ? explained.answer : null
  if (reply.error !== undefined || reply.result === undefined) return failedReading(reply.error, answer)
  return {
    state: 'agreed',
    value: reply.result,
    quorum: decodeQuorum(explained),
    block: decodeBlock(explained.block),
    answer,
  }
}

function decodeQuorum(explained: Record<string, unknown>): Quorum | null {
  const { operators, dissenting, operatorsTotal, thin, proven } = explained
  if (typeof operators !== 'number' || typeof dissenting !== 'number') return null
  // Gateways before witnesses send neither.
  const total = typeof operatorsTotal === 'number' ? operatorsTotal : 0
  const unreached = thin === true ? Math.max(1, total - operators - dissenting) : 0
  return { operators, dissenting, unreached, ...(proven === true && { isProven: true }) }
}

function decodeBlock(block: unknown): number | null {
  if (typeof block === 'number') return block
  return typeof block === 'string' && /^0x[0-9a-f]+$/i.test(block) ? Number(block) : null
}

/** Reasons of -32010 with a sentence of their own. */
const namedReasons = ['disagree', 'heads', 'thin', 'unproven'] as const

function failedReading(error: unknown, answer: string | null): Reading {
  const { code, data, message } = isRecord(error) ? error : {}
  if (code === -32005) return { state: 'refused', why: 'busy', answer }
  if (code !== -32010)
    return {
      state: 'refused',
      why: code === undefined ? 'unreachable' : 'refused',
      answer,
      ...shorter(message),
    }
  const why = namedReasons.find((reason) => isRecord(data) && reason === data.reason) ?? 'silent'
  return { state: 'refused', why, answer }
}

/** The gateway's own limit, and the one that its nodes have. */
function shorter(message: unknown): { readonly blocksMax?: number } {
  const blocks = /block range(?: too large, at most|:) (\d+)/.exec(String(message))?.[1]
  return blocks === undefined ? {} : { blocksMax: Number(blocks) }
}
