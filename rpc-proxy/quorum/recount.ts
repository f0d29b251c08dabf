import type { Agreement } from '../methods/rule.ts'
import type { Electorate } from './electorate.ts'
import { weightOf } from './electorate.ts'
import { numberOf } from './numbers.ts'
import type { Outcome } from './question.ts'
import type { Camp } from './tally.ts'
import type { Agreed } from './verdict.ts'

type Supports = (camp: Camp) => boolean

/**
 * What an agreement lacks, counted once more from what each ask brought, and in another way than the verdict was; null
 * where it lacks nothing.
 */
export function shortfallOf(
  agreement: Agreement,
  electorate: Electorate,
  { verdict, asks, camps }: Outcome,
): string | null {
  if (verdict.kind !== 'agreed') return null
  const isContrary = contraryTo(verdict)
  const { operators: names, weights, needed, operatorsMin } = electorate
  const saysSo = (index: number, is: Supports) =>
    asks.some(({ operator, camp }) => camp !== null && operator === names[index] && is(camps[camp] as Camp))
  for (const supports of sidesOf(agreement, verdict)) {
    let weight = 0
    let operators = 0
    for (let index = 0; index < names.length; index++) {
      if (!saysSo(index, supports) || saysSo(index, isContrary)) continue
      weight += weights[index] ?? 0
      operators++
    }
    if (weight < needed || operators < operatorsMin || weight < weightOf(electorate, verdict.operators))
      return `weight ${weight} of ${needed}, operators ${operators} of ${operatorsMin}`
  }
  return null
}

/** An operator that said this too stands behind nothing. Numbers of its own are no contradiction. */
function contraryTo({ raw, camp: { place }, joined }: Agreed): Supports {
  return raw === null
    ? (other) => other.place !== place && !joined.includes(other.place)
    : ({ kind }) => kind !== 'answer'
}

/** Whose support it takes: that of a quorum for each. */
function sidesOf(agreement: Agreement, { raw, camp: { place }, joined }: Agreed): readonly Supports[] {
  if (raw === null) return [(camp) => camp.place === place || joined.includes(camp.place)]
  const reports =
    (isSo: (value: bigint) => boolean): Supports =>
    (camp) =>
      camp.kind === 'answer' && isSo(numberOf(camp))
  const told = () => BigInt(JSON.parse(raw) as string)
  switch (agreement) {
    case 'estimate':
      return [reports((value) => value <= told()), reports((value) => value >= told())]
    case 'highest':
      return [reports((value) => value >= told())]
    default:
      return [({ kind }) => kind === 'answer']
  }
}
