import type { AskRecord, CampRecord, Evidence } from '../events.ts'

/**
 * The evidence of a kept answer as few objects: the fields that every hit reads, and the JSON text of all else. Kept as it
 * is, it would be a dozen objects beside a single answer of some bytes.
 */
export interface Account extends Omit<Evidence, keyof Rest> {
  readonly rest: string
}

interface Rest {
  readonly startMs: number
  readonly endMs: number
  readonly asks: readonly AskRecord[]
  readonly camps: readonly CampRecord[]
  readonly difference?: Evidence['difference']
}

/** A camp that said the answer itself: its text is the answer's, which is kept beside the account. */
type Packed = CampRecord | (Omit<CampRecord, 'said'> & { readonly said: null })

/** Characters of a camp's text that an account repeats; a longer one is cut already, or the answer in other bytes. */
const saidCharsMax = 4096

/** Packs the evidence of an answer. Times are rounded to milliseconds. */
export function packed(evidence: Evidence, raw: string): Account {
  const { startMs, endMs, asks, camps, difference, ...shown } = evidence
  const at = (ms: number | null) => (ms === null ? null : Math.round(ms - startMs))
  const rest = {
    startMs: Math.round(startMs),
    endMs: at(endMs),
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
    camps: camps.map((camp): Packed => (isAnswer(camp, raw) ? { ...camp, said: null } : camp)),
    difference,
  }
  return { ...shown, rest: JSON.stringify(rest) }
}

function isAnswer({ said }: CampRecord, raw: string): boolean {
  return said === raw || said.length > saidCharsMax
}

type PackedAsk = readonly [
  node: string,
  operator: string,
  weight: number,
  startMs: number,
  endMs: number | null,
  stalledMs: number | null,
  outcome: AskRecord['outcome'],
  detail: string | null,
  camp: number | null,
]

/** The evidence again. Its text is read when somebody looks at what stands there. */
export function unpacked({ rest, ...shown }: Account, raw: string): Evidence {
  let opened: Rest | null = null
  const open = (): Rest => {
    opened ??= restOf(rest, raw)
    return opened
  }
  return {
    ...shown,
    get startMs() {
      return open().startMs
    },
    get endMs() {
      return open().endMs
    },
    get asks() {
      return open().asks
    },
    get camps() {
      return open().camps
    },
    get difference() {
      return open().difference
    },
  }
}

function restOf(text: string, raw: string): Rest {
  const { startMs, endMs, asks, camps, difference } = JSON.parse(text) as Omit<Rest, 'asks' | 'camps'> & {
    readonly asks: readonly PackedAsk[]
    readonly camps: readonly Packed[]
  }
  const at = (ms: number | null) => (ms === null ? null : startMs + ms)
  return {
    startMs,
    endMs: startMs + endMs,
    asks: asks.map(([node, operator, weight, sentMs, heardMs, stalledMs, outcome, detail, camp]) => ({
      node,
      operator,
      weight,
      startMs: startMs + sentMs,
      endMs: at(heardMs),
      stalledMs: at(stalledMs),
      outcome,
      detail,
      camp,
    })),
    camps: camps.map((camp): CampRecord => (camp.said === null ? { ...camp, said: raw } : camp)),
    difference,
  }
}
