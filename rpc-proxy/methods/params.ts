import { z } from 'zod'
import { CallError } from '../runtime/errors.ts'

// zod compiles validators with `new Function`, which edge and a strict CSP forbid. A schema reads this when it is made, so
// this module comes before every other one that makes schemas.
z.config({ jitless: true })

/** Params as a caller sent them -> canonical ones. Throws CallError `bad-params`. */
export type Parse = (params: readonly unknown[]) => readonly unknown[]

/**
 * Reads positional params, each by its own schema; null counts as missing, as it does in geth. What a schema reads as
 * undefined is left out at the end and an empty object in between.
 */
export function params(...schemas: readonly z.ZodType[]): Parse {
  return (given) => {
    if (given.length > schemas.length) throw badParams(`too many arguments, want at most ${schemas.length}`)
    const read: unknown[] = []
    for (let index = 0; index < schemas.length; index++) {
      const value = given[index] ?? undefined
      const result = (schemas[index] as z.ZodType).safeParse(value)
      if (!result.success) throw refused(index, value, result.error.issues[0])
      read.push(result.data)
    }
    while (read.length > 0 && read[read.length - 1] === undefined) read.pop()
    return read.includes(undefined) ? read.map((value) => value ?? {}) : read
  }
}

/** A schema made of one function, which returns undefined for what it does not accept. */
export function term<Value>(want: string, read: (value: unknown) => Value | undefined) {
  return z.transform<unknown, Value>((value, context) => {
    const got = read(value)
    return got === undefined ? fail(context, value, `want ${want}, got ${preview(value)}`) : got
  })
}

/** An object of which only these fields are read; a field that is null is a field that is missing. */
export function fields<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  prepare: (value: unknown) => unknown = withoutNulls,
) {
  return z.preprocess(prepare, z.object(shape, { error: wantObject }))
}

/** The same, where a field that we do not know would change the meaning: it is refused. */
export function strictFields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess(
    withoutNulls,
    z.strictObject(shape, {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `field ${preview(issue.keys?.[0])} is not supported`
          : wantObject(issue),
    }),
  )
}

export function list<Item extends z.ZodType>(item: Item, { max, of }: { max: number; of: string }) {
  return z.array(item, { error: (issue) => `want a list of ${of}, got ${preview(issue.input)}` }).max(max, {
    error: `want at most ${max} ${of}`,
  })
}

/** Says no from inside a transform, with a sentence of ours. */
export function fail(context: z.core.ParsePayload, input: unknown, message: string): never {
  context.issues.push({ code: 'custom', message, input })
  return z.NEVER
}

export function badParams(sentence: string): CallError {
  return new CallError('bad-params', { message: sentence })
}

/** What was sent, fit to be sent back: at most 64 characters of it, none that moves a cursor or hides. */
export function preview(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object'
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : `a ${typeof value}`
  const printable = value.slice(0, 64).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return value.length > 64 ? `"${printable}"…` : `"${printable}"`
}

const fixedHex = (digits: number) => {
  const pattern = new RegExp(`^0[xX][0-9a-fA-F]{${digits}}$`)
  return (value: unknown): string | undefined =>
    typeof value === 'string' && value.length === digits + 2 && pattern.test(value)
      ? value.toLowerCase()
      : undefined
}
export const readAddress = fixedHex(40)
export const readHash = fixedHex(64)

export const address = term('0x and 40 hex digits', readAddress)
export const hash = term('0x and 64 hex digits', readHash)

const quantityPattern = /^0[xX](?:0|[1-9a-fA-F][0-9a-fA-F]*)$/
/**
 * Leading zeros are refused rather than tolerated: geth and most others refuse them in every quantity, so a call that
 * has them would be an error at some nodes and an answer at the rest.
 */
export function readQuantity(value: unknown, digitsMax: number): string | undefined {
  if (typeof value !== 'string' || value.length > digitsMax + 2 || !quantityPattern.test(value)) return
  return value.toLowerCase()
}
export const quantity = term('a quantity: 0x and 1 to 64 hex digits without leading zeros', (value) =>
  readQuantity(value, 64),
)
export const uint64 = term('a quantity: 0x and 1 to 16 hex digits without leading zeros', (value) =>
  readQuantity(value, 16),
)

const dataPattern = /^0[xX][0-9a-fA-F]*$/
const dataBytesMax = 128 * 1024
const dataCharactersMax = 2 + 2 * dataBytesMax
export const data = term(`0x and an even number of hex digits, at most ${dataBytesMax} bytes`, (value) => {
  if (typeof value !== 'string' || value.length % 2 !== 0 || value.length > dataCharactersMax) return
  return dataPattern.test(value) ? value.toLowerCase() : undefined
})

const blobTransaction = /^0[xX]03/
/** With a sidecar a blob transaction is longer than any other may be, so it is told apart before it is measured. */
export const rawTransaction = z
  .transform<unknown, unknown>((value, context) =>
    typeof value === 'string' && blobTransaction.test(value)
      ? fail(context, value, 'blob transactions are not supported')
      : value,
  )
  .pipe(data)

const slotPattern = /^0[xX][0-9a-fA-F]{0,64}$/
/** A storage slot may be written short or long; we ask for the whole word. */
export const slot = term('0x and at most 64 hex digits', (value) => {
  if (typeof value !== 'string' || value.length > 66 || !slotPattern.test(value)) return
  return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
})

export const flag = term('true or false', (value) =>
  value === undefined ? false : typeof value === 'boolean' ? value : undefined,
)

const wantObject = (issue: { input?: unknown }) => `want an object, got ${preview(issue.input)}`

export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

function refused(index: number, value: unknown, issue: z.core.$ZodIssue | undefined): CallError {
  if (value === undefined) return badParams(`missing value for required argument ${index}`)
  const path = (issue?.path ?? []).map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${String(step)}`,
  )
  const place = path.length === 0 ? '' : `${previewPath(path.join(''))}: `
  return badParams(`invalid argument ${index}: ${place}${issue?.message ?? 'not understood'}`)
}

/** Steps of a path are our field names, places in lists and, in overrides, addresses and slots: cut all the same. */
function previewPath(path: string): string {
  return preview(path.replace(/^\./, '')).replaceAll('"', '')
}
