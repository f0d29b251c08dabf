import type { Electorate } from './electorate.ts'
import { neededOf, weightOf } from './electorate.ts'
import { numberOf } from './number-strategies.ts'
import type { ReadOutcome } from './read-round.ts'
import type { ReplyGroup } from './tally.ts'
import type { AgreedVerdict, Strategy } from './verdict.ts'

type Supports = (group: ReplyGroup) => boolean

/**
 * What an agreement lacks, counted once more from what each request brought, and in another way than the verdict was; null
 * where it lacks nothing.
 */
export function shortfallOf(
  { sidesOf }: Pick<Strategy, 'sidesOf'>,
  electorate: Electorate,
  outcome: ReadOutcome,
): string | null {
  const { verdict } = outcome
  if (verdict.kind !== 'agreed') return null
  const contradicts = contradictionOf(verdict)
  const { operators: names, weights, operatorsMin } = electorate
  const needed = neededOf(electorate)
  for (const supports of supportsOf(verdict, sidesOf)) {
    let weight = 0
    let operators = 0
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string
      if (!isAny(outcome, name, supports) || isAny(outcome, name, contradicts)) continue
      weight += weights[index] ?? 0
      if ((weights[index] ?? 0) > 0) operators++
    }
    if (weight < needed || operators < operatorsMin || weight < weightOf(electorate, verdict.operators))
      return `weight ${weight} of ${needed}, operators ${operators} of ${operatorsMin}`
  }
  return null
}

/** Whether any node of the operator voted so. */
function isAny({ requests, groups }: ReadOutcome, operator: string, is: Supports): boolean {
  for (const request of requests)
    if (request.group !== null && request.operator === operator && is(groups[request.group] as ReplyGroup))
      return true
  return false
}

/** An operator that said this too stands behind nothing. Numbers of its own are no contradiction. */
function contradictionOf({ raw, group, joined }: AgreedVerdict): Supports {
  return raw === null
    ? ({ index }) => index !== group.index && !joined.includes(index)
    : ({ kind }) => kind !== 'result'
}

/** Whose support it takes: that of a quorum for each. */
function supportsOf(
  { raw, group, joined }: AgreedVerdict,
  sidesOf: Strategy['sidesOf'],
): readonly Supports[] {
  if (raw === null) return [({ index }) => index === group.index || joined.includes(index)]
  if (sidesOf === undefined) return [({ kind }) => kind === 'result']
  return sidesOf(BigInt(JSON.parse(raw) as string)).map(
    (isOnSide) => (each) => each.kind === 'result' && isOnSide(numberOf(each)),
  )
}
