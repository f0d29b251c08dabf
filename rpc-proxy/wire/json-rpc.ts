import { CallError, type ErrorObject } from '../runtime/errors.ts'
import { elementsOf, isDeeperThan, isTooFine, owned, parseJson, type Slice, walkMembers } from './scan.ts'
import type { Call, IdText } from './types.ts'

/** One place of a request: a call, or what is wrong with it. Nothing answers a notification, good or bad: it has no id. */
export type BatchEntry =
  | { readonly call: Call }
  | { readonly id: IdText | undefined; readonly error: CallError }

type Decoded =
  | { readonly kind: 'single'; readonly entry: BatchEntry }
  | { readonly kind: 'batch'; readonly entries: readonly BatchEntry[] }
  | Rejected

/** Refused whole. Of a batch: how many calls it has, and the ids to answer under, at most `batchCallsMax` and one. */
export interface Rejected {
  readonly kind: 'refused'
  readonly error: CallError
  readonly batch: { readonly calls: number; readonly ids: readonly IdText[] } | null
}

const depthMax = 32

/** Text -> calls. A bad entry of a batch becomes its own error; ids keep their text. JSON-RPC 2.0, §4 and §6. */
export function decode(text: string, { batchCallsMax }: { readonly batchCallsMax: number }): Decoded {
  if (isDeeperThan(text, depthMax)) return refused(invalid(`nested deeper than ${depthMax}`))
  const value = parseJson(text)
  if (value === undefined) return refused(new CallError('not-json'))
  if (!Array.isArray(value))
    return { kind: 'single', entry: entryOf(value, text, { from: 0, to: text.length }) }
  if (value.length === 0) return refused(new CallError('empty-batch'))
  const slices = elementsOf(text) ?? []
  if (value.length > batchCallsMax) {
    const error = new CallError('batch-too-large', {
      message: `batch too large: ${value.length} calls, at most ${batchCallsMax}`,
    })
    return { kind: 'refused', error, batch: { calls: value.length, ids: idsOf(text, slices, batchCallsMax) } }
  }
  return { kind: 'batch', entries: slices.map((slice, index) => entryOf(value[index], text, slice)) }
}

/** The ids under which a refusal of the whole text is answered; none where nothing in it is a call. */
export function idsIn(text: string, limits: { readonly batchCallsMax: number }): readonly IdText[] {
  const decoded = decode(text, limits)
  if (decoded.kind === 'refused') return decoded.batch?.ids ?? []
  const entries = decoded.kind === 'single' ? [decoded.entry] : decoded.entries
  return entries.flatMap((entry) => ('call' in entry ? entry.call.id : entry.id) ?? [])
}

function refused(error: CallError): Decoded {
  return { kind: 'refused', error, batch: null }
}

/** `value` is what the slice of the text was parsed to. The text tells what a parser does not: an id as it was written, and repeated keys. */
function entryOf(value: unknown, text: string, slice: Slice): BatchEntry {
  const texts: CallTexts = { jsonrpc: undefined, id: undefined, method: undefined, params: undefined }
  let isSecond = false
  const isObject = walkMembers(text, slice, (key, from, to) => {
    if (!isNameIn(texts, key)) return true
    isSecond = texts[key] !== undefined
    texts[key] = text.slice(from, to)
    return !isSecond
  })
  const { id, jsonrpc: version } = texts
  if (isSecond) return { id: 'null', error: invalid('a key stands twice') }
  if (!isObject) return { id: 'null', error: new CallError('not-a-request') }
  const { method, params } = value as { readonly method?: unknown; readonly params?: unknown }
  if (id !== undefined && !isId(id))
    return { id: 'null', error: invalid('id must be a string, a number or null') }
  const fail = (why: string): BatchEntry => ({ id: id ?? 'null', error: invalid(why) })
  if (version !== '"2.0"') return fail('jsonrpc must be "2.0"')
  if (typeof method !== 'string' || method === '') return fail('method must be a string')
  // JSON-RPC 2.0 knows no null here, but go-ethereum's server reads it as no params, and some clients send it.
  if (params === undefined || params === null) return { call: { id, method, params: [] } }
  if (Array.isArray(params)) return { call: { id, method, params } }
  if (typeof params !== 'object') return fail('params must be an array')
  return {
    id,
    error: new CallError('bad-params', {
      message: 'invalid params: they must be given by position, in an array',
    }),
  }
}

