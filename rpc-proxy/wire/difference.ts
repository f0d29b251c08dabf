import { parseJson } from './scan.ts'

/** The difference of two groups at one path: `path` is like `logs[0].data`; what each group has there, null when absent. */
export interface FieldDifference {
  readonly path: string
  readonly values: readonly (string | null)[]
}

const fieldsMax = 50
const valueCharsMax = 200
/** Places that are looked at; what differs after them is not found, so that a long answer does not hold up the callers. */
const valuesMax = 20_000
/** Texts longer than this, together, are not compared. */
const textCharsMax = 1_048_576

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Absent: JSON has no such value. */
const absent = Symbol('absent')
type JsonValue = Json | typeof absent

/**
 * Where texts of JSON differ, by path (`logs[0].data`; the root is the empty path), in the order of the first text.
 *
 * A text that is no JSON counts as a word of its own. Bounded in fields, in characters per value and in values compared.
 */
export function difference(texts: readonly string[]): readonly FieldDifference[] {
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  return texts.length < 2 || chars > textCharsMax ? [] : differenceOf(texts.map(parsed))
}

/** The same of values that have been parsed. */
export function differenceOf(values: readonly unknown[]): readonly FieldDifference[] {
  const found: FieldDifference[] = []
  let valuesSeen = 0

  const compare = (path: string, here: readonly JsonValue[]): void => {
    valuesSeen += 1
    if (found.length >= fieldsMax || valuesSeen > valuesMax || here.every((value) => value === here[0]))
      return
    if (here.every(isList)) {
      const length = Math.max(...here.map((list) => list.length))
      for (let index = 0; index < length && found.length < fieldsMax && valuesSeen <= valuesMax; index += 1)
        compare(
          `${path}[${index}]`,
          here.map((list) => (index < list.length ? (list[index] as Json) : absent)),
        )
      return
    }
    if (here.every(isRecord)) {
      for (const key of new Set(here.flatMap((record) => Object.keys(record))))
        compare(
          join(path, key),
          here.map((record) => (Object.hasOwn(record, key) ? (record[key] as Json) : absent)),
        )
      return
    }
    found.push({
      path,
      values: here.map((value) => (value === absent ? null : preview(value, valueCharsMax))),
    })
  }

  compare('', values as readonly Json[])
  return found
}

function parsed(text: string): Json {
  const value = parseJson(text)
  return value === undefined ? text : (value as Json)
}

const isList = (value: JsonValue): value is readonly Json[] => Array.isArray(value)
const isRecord = (value: JsonValue): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/.test(key))
    return `${path}[${printable(JSON.stringify(key.slice(0, 64)))}]`
  return path === '' ? key : `${path}.${key}`
}

const preview = (value: Json, charsMax: number): string =>
  shortened(typeof value === 'string' ? value : JSON.stringify(value), charsMax)

/** The beginning of a text that a node wrote, fit for a terminal and a page: no control or direction characters. */
export function shortened(text: string, charsMax: number): string {
  return text.length <= charsMax ? printable(text) : beginningOf(text.slice(0, charsMax))
}

/** The same of a text that is known to be a beginning. */
export function beginningOf(text: string): string {
  return printable(`${text}…`)
}

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{fffd}')
