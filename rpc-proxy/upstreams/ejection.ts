/** Votes against more than half of all weight, and how long the node is ejected for them. */
interface Ejection {
  /** It was outvoted by these operators, none of them a suspect. True when that ejects it. */
  readonly recordDissent: (by: readonly string[]) => boolean
  /** The word of this operator against it counts no more. True when that ends its ejection. */
  readonly withdraw: (operator: string) => boolean
  /** It was outvoted within `dissentWindowMs`. */
  readonly wasOutvoted: () => boolean
  /** Epoch milliseconds; null while it is not ejected. */
  readonly untilMs: () => number | null
}

/** Dissents within `dissentWindowMs` that eject it. */
const dissentsMax = 3
const dissentWindowMs = 60_000
/** Operators that must have outvoted it, together: two may be one liar's. */
const operatorsMin = 3
/** The first ejection; each further one is twice as long, up to `ejectMsMax`. */
const ejectMs = 60_000
const ejectMsMax = 3_600_000
/** Each such time without an ejection halves the next one, down to `ejectMs`. */
const quietMs = 3_600_000

interface Dissent {
  readonly atMs: number
  readonly by: readonly string[]
}

/** Dissents that are remembered: a node that is never ejected may dissent at every call. */
const dissentsStored = 16

export function createEjection(now: () => number): Ejection {
  let untilMs = 0
  /** How often the next ejection has been doubled. */
  let ejections = 0
  let dissents: readonly Dissent[] = []
  /** For what it is ejected. */
  let grounds: readonly Dissent[] = []

  const recent = () => dissents.filter(({ atMs }) => now() - atMs < dissentWindowMs)
  const isEnough = (all: readonly Dissent[]) => new Set(all.flatMap(({ by }) => by)).size >= operatorsMin
  const without = (all: readonly Dissent[], operator: string) =>
    all.filter(({ by }) => !by.includes(operator))

  return {
    recordDissent(by) {
      const nowMs = now()
      dissents = [...recent(), { atMs: nowMs, by }].slice(-dissentsStored)
      if (dissents.length < dissentsMax || !isEnough(dissents) || nowMs < untilMs) return false
      grounds = dissents
      dissents = []
      ejections = Math.max(0, ejections - Math.floor((nowMs - untilMs) / quietMs))
      untilMs = nowMs + Math.min(ejectMs * 2 ** ejections, ejectMsMax)
      if (ejectMs * 2 ** ejections < ejectMsMax) ejections++
      return true
    },
    withdraw(operator) {
      const nowMs = now()
      dissents = without(dissents, operator)
      grounds = without(grounds, operator)
      if (nowMs >= untilMs || isEnough(grounds)) return false
      untilMs = nowMs
      ejections = Math.max(0, ejections - 1)
      return true
    },
    wasOutvoted: () => dissents.length > 0 && recent().length > 0,
    untilMs: () => (untilMs !== 0 && now() < untilMs ? untilMs : null),
  }
}