function invalid(why: string): CallError {
  return new CallError('not-a-request', { message: `invalid request: ${why}` })
}

/** The texts of members, by name. */
type Texts<Name extends string> = Record<Name, string | undefined>
type CallTexts = Texts<'jsonrpc' | 'id' | 'method' | 'params'>
type ResponseTexts = Texts<'jsonrpc' | 'id' | 'result' | 'error'>

function isNameIn<Name extends string>(texts: Texts<Name>, key: string): key is Name {
  return Object.hasOwn(texts, key)
}

function isId(text: IdText): boolean {
  const first = text.charCodeAt(0)
  return first === 34 || first === 45 || (first >= 48 && first <= 57) || text === 'null'
}

/** The ids that can be read; past `idsMax` one `null` stands for the rest, or a refusal would be many times its batch. */
function idsOf(text: string, slices: readonly Slice[], idsMax: number): readonly IdText[] {
  const ids = slices.flatMap((slice) => readableId(text, slice) ?? [])
  return ids.length <= idsMax ? ids : [...ids.slice(0, idsMax), 'null']
}

/** The first id of a call that is an object. */
function readableId(text: string, slice: Slice): IdText | null {
  let id: IdText | null = null
  const isObject = walkMembers(text, slice, (key, from, to) => {
    if (key === 'id') id ??= text.slice(from, to)
    return true
  })
  return isObject && id !== null && isId(id) ? id : null
}

/** An error object as a node sent it. */
export interface NodeError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** What a node's response object says, before anybody judges what it means. `raw` has not been parsed yet. */
export type NodeResponse =
  | { readonly id: string; readonly raw: string }
  /** `id` is null where it is `null` or absent: an error may come from where no call was read. */
  | { readonly id: string | null; readonly error: NodeError }

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
  const texts: ResponseTexts = { jsonrpc: undefined, id: undefined, result: undefined, error: undefined }
  let members = 0
  const isObject = walkMembers(text, { from, to }, (key, at, end) => {
    if (++members > membersMax) return false
    if (!isNameIn(texts, key)) return end - at <= unreadCharsMax && isJson(text.slice(at, end))
    if (texts[key] !== undefined) return false
    texts[key] = owned(text, at, end)
    return true
  })
  if (!isObject || texts.jsonrpc !== '"2.0"') return null
  const { result } = texts
  const id = present(texts.id)
  const error = present(texts.error)
  if (error === null)
    return id === null || result === undefined || isTooFine(result) ? null : { id, raw: result }
  if (present(result) !== null || isTooFine(error)) return null
  const parsed = errorOf(error)
  return parsed === null ? null : { id, error: parsed }
}

/** A member's text; null for one that is absent or `null`. */
function present(text: string | undefined): string | null {
  return text === undefined || text === 'null' ? null : text
}

/** Unread members are validated too: a body that is not JSON is malformed as a whole. */
const isJson = (text: string): boolean => parseJson(text) !== undefined

function errorOf(text: string): NodeError | null {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return null
  const { code, message, data } = value as Record<string, unknown>
  return typeof code === 'number' && typeof message === 'string' ? { code, message, data } : null
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
export function looseErrors(text: string): readonly NodeError[] {
  if (text.length > looseCharsMax || isTooFine(text)) return []
  const value = parseJson(text)
  const errors = (Array.isArray(value) ? value : [value]).slice(0, looseErrorsMax).map(looseError)
  return errors.every((error) => error !== null) ? errors : []
}

function looseError(value: unknown): NodeError | null {
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

/** One response object. `raw` is JSON that has been parsed; `member` is a further member (`"quorate":{…}`) or empty. */
export function encodeResult(id: IdText, raw: string, member = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${raw}${member === '' ? '' : `,${member}`}}`
}

export function encodeError(id: IdText, error: ErrorObject, member = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}${member === '' ? '' : `,${member}`}}`
}

/** The text of one request to a node; `params` is the JSON text of the params. */
export function encodeCall(id: number, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
}
