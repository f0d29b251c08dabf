/** Separators for numbers in the visitor's language. Chosen by the server, so that server and browser render the same text. */
export interface NumberMarks {
  readonly group: string
  readonly decimal: '.' | ','
}

const english: NumberMarks = { group: ',', decimal: '.' }

/** What callers send decides how many there are. */
const languagesMax = 100
const marksOf = new Map<string, NumberMarks>()

/** For the first language in `accept-language`; English by default. */
export function numberMarks(acceptLanguage: string | null): NumberMarks {
  const language = /^[A-Za-z0-9-]{2,35}/.exec(acceptLanguage ?? '')?.[0] ?? 'en'
  const known = marksOf.get(language)
  if (known !== undefined) return known
  const marks = readMarks(language)
  if (marksOf.size < languagesMax) marksOf.set(language, marks)
  return marks
}

function readMarks(language: string): NumberMarks {
  try {
    // Always Latin digits, because visitors compare them with a wallet or an explorer.
    const format = new Intl.NumberFormat(language, { numberingSystem: 'latn', useGrouping: 'always' })
    const mark = (type: string) => format.formatToParts(1234.5).find((part) => part.type === type)?.value
    const [group, decimal] = [mark('group'), mark('decimal')]
    return group !== undefined && (decimal === '.' || decimal === ',') ? { group, decimal } : english
  } catch {
    return english
  }
}

/** Formats numbers with one language's separators. */
export interface Figures {
  readonly block: (block: number) => string
  /** At most two decimals: 2, 1.5. */
  readonly weight: (weight: number) => string
  /** An amount, rounded down. */
  readonly amount: (units: bigint, decimals: number, digitsMax?: number) => string
  /** The same in two parts; the second begins with the decimal separator. */
  readonly split: (units: bigint, decimals: number, digitsMax?: number) => Split
  /** The amount with all digits, for what the visitor signs. */
  readonly exact: (units: bigint, decimals: number) => string
  /** The amount rounded up, for upper bounds. */
  readonly atMost: (units: bigint, decimals: number, digitsMax?: number) => string
  readonly marks: NumberMarks
}

interface Split {
  readonly whole: string
  readonly fraction: string
}

const fractionDigits = 6
const digitsAtMost = 8

export function createFigures(marks: NumberMarks = english): Figures {
  const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, marks.group)
  const split = (units: bigint, decimals: number, digitsMax = fractionDigits): Split => {
    const text = units.toString().padStart(decimals + 1, '0')
    const point = text.length - decimals
    const digits = text.slice(point, point + digitsMax).replace(/0+$/, '')
    const whole = grouped(text.slice(0, point))
    // An amount that is too small to be shown must not read as zero.
    if (units > 0n && whole === '0' && digits === '')
      return { whole: '<0', fraction: `${marks.decimal}${'0'.repeat(digitsMax - 1)}1` }
    return { whole, fraction: digits && `${marks.decimal}${digits}` }
  }
  const amount: Figures['amount'] = (...given) => {
    const { whole, fraction } = split(...given)
    return whole + fraction
  }
  return {
    marks,
    split,
    amount,
    block: (block) => grouped(String(block)),
    weight: (weight) => String(Math.round(weight * 100) / 100).replace('.', marks.decimal),
    exact: (units, decimals) => amount(units, decimals, decimals),
    atMost(units, decimals, digitsMax = digitsAtMost) {
      const step = 10n ** BigInt(Math.max(0, decimals - digitsMax))
      return amount(((units + step - 1n) / step) * step, decimals, digitsMax)
    },
  }
}

/** The first and last four characters of an address. */
export function formatAddress(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`
}

export function formatHash(hash: string): string {
  return `${hash.slice(0, 10)}…${hash.slice(-8)}`
}

/** Truncates longer names with an ellipsis, without splitting surrogate pairs. */
export function formatName(name: string, charactersMax = 24): string {
  const characters = [...name]
  return characters.length > charactersMax ? `${characters.slice(0, charactersMax).join('')}…` : name
}

/** A time of day in the visitor's locale and time zone. For browsers only. */
export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

/** A duration: one decimal below ten milliseconds, none above. */
export function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** Truncated, not rounded: only all is 100 %. A dash where nothing is known. */
export function formatPercent(share: number | null, { weight }: Figures, digits = 1): string {
  const factor = 10 ** digits
  return share === null ? '–' : `${weight(Math.floor(share * 100 * factor + 1e-9) / factor)} %`
}

/** A time of day in UTC, the same on server and in browser: 14:05:09. */
export function clockTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}

/** A day and time in UTC: 2026-03-01 14:05. */
export function dayTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** How long something lasts, in its largest unit: 40 s, 12 min, 3 h, 2 d. */
export function ago(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  return s < 172_800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86_400)} d`
}
