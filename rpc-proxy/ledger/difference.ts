/** The difference of two camps at one place: `path` is like `logs[0].data`; what each camp has there, null when absent. */
export interface FieldDifference {
  readonly path: string
  readonly values: readonly (string | null)[]
}

interface DifferenceOptions {
  readonly fieldsMax?: number
  readonly valueCharsMax?: number
  /** Texts longer than this, together, are not compared: an operator's look must not hold up the callers. */
  readonly textCharsMax?: number
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A place where nothing is: JSON has no such value. */
const absent = Symbol('absent')
type Place = Json | typeof absent

/**
 * Where texts of JSON differ, by path (`logs[0].data`; the root is the empty path), in the order of the first text.
 *
 * A text that is no JSON counts as a word of its own. Bounded in fields and in characters per value.
 */
export function difference(
  texts: readonly string[],
  { fieldsMax = 50, valueCharsMax = 200, textCharsMax = 1_048_576 }: DifferenceOptions = {},
): readonly FieldDifference[] {
  if (texts.length < 2 || texts.reduce((sum, text) => sum + text.length, 0) > textCharsMax) return []
  const found: FieldDifference[] = []

  const compare = (path: string, places: readonly Place[]): void => {
    if (found.length >= fieldsMax || places.every((place) => place === places[0])) return
    if (places.every(isList)) {
      const length = Math.max(...places.map((list) => list.length))
      for (let index = 0; index < length && found.length < fieldsMax; index += 1)
        compare(
          `${path}[${index}]`,
          places.map((list) => (index < list.length ? (list[index] as Json) : absent)),
        )
      return
    }
    if (places.every(isRecord)) {
      for (const key of new Set(places.flatMap((record) => Object.keys(record))))
        compare(
          join(path, key),
          places.map((record) => (Object.hasOwn(record, key) ? (record[key] as Json) : absent)),
        )
      return
    }
    const values = places.map((place) => (place === absent ? null : shown(place, valueCharsMax)))
    found.push({ path, values })
  }

  compare('', texts.map(parsed))
  return found
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isList = (place: Place): place is readonly Json[] => Array.isArray(place)
const isRecord = (place: Place): place is { readonly [key: string]: Json } =>
  typeof place === 'object' && place !== null && !Array.isArray(place)

function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/.test(key))
    return `${path}[${printable(JSON.stringify(key.slice(0, 64)))}]`
  return path === '' ? key : `${path}.${key}`
}

const shown = (place: Json, charsMax: number): string =>
  shortened(typeof place === 'string' ? place : JSON.stringify(place), charsMax)

/** The beginning of a text that a node wrote, fit for a terminal and a page: no control or direction characters. */
export function shortened(text: string, charsMax: number): string {
  return printable(text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`)
}

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{fffd}')
