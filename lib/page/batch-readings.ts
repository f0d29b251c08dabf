import { isRecord, parseJson } from '../parse-json.ts'
import type { Quorum, ReadCall, Reading } from './reading.ts'

/** A JSON-RPC batch for the questions; ids are their indexes. */
export function encodeReadCalls(calls: readonly ReadCall[]): string {
  return JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
}

/** Decodes an explained batch in the order of the questions. A missing or malformed reply is a refusal, never a value. */
export function decodeReadings(text: string, calls: readonly ReadCall[]): readonly Reading[] {
  const replies = parseJson(text)
  if (!Array.isArray(replies)) return calls.map(() => failedReading(codeOf(replies)))
  return calls.map((_, id) => decodeReading(replies.find((reply) => isRecord(reply) && reply.id === id)))
}

function decodeReading(reply: unknown): Reading {
  if (!isRecord(reply)) return failedReading(undefined)
  const explained = isRecord(reply.quorate) ? reply.quorate : {}
  const answer = typeof explained.answer === 'string' ? explained.answer : null
  if (reply.error !== undefined || reply.result === undefined)
    return failedReading(codeOf(reply), reply.error, answer)
  return {
    state: 'agreed',
    value: reply.result,
    quorum: decodeQuorum(explained),
    block: decodeBlock(explained.block),
    answer,
  }
}

function decodeQuorum(explained: Record<string, unknown>): Quorum | null {
  const { operators, dissenting, operatorsTotal, thin } = explained
  if (typeof operators !== 'number' || typeof dissenting !== 'number') return null
  // Gateways before witnesses send neither.
  const total = typeof operatorsTotal === 'number' ? operatorsTotal : 0
  return { operators, dissenting, unreached: thin === true ? Math.max(1, total - operators - dissenting) : 0 }
}

function decodeBlock(block: unknown): number | null {
  if (typeof block === 'number') return block
  return typeof block === 'string' && /^0x[0-9a-f]+$/i.test(block) ? Number(block) : null
}

/** Reasons of -32010 with a sentence of their own. */
const namedReasons = ['disagree', 'heads', 'thin'] as const

function failedReading(code: unknown, error?: unknown, answer: string | null = null): Reading {
  if (code === -32005) return { state: 'refused', why: 'busy', answer }
  if (code !== -32010)
    return { state: 'refused', why: code === undefined ? 'unreachable' : 'refused', answer }
  const facts = isRecord(error) && isRecord(error.data) ? error.data : {}
  const why = namedReasons.find((reason) => reason === facts.reason) ?? 'silent'
  return { state: 'refused', why, answer }
}

function codeOf(reply: unknown): unknown {
  const one = Array.isArray(reply) ? reply[0] : reply
  return isRecord(one) && isRecord(one.error) ? one.error.code : undefined
}
