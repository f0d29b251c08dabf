import type { ParsedResult } from './reply-tally.ts'

/** Results longer than this, in characters, are read ahead of their vote. */
const longChars = 1 << 18

interface LongResult {
  readonly raw: string
  readonly done: Promise<void>
  /** Undefined while it is being read. */
  parsed: ParsedResult | undefined
}

const none: readonly LongResult[] = []
const unreadable: ParsedResult = { value: null, text: null }

/** Parses long results in slices, each by its own bytes and once. */
export class LongResults {
  readonly #readAhead: (raw: string) => Promise<ParsedResult | null>
  #known = none

  constructor(readAhead: (raw: string) => Promise<ParsedResult | null>) {
    this.#readAhead = readAhead
  }

  /** Resolves when these bytes have been read; null when there is nothing to wait for. */
  reading(raw: string): Promise<void> | null {
    if (raw.length <= longChars) return null
    const answer = this.#find(raw) ?? this.#begin(raw)
    return answer.parsed === undefined ? answer.done : null
  }

  parsedOf(raw: string): ParsedResult | undefined {
    return raw.length <= longChars ? undefined : this.#find(raw)?.parsed
  }

  #find(raw: string): LongResult | undefined {
    return this.#known.find((each) => each.raw === raw)
  }

  #begin(raw: string): LongResult {
    const done = this.#readAhead(raw).then((parsed) => {
      answer.parsed = parsed ?? unreadable
    })
    const answer: LongResult = { raw, done, parsed: undefined }
    this.#known = [...this.#known, answer]
    return answer
  }
}
