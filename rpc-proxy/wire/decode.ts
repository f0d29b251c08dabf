import { CallError } from '../errors.ts'
import { elementsOf, isDeeperThan, type Member, membersOf } from './scan.ts'
import type { Call, IdText } from './types.ts'

/** One place of a request: a call, or what is wrong with it. Nothing answers a notification, good or bad: it has no id. */
export type Entry = { readonly call: Call } | { readonly id: IdText | undefined; readonly error: CallError }

export type Decoded =
  | { readonly kind: 'single'; readonly entry: Entry }
  | { readonly kind: 'batch'; readonly entries: readonly Entry[] }
  | Refused

/** Refused whole. Of a batch: how many calls it has, and the ids to answer under, at most `batchCallsMax` and one. */
interface Refused {
  readonly kind: 'refused'
  readonly error: CallError
  readonly batch: { readonly calls: number; readonly ids: readonly IdText[] } | null
}

interface DecodeOptions {
  readonly batchCallsMax: number
  readonly depthMax?: number
}

/** Text -> calls. A bad entry of a batch becomes its own error; ids keep their text. JSON-RPC 2.0, §4 and §6. */
export function decode(text: string, { batchCallsMax, depthMax = 32 }: DecodeOptions): Decoded {
  if (isDeeperThan(text, depthMax))
    return refused(
      new CallError('not-a-request', { message: `invalid request: nested deeper than ${depthMax}` }),
    )
  const value = parse(text)
  if (value === unparsed) return refused(new CallError('not-json'))
  if (!Array.isArray(value)) return { kind: 'single', entry: entryOf(text, 0, text.length) }
  if (value.length === 0) return refused(new CallError('empty-batch'))
  const slices = elementsOf(text) ?? []
  if (value.length > batchCallsMax) {
    const error = new CallError('batch-too-large', {
      message: `batch too large: ${value.length} calls, at most ${batchCallsMax}`,
    })
    return { kind: 'refused', error, batch: { calls: value.length, ids: idsOf(text, slices, batchCallsMax) } }
  }
  return { kind: 'batch', entries: slices.map(({ from, to }) => entryOf(text, from, to)) }
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

/** The whole text has been parsed before, so that slices of it are JSON. */
function entryOf(text: string, from: number, to: number): Entry {
  const members = membersOf(text, from, to)
  if (members === null) return { id: 'null', error: new CallError('not-a-request') }
  let id: IdText | undefined
  let version: string | undefined
  let method: unknown
  let params: unknown
  let seen = 0
  for (const member of members) {
    const bit = envelope.get(member.key)
    if (bit === undefined) continue
    if (seen & bit)
      return {
        id: 'null',
        error: new CallError('not-a-request', { message: 'invalid request: a key stands twice' }),
      }
    seen |= bit
    const slice = text.slice(member.from, member.to)
    if (member.key === 'id') id = slice
    else if (member.key === 'jsonrpc') version = slice
    else if (member.key === 'method') method = JSON.parse(slice)
    else params = JSON.parse(slice)
  }
  if (id !== undefined && !isId(id))
    return {
      id: 'null',
      error: new CallError('not-a-request', {
        message: 'invalid request: id must be a string, a number or null',
      }),
    }
  const fail = (why: string): Entry => ({
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

const envelope = new Map([
  ['id', 1],
  ['jsonrpc', 2],
  ['method', 4],
  ['params', 8],
])

function isId(text: IdText): boolean {
  const first = text.charCodeAt(0)
  return first === 34 || first === 45 || (first >= 48 && first <= 57) || text === 'null'
}

/** The ids that can be read; past `idsMax` one `null` stands for the rest, or a refusal would be many times its batch. */
function idsOf(
  text: string,
  slices: readonly { readonly from: number; readonly to: number }[],
  idsMax: number,
): readonly IdText[] {
  const ids: IdText[] = []
  for (const { from, to } of slices) {
    const id = readableId(text, from, to)
    if (id === null) continue
    if (ids.length === idsMax) return [...ids, 'null']
    ids.push(id)
  }
  return ids
}

function readableId(text: string, from: number, to: number): IdText | null {
  const id = membersOf(text, from, to)?.find((member: Member) => member.key === 'id')
  if (id === undefined) return null
  const slice = text.slice(id.from, id.to)
  return isId(slice) ? slice : null
}
