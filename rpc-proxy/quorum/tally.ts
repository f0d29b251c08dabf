import type { RefusalClass, Reply } from '../wire/types.ts'
import type { Operators } from './electorate.ts'

/** Byte-identical answers: parsed once, for all that sent them. */
export interface Variant {
  readonly raw: string
  readonly value: unknown
  operators: Operators
}

/** Ballots that say the same thing. */
export interface Camp {
  /** Its index among the camps. */
  readonly place: number
  readonly kind: 'answer' | 'revert' | 'refusal'
  /** By this text it is recognised: an answer's canonical text, a revert's data, a refusal's class. */
  readonly text: string
  readonly variants: Variant[]
  readonly voters: number[]
  /** Operators that stand by it, those who contradict themselves left out. */
  operators: Operators
  readonly isNull: boolean
}

/** What a method makes of a node's answer: text by which two are equal, null for what is no answer to this call at all. */
export type Reading = (value: unknown) => string | null

/** What was made of a long answer before its vote was counted. */
export interface Ready {
  readonly value: unknown
  readonly text: string | null
}

export type Ballot = Extract<Reply, { kind: 'answer' | 'revert' | 'refusal' }>

export interface TallyOptions {
  /** What has been read before. */
  readonly ready?: { readonly readyFor: (raw: string) => Ready | undefined }
  /** Honest answers differ: an operator's first one stands, and another is no contradiction. */
  readonly mayDiffer?: boolean
}

/** Groups ballots that say the same: bytes first, canonical text only where bytes differ. */
export class Tally {
  readonly camps: Camp[] = []
  #voted: Operators = 0
  #split: Operators = 0
  readonly #reading: Reading
  readonly #options: TallyOptions

  constructor(reading: Reading, options: TallyOptions = {}) {
    this.#reading = reading
    this.#options = options
  }

  /** Operators with a ballot; those whose nodes contradict each other among them. */
  get voted(): Operators {
    return this.#voted
  }

  /** Operators whose nodes contradict each other. They weigh nowhere. */
  get split(): Operators {
    return this.#split
  }

  /** The camp that the ballot joined; null when the answer was none (not JSON, or not of the method's shape). */
  vote(voter: number, operator: number, ballot: Ballot): Camp | null {
    const bit = 1 << operator
    const camp =
      ballot.kind === 'answer'
        ? this.#answerCamp(ballot.raw, bit)
        : this.#wordCamp(ballot.kind, ballot.kind === 'revert' ? ballot.data : ballot.class)
    if (camp === null) return null
    camp.voters.push(voter)
    this.#join(camp, bit)
    return camp
  }

  #join(camp: Camp, operator: Operators): void {
    const elsewhere = this.camps.find((other) => other !== camp && other.operators & operator)
    if (this.#options.mayDiffer && elsewhere?.kind === 'answer' && camp.kind === 'answer') return
    if (elsewhere !== undefined) {
      elsewhere.operators &= ~operator
      this.#split |= operator
    } else if (!(this.#split & operator)) camp.operators |= operator
    this.#voted |= operator
  }

  #answerCamp(raw: string, operator: Operators): Camp | null {
    for (const camp of this.camps) {
      const twin = camp.variants.find((variant) => variant.raw === raw)
      if (twin === undefined) continue
      twin.operators |= operator
      return camp
    }
    const { value, text } = this.#options.ready?.readyFor(raw) ?? this.#read(raw)
    if (text === null) return null
    const variant: Variant = { raw, value, operators: operator }
    const camp = this.camps.find((other) => other.kind === 'answer' && other.text === text)
    if (camp === undefined) return this.#opened('answer', text, variant)
    camp.variants.push(variant)
    return camp
  }

  #read(raw: string): Ready {
    const value = parse(raw)
    return { value, text: value === unparsed ? null : this.#reading(value) }
  }

  #wordCamp(kind: 'revert' | 'refusal', text: string): Camp {
    return (
      this.camps.find((camp) => camp.kind === kind && camp.text === text) ?? this.#opened(kind, text, null)
    )
  }

  #opened(kind: Camp['kind'], text: string, variant: Variant | null): Camp {
    const camp: Camp = {
      place: this.camps.length,
      kind,
      text,
      variants: variant === null ? [] : [variant],
      voters: [],
      operators: 0,
      isNull: variant !== null && variant.value === null,
    }
    this.camps.push(camp)
    return camp
  }
}

/** What a camp said, in a word or in JSON, for certificates. */
export function saidBy(camp: Camp): string {
  return (
    camp.variants[0]?.raw ??
    (camp.kind === 'revert' ? `revert ${camp.text}` : `refusal ${camp.text as RefusalClass}`)
  )
}

const unparsed = Symbol('unparsed')

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return unparsed
  }
}
