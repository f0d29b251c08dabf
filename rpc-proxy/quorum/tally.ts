import type { contradictsAgreedBlock, MethodSpec } from '../methods/method-spec.ts'
import type { Clock, Soon } from '../runtime/clock.ts'
import type { GroupIndex, MemberIndex, OperatorIndex } from '../runtime/indexes.ts'
import type { Shape } from '../wire/canonical.ts'
import { compose, holdsNullList } from '../wire/canonical.ts'
import type { ReadMembers } from '../wire/codecs.ts'
import { mergeAhead, readAhead } from '../wire/read-ahead.ts'
import { parseJson } from '../wire/scan.ts'
import type { Reply } from '../wire/types.ts'
import {
  contains,
  difference,
  type Electorate,
  intersection,
  isQuorum,
  noOperators,
  type OperatorSet,
  operatorsIn,
  setOf,
  union,
} from './electorate.ts'

/** Votes that mean the same. */
export interface Group<Member extends number = MemberIndex> {
  readonly index: GroupIndex
  /** Who voted so, in order of arrival. */
  readonly members: Member[]
  /** Operators that count in it, without those that contradict themselves. */
  operators: OperatorSet
}

/** Counts votes by group. An operator counts once, and nowhere if its nodes contradict each other. */
export class Tally<OwnGroup extends Group<Member>, Member extends number = MemberIndex> {
  readonly groups: OwnGroup[] = []
  /** Operators that have voted, those that contradict themselves included. */
  voted = noOperators
  /** Operators whose nodes contradict each other. */
  split = noOperators

  /** Whether an operator that has voted for both groups counts in the first one; it contradicts itself otherwise. */
  protected mayDiffer(_first: OwnGroup, _second: OwnGroup): boolean {
    return false
  }

  open(make: (index: GroupIndex) => OwnGroup): OwnGroup {
    const group = make(this.groups.length as GroupIndex)
    this.groups.push(group)
    return group
  }

  count(group: OwnGroup, member: Member, operator: OperatorIndex): void {
    group.members.push(member)
    for (const other of this.groups)
      if (other !== group && contains(other.operators, operator)) {
        if (!this.mayDiffer(other, group)) this.#part(other, operator)
        return
      }
    const own = setOf(operator)
    if (!contains(this.split, operator)) group.operators = union(group.operators, own)
    this.voted = union(this.voted, own)
  }

  #part(group: OwnGroup, operator: OperatorIndex): void {
    const own = setOf(operator)
    group.operators = difference(group.operators, own)
    this.split = union(this.split, own)
  }
}

/** Byte-identical results: parsed once, for all nodes that sent them. */
interface Variant {
  readonly raw: string
  readonly value: unknown
  operators: OperatorSet
}

/** Replies that mean the same. */
export interface ReplyGroup extends Group {
  readonly kind: 'result' | 'reverted' | 'rejected'
  /** What tells it from other groups: a result's canonical text, a revert's data, a rejection's class. */
  readonly text: string
  readonly variants: Variant[]
  readonly isNull: boolean
}

/** A method's canonical text of a result, by which two are equal, or why it is no vote: null for a value that is no result of this call. */
export type CanonicalText = (value: unknown) => string | typeof contradictsAgreedBlock | null

export interface ParsedResult {
  readonly value: unknown
  readonly text: ReturnType<CanonicalText>
}

/** A reply that counts. */
export type Vote = Extract<Reply, { kind: 'result' | 'reverted' | 'rejected' }>

interface TallyQuestion {
  readonly textOf: CanonicalText
  readonly strategy?: { readonly mayDiffer: boolean }
}

/** Groups the replies of a read: by bytes first, by canonical text only where bytes differ. */
export class ReplyTally extends Tally<ReplyGroup> {
  readonly #question: TallyQuestion

  constructor(question: TallyQuestion) {
    super()
    this.#question = question
  }

  /** Of honest results that differ, an operator's first one counts, and another is no contradiction. */
  protected override mayDiffer(first: ReplyGroup, second: ReplyGroup): boolean {
    return this.#question.strategy?.mayDiffer === true && first.kind === 'result' && second.kind === 'result'
  }

  /**
   * The group that the vote joined; null where the result was none (not JSON, or not of the method's type), or
   * `contradictsAgreedBlock`. `parsed`: the result, where it has been parsed ahead of its vote.
   */
  vote(
    { member, operator }: { readonly member: MemberIndex; readonly operator: OperatorIndex },
    reply: Vote,
    parsed?: ParsedResult,
  ): ReplyGroup | typeof contradictsAgreedBlock | null {
    const group =
      reply.kind === 'result'
        ? this.#resultGroup(reply.raw, setOf(operator), parsed)
        : this.#errorGroup(reply.kind, reply.kind === 'reverted' ? reply.data : reply.class)
    if (typeof group === 'object' && group !== null) this.count(group, member, operator)
    return group
  }

