/** The marks by which the reader's language writes numbers. Told by the server, so that its text is the browser's too. */
export interface NumberMarks {
  readonly group: string
  readonly decimal: '.' | ','
}

const english: NumberMarks = { group: ',', decimal: '.' }

/** The marks of the first language in `accept-language`; English where that names none. */
export function numberMarks(acceptLanguage: string | null): NumberMarks {
  const language = /^[A-Za-z0-9-]{2,35}/.exec(acceptLanguage ?? '')?.[0] ?? 'en'
  try {
    // Digits stay 0 to 9: they are compared with what a wallet and an explorer show.
    const format = new Intl.NumberFormat(language, { numberingSystem: 'latn', useGrouping: 'always' })
    const mark = (type: string) => format.formatToParts(1234.5).find((part) => part.type === type)?.value
    const [group, decimal] = [mark('group'), mark('decimal')]
    return group !== undefined && (decimal === '.' || decimal === ',') ? { group, decimal } : english
  } catch {
    return english
  }
}

/** Writes figures with one language's marks. */
export interface Figures {
  readonly block: (block: number) => string
  /** A weight as people write it: 2, 1.5. */
  readonly weight: (weight: number) => string
  /** An amount, cut and never rounded up. */
  readonly amount: (units: bigint, decimals: number, digitsMax?: number) => string
  /** The same in two parts, the second from its decimal mark on. */
  readonly split: (units: bigint, decimals: number, digitsMax?: number) => Split
  /** The amount to its last digit: for what is signed. */
  readonly exact: (units: bigint, decimals: number) => string
  /** The amount rounded up: for what is promised to be the most. */
  readonly atMost: (units: bigint, decimals: number, digitsMax?: number) => string
  readonly marks: NumberMarks
}

interface Split {
  readonly whole: string
  readonly fraction: string
}

const digitsShown = 6
const digitsAtMost = 8

export function createFigures(marks: NumberMarks = english): Figures {
  const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, marks.group)
  const split = (units: bigint, decimals: number, digitsMax = digitsShown): Split => {
    const text = units.toString().padStart(decimals + 1, '0')
    const point = text.length - decimals
    const digits = text.slice(point, point + digitsMax).replace(/0+$/, '')
    const whole = grouped(text.slice(0, point))
    // What is smaller than can be shown is not nothing.
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

/** The seed's short form of an address: its first four characters, an ellipsis, its last four. */
export function formatAddress(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`
}

/** A transaction's hash, short enough for a line. */
export function formatHash(hash: string): string {
  return `${hash.slice(0, 10)}…${hash.slice(-8)}`
}

/** Names longer than 24 characters end in an ellipsis; no character is cut in two. */
export function formatName(name: string): string {
  const characters = [...name]
  return characters.length > 24 ? `${characters.slice(0, 24).join('')}…` : name
}

/** A time of day as the visitor writes it. For browsers only: a server is in another place. */
export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

/** A duration: one decimal below ten milliseconds, none above. */
export function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** A time of day in UTC, the same on server and in browser: 14:05, or with seconds 14:05:09. */
export function clockTime(ms: number, seconds = false): string {
  return new Date(ms).toISOString().slice(11, seconds ? 19 : 16)
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
