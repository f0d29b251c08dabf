import { isRecord, parseJson } from '../parse-json.ts'
import type { Question, Quorum, Reading } from './reading.ts'

/** A JSON-RPC batch for the questions; ids are their indexes. */
export function encodeQuestions(questions: readonly Question[]): string {
  return JSON.stringify(questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
}

/** Decodes an explained batch in the order of the questions. A missing or malformed reply is a refusal, never a value. */
export function decodeReadings(text: string, questions: readonly Question[]): readonly Reading[] {
  const replies = parseJson(text)
  if (!Array.isArray(replies)) return questions.map(() => refusal(codeOf(replies)))
  return questions.map((_, id) => decodeReading(replies.find((reply) => isRecord(reply) && reply.id === id)))
}

function decodeReading(reply: unknown): Reading {
  if (!isRecord(reply)) return refusal(undefined)
  const explained = isRecord(reply.quorate) ? reply.quorate : {}
  const answer = typeof explained.answer === 'string' ? explained.answer : null
  if (reply.error !== undefined || reply.result === undefined)
    return refusal(codeOf(reply), reply.error, answer)
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
const told = ['disagree', 'heads', 'thin'] as const

function refusal(code: unknown, error?: unknown, answer: string | null = null): Reading {
  if (code === -32005) return { state: 'refused', why: 'busy', answer }
  if (code !== -32010)
    return { state: 'refused', why: code === undefined ? 'unreachable' : 'refused', answer }
  const facts = isRecord(error) && isRecord(error.data) ? error.data : {}
  const why = told.find((reason) => reason === facts.reason) ?? 'silent'
  return { state: 'refused', why, answer }
}

function codeOf(reply: unknown): unknown {
  const one = Array.isArray(reply) ? reply[0] : reply
  return isRecord(one) && isRecord(one.error) ? one.error.code : undefined
}
