import { CallError } from '../runtime/errors.ts'
import { elementsOf, isDeeperThan, walkMembers } from './scan.ts'
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
  if (isDeeperThan(text, depthMax))
    return refused(
      new CallError('not-a-request', { message: `invalid request: nested deeper than ${depthMax}` }),
    )
  const value = parse(text)
  if (value === unparsed) return refused(new CallError('not-json'))
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

const unparsed = Symbol('unparsed')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return unparsed
  }
}

function refused(error: CallError): Decoded {
  return { kind: 'refused', error, batch: null }
}

interface Slice {
  readonly from: number
  readonly to: number
}

/** `value` is what the slice of the text was parsed to. The text tells what a parser does not: an id as it was written, and repeated keys. */
function entryOf(value: unknown, text: string, slice: Slice): BatchEntry {
  let id: IdText | undefined
  let isSecond = false
  let version: string | undefined
  let seen = 0
  const isObject = walkMembers(text, slice, (key, from, to) => {
    const bit = bitOf(key)
    if (key === 'id') id = text.slice(from, to)
    if (key === 'jsonrpc') version = text.slice(from, to)
    isSecond = (seen & bit) !== 0
    seen |= bit
    return !isSecond
  })
  if (isSecond)
    return {
      id: 'null',
      error: new CallError('not-a-request', { message: 'invalid request: a key stands twice' }),
    }
  if (!isObject) return { id: 'null', error: new CallError('not-a-request') }
  const { method, params } = value as { readonly method?: unknown; readonly params?: unknown }
  if (id !== undefined && !isId(id))
    return {
      id: 'null',
      error: new CallError('not-a-request', {
        message: 'invalid request: id must be a string, a number or null',
      }),
    }
  const fail = (why: string): BatchEntry => ({
    id: id ?? 'null',
    error: new CallError('not-a-request', { message: `invalid request: ${why}` }),
  })
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

/** Which member of a call it is; 0 for any other. */
function bitOf(key: string): number {
  if (key === 'id') return 1
  if (key === 'jsonrpc') return 2
  if (key === 'method') return 4
  return key === 'params' ? 8 : 0
}

function isId(text: IdText): boolean {
  const first = text.charCodeAt(0)
  return first === 34 || first === 45 || (first >= 48 && first <= 57) || text === 'null'
}

/** The ids that can be read; past `idsMax` one `null` stands for the rest, or a refusal would be many times its batch. */
function idsOf(text: string, slices: readonly Slice[], idsMax: number): readonly IdText[] {
  const ids: IdText[] = []
  for (const slice of slices) {
    const id = readableId(text, slice)
    if (id === null) continue
    if (ids.length === idsMax) return [...ids, 'null']
    ids.push(id)
  }
  return ids
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
