import type { AskRecord, CampRecord, Evidence } from '../events.ts'

/**
 * The evidence of a kept answer in few objects: what every hit reads stands in fields, all else in one JSON text, which is
 * parsed on demand. A class, so that a cache hit allocates nothing; as a plain Evidence it would
 * be a dozen objects beside an answer of some bytes.
 */
export class Account implements Evidence {
  readonly id: string
  readonly chainId: number
  readonly method: string
  readonly outcome: Evidence['outcome']
  readonly reason: Evidence['reason']
  readonly rule: string
  readonly agreed: number
  readonly needed: number
  readonly total: number
  readonly operators: number
  readonly operatorsMin: number
  readonly block: Evidence['block']
  readonly #raw: string
  readonly #rest: string

  /** Packs the evidence of the answer `raw`. Times are rounded to milliseconds. */
  constructor(evidence: Evidence, raw: string) {
    this.id = evidence.id
    this.chainId = evidence.chainId
    this.method = evidence.method
    this.outcome = evidence.outcome
    this.reason = evidence.reason
    this.rule = evidence.rule
    this.agreed = evidence.agreed
    this.needed = evidence.needed
    this.total = evidence.total
    this.operators = evidence.operators
    this.operatorsMin = evidence.operatorsMin
    this.block = evidence.block
    this.#raw = raw
    this.#rest = packed(evidence, raw)
  }

  get startMs() {
    return unpacked(this.#rest, this.#raw).startMs
  }

  get endMs() {
    return unpacked(this.#rest, this.#raw).endMs
  }

  get asks() {
    return unpacked(this.#rest, this.#raw).asks
  }

  get camps() {
    return unpacked(this.#rest, this.#raw).camps
  }

  get difference() {
    return unpacked(this.#rest, this.#raw).difference
  }

  get confirmation() {
    return unpacked(this.#rest, this.#raw).confirmation
  }

  /** Characters that it holds besides the answer. */
  get chars() {
    return this.#rest.length
  }
}

type Rest = Pick<Evidence, 'startMs' | 'endMs' | 'asks' | 'camps' | 'difference' | 'confirmation'>

/** A camp that said the answer itself: its text is the answer's, which is kept beside the account. */
type PackedCamp = CampRecord | (Omit<CampRecord, 'said'> & { readonly said: null })

/** As a list: the names of its members would be most of the text. Times are relative to the evidence's start. */
type PackedAsk = readonly [
  node: string,
  operator: string,
  weight: number,
  startMs: number | null,
  endMs: number | null,
  stalledMs: number | null,
  outcome: AskRecord['outcome'],
  detail: string | null,
  camp: number | null,
]

interface Packed extends Omit<Rest, 'asks' | 'camps'> {
  readonly asks: readonly PackedAsk[]
  readonly camps: readonly PackedCamp[]
}

/** Characters of a camp's text that are repeated; a longer one is cut already, or the answer in other bytes. */
const saidCharsMax = 4096

function packed({ startMs, endMs, asks, camps, difference, confirmation }: Evidence, raw: string): string {
  const at = (ms: number | null) => (ms === null ? null : Math.round(ms - startMs))
  const isAnswer = ({ said }: CampRecord) => said === raw || said.length > saidCharsMax
  return JSON.stringify({
    startMs: Math.round(startMs),
    endMs: Math.round(endMs),
    asks: asks.map((ask) => [
      ask.node,
      ask.operator,
      ask.weight,
      at(ask.startMs),
      at(ask.endMs),
      at(ask.stalledMs),
      ask.outcome,
      ask.detail,
      ask.camp,
    ]),
    camps: camps.map((camp) => (isAnswer(camp) ? { ...camp, said: null } : camp)),
    difference,
    confirmation,
  } satisfies Packed)
}

function unpacked(text: string, raw: string): Rest {
  const { startMs, endMs, asks, camps, difference, confirmation }: Packed = JSON.parse(text)
  const at = (ms: number | null) => (ms === null ? null : startMs + ms)
  return {
    startMs,
    endMs,
    asks: asks.map(([node, operator, weight, sentMs, heardMs, stalledMs, outcome, detail, camp]) => ({
      node,
      operator,
      weight,
      startMs: at(sentMs) ?? startMs,
      endMs: at(heardMs),
      stalledMs: at(stalledMs),
      outcome,
      detail,
      camp,
    })),
    camps: camps.map((camp): CampRecord => (camp.said === null ? { ...camp, said: raw } : camp)),
    difference,
    confirmation,
  }
}