  #resultGroup(
    raw: string,
    operator: OperatorSet,
    parsed?: ParsedResult,
  ): ReplyGroup | typeof contradictsAgreedBlock | null {
    for (const group of this.groups)
      for (const variant of group.variants)
        if (variant.raw === raw) {
          variant.operators = union(variant.operators, operator)
          return group
        }
    const { value, text } = parsed ?? this.#parse(raw)
    if (typeof text !== 'string') return text
    const variant: Variant = { raw, value, operators: operator }
    const group = this.groups.find((other) => other.kind === 'result' && other.text === text)
    if (group === undefined) return this.#open('result', text, variant)
    group.variants.push(variant)
    return group
  }

  #parse(raw: string): ParsedResult {
    const value = parseJson(raw)
    return { value, text: value === undefined ? null : this.#question.textOf(value) }
  }

  #errorGroup(kind: 'reverted' | 'rejected', text: string): ReplyGroup {
    return (
      this.groups.find((group) => group.kind === kind && group.text === text) ?? this.#open(kind, text, null)
    )
  }

  #open(kind: ReplyGroup['kind'], text: string, variant: Variant | null): ReplyGroup {
    return this.open((index) => ({
      index,
      kind,
      text,
      variants: variant === null ? [] : [variant],
      members: [],
      operators: noOperators,
      isNull: variant !== null && variant.value === null,
    }))
  }
}

/** What a group means, in a word or in JSON, for certificates. */
export function meaningOf(group: ReplyGroup): string {
  return (
    group.variants[0]?.raw ?? (group.kind === 'reverted' ? `revert ${group.text}` : `refusal ${group.text}`)
  )
}

/** Results longer than this, in characters, are read ahead of their vote. */
const longChars = 1 << 18

const unreadable: ParsedResult = { value: null, text: null }

/** Parses long results in slices, each by its own bytes and once. */
export class LongResults {
  readonly #reader: { readonly readAhead: (raw: string) => Promise<ParsedResult | null> }
  /** By bytes: a promise while it is being read. Most rounds have none. */
  #known: Map<string, ParsedResult | Promise<void>> | undefined

  constructor(reader: { readonly readAhead: (raw: string) => Promise<ParsedResult | null> }) {
    this.#reader = reader
  }

  /** Resolves when these bytes have been read; null when there is nothing to wait for. */
  reading(raw: string): Promise<void> | null {
    if (raw.length <= longChars) return null
    const result = this.#known?.get(raw) ?? this.#begin(raw)
    return result instanceof Promise ? result : null
  }

  parsedOf(raw: string): ParsedResult | undefined {
    const result = this.#known?.get(raw)
    return result instanceof Promise ? undefined : result
  }

  #begin(raw: string): Promise<void> {
    this.#known ??= new Map()
    const done = this.#reader.readAhead(raw).then((parsed) => {
      this.#known?.set(raw, parsed ?? unreadable)
    })
    this.#known.set(raw, done)
    return done
  }
}

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

/** The bytes that a quorum sent alike, if no list in them is null; else the agreed fields, with other fields that a quorum has alike. */
export function rawOf(
  { shape }: MethodSpec,
  { variants, operators: counting }: ReplyGroup,
  electorate: Electorate,
  { chainId, clock }: { chainId: number; clock: Clock },
): Soon<string> {
  // An operator that contradicted itself stands behind none of its texts.
  const alike = variants.find(({ operators }) => isQuorum(electorate, intersection(operators, counting)))
  if (alike !== undefined && !holdsNullList(shape, alike.value)) return alike.raw
  const agree = (indexes: readonly number[]) => {
    const alike = variants.filter((_, index) => indexes.includes(index))
    return isQuorum(electorate, intersection(operatorsIn(alike), counting))
  }
  const values = variants.map(({ value }) => value)
  const longest = variants.reduce((text, { raw }) => (raw.length > text.length ? raw : text), '')
  if (longest.length <= sliceChars) return compose(shape, values, { agree, chainId })
  return mergeAhead(shape, values, { agree, chainId, ...paceOf(longest, clock) }).then((before) =>
    compose(shape, values, { agree, chainId, ...before }),
  )
}
