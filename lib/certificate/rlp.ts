/** An item of RLP: its bytes as hex, and what is in it where it is a list. */
export interface RlpPart {
  readonly bytes: string
  readonly items: readonly RlpPart[] | null
}

/** Reads the item that fills a text of hex. Throws where it is none. */
export function readRlp(hex: string): RlpPart {
  const [item, rest] = readItem(hex)
  return rest === '' ? item : refuse()
}

/** Ends a check. */
export function refuse(): never {
  throw new Error('no proof')
}

/** An item, and what follows it (Yellow Paper, appendix B). */
function readItem(hex: string): readonly [RlpPart, string] {
  const first = Number.parseInt(hex.slice(0, 2), 16)
  if (first < 0x80) return [{ bytes: hex.slice(0, 2), items: null }, hex.slice(2)]
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const from = short > 55 ? 2 + 2 * (short - 55) : 2
  const length = short > 55 ? Number.parseInt(hex.slice(2, from), 16) : short
  const bytes = hex.slice(from, from + 2 * length)
  if (bytes.length !== 2 * length) return refuse()
  return [{ bytes, items: isList ? readAll(bytes) : null }, hex.slice(from + 2 * length)]
}

function readAll(hex: string): readonly RlpPart[] {
  const items: RlpPart[] = []
  for (let rest = hex; rest !== ''; ) {
    const [item, after] = readItem(rest)
    items.push(item)
    rest = after
  }
  return items
}

/** A list of bytes as RLP, all in hex. */
export function listOf(items: readonly string[]): string {
  const body = items
    .map((hex) => (hex.length === 2 && hex < '80' ? hex : `${head(0x80, hex.length / 2)}${hex}`))
    .join('')
  return `${head(0xc0, body.length / 2)}${body}`
}

function head(offset: number, length: number): string {
  if (length < 56) return byte(offset + length)
  const digits = length.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return `${byte(offset + 55 + even.length / 2)}${even}`
}

const byte = (value: number): string => value.toString(16).padStart(2, '0')
