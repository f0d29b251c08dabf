const quote = 34
const backslash = 92
const comma = 44
const colon = 58
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A part of a text. */
export interface Slice {
  readonly from: number
  readonly to: number
}

/** Visits one member: its key, and where its value begins and ends. False ends the walk. */
type Visit = (key: string, from: number, to: number) => boolean

/**
 * Visits the members of the JSON object between `from` and `to` in their order, repeated keys included. False where the text is
 * not exactly one object, or a visit ended the walk. Values are skipped, not validated: parse them before use.
 */
export function walkMembers(text: string, { from, to }: Slice, visit: Visit): boolean {
  let at = afterSpace(text, from)
  if (text.charCodeAt(at) !== openBrace) return false
  at = afterSpace(text, at + 1)
  if (text.charCodeAt(at) === closeBrace) return isEnd(text, at + 1, to)
  for (;;) {
    if (text.charCodeAt(at) !== quote) return false
    const keyEnd = afterString(text, at)
    if (keyEnd > to) return false
    const key = keyOf(text, at, keyEnd)
    if (key === null) return false
    at = afterSpace(text, keyEnd)
    if (text.charCodeAt(at) !== colon) return false
    at = afterSpace(text, at + 1)
    const end = afterValue(text, at)
    if (end === at || end > to || !visit(key, at, end)) return false
    at = afterSpace(text, end)
    const next = text.charCodeAt(at)
    if (next === closeBrace) return isEnd(text, at + 1, to)
    if (next !== comma) return false
    at = afterSpace(text, at + 1)
  }
}

/**
 * The elements of the JSON array that `text` is, as slices; null when it is not one, or has more than `elementsMax`.
 * Elements are skipped, not validated.
 */
export function elementsOf(text: string, elementsMax = Number.POSITIVE_INFINITY): readonly Slice[] | null {
  let at = afterSpace(text, 0)
  if (text.charCodeAt(at) !== openBracket) return null
  at = afterSpace(text, at + 1)
  const elements: Slice[] = []
  if (text.charCodeAt(at) === closeBracket) return afterSpace(text, at + 1) === text.length ? elements : null
  for (;;) {
    const end = afterValue(text, at)
    if (end === at || end > text.length || elements.length === elementsMax) return null
    elements.push({ from: at, to: end })
    at = afterSpace(text, end)
    const next = text.charCodeAt(at)
    if (next === closeBracket) return afterSpace(text, at + 1) === text.length ? elements : null
    if (next !== comma) return null
    at = afterSpace(text, at + 1)
  }
}

/** Whether arrays and objects stand in each other deeper than `depthMax`. Reads the text once and needs no stack. */
export function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = afterString(text, at) - 1
    else if (code === openBrace || code === openBracket) {
      depth++
      if (depth > depthMax) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

/** What few honest characters say: so many parts, and on top of them one in eight characters. */
const partsMax = 1 << 17
const charsPerPart = 8
/** More than an answer about a thousand accounts has. A parser makes a class of its own for every key that it has not seen. */
const keysMax = 2048
/** Shorter text is parsed in no time, whatever it is. */
const shortChars = 1 << 12

/** Whether parsing it would hold up everybody else: it falls into too many parts, or into too many different keys. */
export function isTooFine(text: string): boolean {
  if (text.length <= shortChars) return false
  const keys = new Set<string>()
  let partsLeft = partsMax + text.length / charsPerPart
  let opened = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      opened = at
      at = afterString(text, at) - 1
    } else if (code === comma || code === openBrace || code === openBracket) partsLeft--
    else if (code === colon) keys.add(text.slice(opened, at))
    if (partsLeft < 0 || keys.size > keysMax) return true
  }
  return false
}

/** Whether nothing but space is left before `to`. What an array has after an element is none of the element's. */
function isEnd(text: string, at: number, to: number): boolean {
  return at <= to && afterSpace(text, at) >= to
}

function afterSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

/** The index after the string that begins at `from`; past the end when it never closes. */
function afterString(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length + 1
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

function afterValue(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === quote) return afterString(text, from)
  if (first === openBrace || first === openBracket) return afterNest(text, from)
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === comma || code === closeBrace || code === closeBracket || code <= 32) break
  }
  return at
}

function afterNest(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = afterString(text, at) - 1
    else if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return text.length + 1
}

/** Keys that nearly every object has: none of these is made again. */
const known = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const

function keyOf(whole: string, from: number, to: number): string | null {
  for (const key of known) if (to - from === key.length + 2 && whole.startsWith(key, from + 1)) return key
  const text = whole.slice(from, to)
  if (/^"\w*"$/.test(text)) return text.slice(1, -1)
  try {
    // A key may hide behind escapes: "\u0069d" is id. And not all that stands between quotes is JSON.
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/**
 * The slice of a text, in memory of its own wherever it is less than half of it. Engines keep all of a text alive as long
 * as any slice of it is: a word that is remembered would keep the megabytes that it came with.
 */
export function owned(text: string, from: number, to: number): string {
  const slice = text.slice(from, to)
  // Joining copies the characters, and the slice of the copy keeps the copy alone.
  return slice.length * 2 < text.length ? ` ${slice}`.slice(1) : slice
}
