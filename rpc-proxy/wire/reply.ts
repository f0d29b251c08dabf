import { elementsOf, isTooFine, owned, walkMembers } from './scan.ts'

/** An error object of a node. */
interface ResponseError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** What a node's response object says, before anybody judges what it means. `raw` has not been parsed yet. */
export type NodeResponse =
  | { readonly id: string; readonly raw: string }
  /** `id` is null where it is `null` or absent: an error may come from where no call was read. */
  | { readonly id: string | null; readonly error: ResponseError }

/** An envelope has three members; some nodes add one of their own. */
const membersMax = 16
/** Characters of a member that is not read. */
const unreadCharsMax = 1 << 12

/**
 * Reads one response object of a node between `from` and `to`; null when it is not exactly one: a key of the envelope
 * twice, another `jsonrpc`, both or neither of result and error (of the two, `null` beside the other is absent), an error
 * that is no error object, a result without id, text that is no JSON outside of `raw`. And when it would take long to
 * read: too many members, a long one that nobody knows, or a value that falls into too many parts.
 */
export function readResponse(text: string, from = 0, to = text.length): NodeResponse | null {
  const known: Envelope = { jsonrpc: undefined, id: undefined, result: undefined, error: undefined }
  let members = 0
  const isObject = walkMembers(text, { from, to }, (key, at, end) => {
    if (++members > membersMax) return false
    if (!isOfEnvelope(key)) return end - at <= unreadCharsMax && isJson(text.slice(at, end))
    if (known[key] !== undefined) return false
    known[key] = owned(text, at, end)
    return true
  })
  if (!isObject || known.jsonrpc !== '"2.0"') return null
  const { result } = known
  const id = present(known.id)
  const error = present(known.error)
  if (error === null)
    return id === null || result === undefined || isTooFine(result) ? null : { id, raw: result }
  if (present(result) !== null || isTooFine(error)) return null
  const parsed = errorOf(error)
  return parsed === null ? null : { id, error: parsed }
}

type Envelope = Record<'jsonrpc' | 'id' | 'result' | 'error', string | undefined>

function isOfEnvelope(key: string): key is keyof Envelope {
  return key === 'jsonrpc' || key === 'id' || key === 'result' || key === 'error'
}

/** A member's text; null for one that is absent or `null`. */
function present(text: string | undefined): string | null {
  return text === undefined || text === 'null' ? null : text
}

/** Unread members are validated too: a body that is not JSON is malformed as a whole. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function errorOf(text: string): ResponseError | null {
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

/** Response objects of a batch. */
export interface Responses {
  /** By id; null for one that came twice. */
  readonly byId: ReadonlyMap<string, NodeResponse | null>
  /** The first error without an id: it may be said to any call that has no response. */
  readonly stray: NodeResponse | null
}

/**
 * Reads a batch's response objects; null when the text is no array, or has more elements than there were calls. Malformed
 * members and duplicate ids answer no call.
 */
export function readResponses(text: string, callsSent: number): Responses | null {
  const elements = elementsOf(text, callsSent)
  if (elements === null) return null
  const byId = new Map<string, NodeResponse | null>()
  let stray: NodeResponse | null = null
  for (const { from, to } of elements) {
    const response = readResponse(text, from, to)
    if (response === null) continue
    if (response.id === null) stray ??= response
    else byId.set(response.id, byId.has(response.id) ? null : response)
  }
  return { byId, stray }
}

/** Characters of a text that is read loosely, and errors in it: they excuse, and need no more. */
const looseCharsMax = 1 << 16
const looseErrorsMax = 64

/**
 * Errors of a text that is no proper response, as gateways send them with an HTTP error: with any id or none, a bare
 * `{code, message}`, an error that is text, one or an array of these. None where any member is no error. They may excuse a
 * node; they are never a vote.
 */
export function looseErrors(text: string): readonly ResponseError[] {
  if (text.length > looseCharsMax || isTooFine(text)) return []
  try {
    const value: unknown = JSON.parse(text)
    const members = Array.isArray(value) ? value : [value]
    const errors = members.slice(0, looseErrorsMax).map(looseError)
    return errors.every((error) => error !== null) ? errors : []
  } catch {
    return []
  }
}

function looseError(value: unknown): ResponseError | null {
  if (typeof value !== 'object' || value === null) return null
  const { error = value } = value as { error?: unknown }
  if (typeof error === 'string') return { code: 0, message: error, data: undefined }
  if (typeof error !== 'object' || error === null) return null
  const { code, message, data } = error as Record<string, unknown>
  if (typeof code !== 'number' && typeof message !== 'string') return null
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    data,
  }
}
