import { owned } from './owned.ts'
import { elementsOf, isTooFine, membersOf } from './scan.ts'

/** What a node's response object says, before anybody judges what it means. `raw` has not been parsed yet. */
export type NodeResponse =
  | { readonly id: string; readonly raw: string }
  | {
      readonly id: string
      readonly error: { readonly code: number; readonly message: string; readonly data: unknown }
    }

/** An envelope has three members; some nodes add one of their own. */
const membersMax = 16
/** Characters of a member that nobody reads. */
const unreadCharsMax = 1 << 12

/**
 * Reads one response object of a node between `from` and `to`; null when it is not exactly one: a key of the envelope
 * twice, another `jsonrpc`, both or neither of result and error, an error that is no error object, text that is no JSON
 * outside of `raw`. And when it would take long to read: too many members, a long one that nobody knows, or a value that
 * falls into too many parts.
 */
export function readResponse(text: string, from = 0, to = text.length): NodeResponse | null {
  const members = membersOf(text, from, to, membersMax)
  if (members === null) return null
  let id: string | null = null
  let version: string | null = null
  let result: string | null = null
  let error: string | null = null
  for (const member of members) {
    const slice = owned(text, member.from, member.to)
    if (member.key === 'id') {
      if (id !== null) return null
      id = slice
    } else if (member.key === 'jsonrpc') {
      if (version !== null) return null
      version = slice
    } else if (member.key === 'result') {
      if (result !== null) return null
      result = slice
    } else if (member.key === 'error') {
      if (error !== null) return null
      error = slice
    } else if (slice.length > unreadCharsMax || !isJson(slice)) return null
  }
  if (id === null || version !== '"2.0"') return null
  if (error === null) return result === null || isTooFine(result) ? null : { id, raw: result }
  if (result !== null || isTooFine(error)) return null
  const parsed = errorOf(error)
  return parsed === null ? null : { id, error: parsed }
}

/** Members that nobody reads are checked all the same: a body that is no JSON says nothing. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function errorOf(text: string): { code: number; message: string; data: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { code, message, data } = value as Record<string, unknown>
    if (typeof code !== 'number' || typeof message !== 'string') return null
    return { code, message, data }
  } catch {
    return null
  }
}

/**
 * Reads a batch's response objects by their id; null when the text is no array, or has more elements than there were
 * calls. An object that is none stands for nobody, and an id that comes twice for none: neither may be taken for an answer.
 */
export function readResponses(
  text: string,
  callsSent: number,
): ReadonlyMap<string, NodeResponse | null> | null {
  const elements = elementsOf(text, callsSent)
  if (elements === null) return null
  const responses = new Map<string, NodeResponse | null>()
  for (const { from, to } of elements) {
    const response = readResponse(text, from, to)
    if (response !== null) responses.set(response.id, responses.has(response.id) ? null : response)
  }
  return responses
}
