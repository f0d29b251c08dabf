import type { contradictsAgreedBlock } from '../methods/result-text.ts'
import type { MemberIndex, OperatorIndex } from '../runtime/indexes.ts'
import type { RejectionClass, Reply } from '../wire/types.ts'
import { noOperators, type OperatorSet, setOf, union } from './operator-set.ts'
import { type Group, Tally } from './tally.ts'

/** Byte-identical results: parsed once, for all nodes that sent them. */
export interface Variant {
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

export interface ReplyTallyOptions {
  /** The results that have been parsed ahead of their vote. */
  readonly parsed?: { readonly parsedOf: (raw: string) => ParsedResult | undefined }
  /** Honest results differ: an operator's first one counts, and another is no contradiction. */
  readonly mayDiffer?: boolean
}

/** Groups the replies of a read: by bytes first, by canonical text only where bytes differ. */
export class ReplyTally {
  readonly #tally: Tally<ReplyGroup>
  readonly #textOf: CanonicalText
  readonly #parsed: ReplyTallyOptions['parsed']

  constructor(textOf: CanonicalText, { parsed, mayDiffer = false }: ReplyTallyOptions = {}) {
    this.#textOf = textOf
    this.#parsed = parsed
    this.#tally = new Tally(mayDiffer ? areResults : undefined)
  }

  get groups(): readonly ReplyGroup[] {
    return this.#tally.groups
  }

  get voted(): OperatorSet {
    return this.#tally.voted
  }

  get split(): OperatorSet {
    return this.#tally.split
  }

  /** The group that the vote joined; null where the result was none (not JSON, or not of the method's type), or `contradictsAgreedBlock`. */
  vote(
    member: MemberIndex,
    operator: OperatorIndex,
    reply: Vote,
  ): ReplyGroup | typeof contradictsAgreedBlock | null {
    const group =
      reply.kind === 'result'
        ? this.#resultGroup(reply.raw, setOf(operator))
        : this.#errorGroup(reply.kind, reply.kind === 'reverted' ? reply.data : reply.class)
    if (typeof group === 'object' && group !== null) this.#tally.vote(group, member, operator)
    return group
  }

  #resultGroup(raw: string, operator: OperatorSet): ReplyGroup | typeof contradictsAgreedBlock | null {
    for (const group of this.groups) {
      const same = group.variants.find((variant) => variant.raw === raw)
      if (same === undefined) continue
      same.operators = union(same.operators, operator)
      return group
    }
    const { value, text } = this.#parsed?.parsedOf(raw) ?? this.#parse(raw)
    if (typeof text !== 'string') return text
    const variant: Variant = { raw, value, operators: operator }
    const group = this.groups.find((other) => other.kind === 'result' && other.text === text)
    if (group === undefined) return this.#open('result', text, variant)
    group.variants.push(variant)
    return group
  }

  #parse(raw: string): ParsedResult {
    const value = parse(raw)
    return { value, text: value === unparsed ? null : this.#textOf(value) }
  }

  #errorGroup(kind: 'reverted' | 'rejected', text: string): ReplyGroup {
    return (
      this.groups.find((group) => group.kind === kind && group.text === text) ?? this.#open(kind, text, null)
    )
  }

  #open(kind: ReplyGroup['kind'], text: string, variant: Variant | null): ReplyGroup {
    return this.#tally.open((index) => ({
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

function areResults(first: ReplyGroup, second: ReplyGroup): boolean {
  return first.kind === 'result' && second.kind === 'result'
}

const unparsed = Symbol('unparsed')

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return unparsed
  }
}
