import { parseJson } from '../parse-json.ts'
import { methodHelp, type ParamHelp, type ParamKind } from './methods.ts'

/** The parsed params, or the index and sentence of the first fault. */
export type TypedParams =
  | { readonly params: readonly unknown[] }
  | { readonly at: number; readonly fault: string }

const shapes: Readonly<Record<Exclude<ParamKind, 'json' | 'flag'>, readonly [RegExp, string]>> = {
  address: [/^0x[0-9a-fA-F]{40}$/, 'Enter an address: 0x followed by 40 hexadecimal digits.'],
  block: [
    /^(latest|safe|finalized|earliest|pending|0x[0-9a-fA-F]{1,64})$/,
    'Enter latest, safe, finalized, earliest, pending, a number in hexadecimal such as 0x10, or a block hash.',
  ],
  hash: [/^0x[0-9a-fA-F]{64}$/, 'Enter a hash: 0x followed by 64 hexadecimal digits.'],
  quantity: [/^0x[0-9a-fA-F]{1,64}$/, 'Enter a number in hexadecimal, such as 0x10.'],
  data: [/^0x([0-9a-fA-F]{2})*$/, 'Enter bytes: 0x followed by an even number of hexadecimal digits.'],
  id: [/^0x[0-9a-fA-F]{1,64}$/, 'Enter the id that the filter was given.'],
}

/** Parses the fields of a method's params. An empty optional one is omitted, or null when another one follows. */
export function readParams(help: readonly ParamHelp[], typed: readonly string[]): TypedParams {
  const params: unknown[] = []
  for (const [at, param] of help.entries()) {
    const read = readParam(param, (typed[at] ?? '').trim())
    if ('fault' in read) return { at, fault: read.fault }
    params.push(read.value)
  }
  while (params.length > 0 && params.at(-1) === undefined) params.pop()
  return { params: params.map((value) => value ?? null) }
}

const decimal = /^(\d{1,20}|\d{1,3}([ ,.'’\u00a0\u202f]\d{3})+)$/

function readParam(
  { kind, optional }: ParamHelp,
  text: string,
): { readonly value: unknown } | { readonly fault: string } {
  if (text === '') return optional ? { value: undefined } : { fault: 'This is required.' }
  if (kind === 'flag') return { value: text === 'true' }
  if (kind === 'json') {
    const value = parseJson(text)
    return value === undefined ? { fault: 'Enter JSON, such as {"to": "0x…"}.' } : { value }
  }
  // People type decimal numbers, and paste them as pages write them.
  const value =
    (kind === 'block' || kind === 'quantity') && decimal.test(text)
      ? `0x${BigInt(text.replace(/\D/g, '')).toString(16)}`
      : text
  const [shape, fault] = shapes[kind]
  return shape.test(value) ? { value } : { fault }
}

/** The inverse, for params from a link. Invalid values are shown as they are, and `readParams` reports them. */
export function showParams(help: readonly ParamHelp[], params: readonly unknown[]): readonly string[] {
  return help.map(({ kind }, at) => {
    const value = params[at]
    if (value === undefined || value === null) return ''
    return kind !== 'json' && typeof value === 'string' ? value : JSON.stringify(value)
  })
}

export function paramsOf(method: string): readonly ParamHelp[] {
  const [, ...params] = methodHelp[method] ?? ['']
  return params
}

export const exampleOf = (method: string): readonly string[] => paramsOf(method).map(({ example }) => example)
