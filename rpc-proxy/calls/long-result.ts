import type { MethodSpec } from '../methods/method-spec.ts'
import { type Electorate, isQuorum } from '../quorum/electorate.ts'
import { intersection, noOperators, type OperatorSet, union } from '../quorum/operator-set.ts'
import type { CanonicalText, ParsedResult, ReplyGroup } from '../quorum/reply-tally.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Soon } from '../runtime/soon.ts'
import { compose, holdsNullList } from '../wire/canonical.ts'
import { mergeAhead, type ReadMembers, readAhead } from '../wire/read-ahead.ts'
import type { Shape } from '../wire/shapes.ts'

/** Characters of an answer that are read at a time. */
const sliceChars = 1 << 17

interface LongReading {
  readonly shape: Shape
  readonly chainId: number
  readonly clock: Clock
  readonly textOf: (value: unknown, ahead: ReadMembers) => ReturnType<CanonicalText>
}

/** A long answer, read in slices between which the event loop turns; only its parsing and its text are made in one go. */
export async function readLong(
  raw: string,
  { shape, chainId, clock, textOf }: LongReading,
): Promise<ParsedResult | null> {
  try {
    const value: unknown = JSON.parse(raw)
    const ahead = await readAhead(shape, value, { chainId, ...paceOf(raw, clock) })
    return { value, text: textOf(value, ahead) }
  } catch {
    return null
  }
}

function paceOf({ length }: string, clock: Clock) {
  return { slices: Math.ceil(length / sliceChars), pause: pauseOf(clock) }
}

/** Lets the event loop turn. */
export function pauseOf(clock: Clock): () => Promise<void> {
  return () => new Promise((resolve) => void clock.after(0, resolve))
}

/** The bytes that a quorum sent alike, as they are, if no list is null in them; else the agreed fields, and others only where a quorum has them alike. */
export function rawOf(
  { shape }: MethodSpec,
  { variants, operators: counting }: ReplyGroup,
  electorate: Electorate,
  { chainId, clock }: { chainId: number; clock: Clock },
): Soon<string> {
  // An operator that contradicted itself stands behind none of its texts.
  const alike = variants.find(({ operators }) => isQuorum(electorate, intersection(operators, counting)))
  if (alike !== undefined && !holdsNullList(shape, alike.value)) return alike.raw
  const operatorsOf = (indexes: readonly number[]) =>
    indexes.reduce<OperatorSet>(
      (set, index) => union(set, variants[index]?.operators ?? noOperators),
      noOperators,
    )
  const agree = (indexes: readonly number[]) =>
    isQuorum(electorate, intersection(operatorsOf(indexes), counting))
  const values = variants.map(({ value }) => value)
  const longest = variants.reduce((text, { raw }) => (raw.length > text.length ? raw : text), '')
  if (longest.length <= sliceChars) return compose(shape, values, { agree, chainId })
  return mergeAhead(shape, values, { agree, chainId, ...paceOf(longest, clock) }).then((before) =>
    compose(shape, values, { agree, chainId, before }),
  )
}
