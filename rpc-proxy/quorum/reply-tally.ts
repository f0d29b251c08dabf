import type { contradictsAgreedBlock } from '../methods/result-text.ts'
import type { MemberIndex, OperatorIndex } from '../runtime/indexes.ts'
import type { RejectionClass, Reply } from '../wire/types.ts'
import { noOperators, type OperatorSet, setOf, union } from './operator-set.ts'
import { type Group, Tally } from './tally.ts'

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

/** A result that has been parsed. */
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
    const value = parse(raw)
    return { value, text: value === unparsed ? null : this.#question.textOf(value) }
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
    group.variants[0]?.raw ??
    (group.kind === 'reverted' ? `revert ${group.text}` : `refusal ${group.text as RejectionClass}`)
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
  readonly #reader: { readonly readAhead: (raw: string) => Promise<ParsedResult | null> }
  #known = none

  constructor(reader: { readonly readAhead: (raw: string) => Promise<ParsedResult | null> }) {
    this.#reader = reader
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
    const done = this.#reader.readAhead(raw).then((parsed) => {
      answer.parsed = parsed ?? unreadable
    })
    const answer: LongResult = { raw, done, parsed: undefined }
    this.#known = [...this.#known, answer]
    return answer
  }
}
