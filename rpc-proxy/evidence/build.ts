import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { BlockId, Evidence, FailureReason, GroupRecord } from '../events/evidence-types.ts'
import {
  countEligible,
  countOperators,
  difference,
  type Electorate,
  namesOf,
  neededOf,
  noOperators,
  type OperatorSet,
  operatorsIn,
  weightOf,
} from '../quorum/electorate.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { type Group, meaningOf, type ReplyGroup } from '../quorum/tally.ts'
import type { RuleName } from '../quorum/verdict.ts'
import { differenceOf, type FieldDifference } from '../wire/difference.ts'
import { owned } from '../wire/scan.ts'

type OwnFields =
  | 'id'
  | 'chainId'
  | 'method'
  | 'params'
  | 'block'
  | 'startMs'
  | 'endMs'
  | 'requests'
  | 'groups'
  | 'result'

/** What a result is believed, or not believed, for. */
interface EvidenceParts
  extends Pick<Evidence, OwnFields | 'difference' | 'proof' | 'confirmation'>,
    Partial<Pick<Evidence, 'policy' | 'isThin'>> {
  readonly electorate: Electorate
  readonly rule: RuleName
  /** Null where there was an agreement. */
  readonly reason: FailureReason | null
  /** Operators whose votes count for the result; of a failure, the heaviest group. */
  readonly operators: OperatorSet
  /** Operators that voted otherwise, where that contradicts the result. */
  readonly dissenting?: OperatorSet
  readonly signed?: BlockId | null
}

/** The evidence of a round. The only place that makes one. */
export function buildEvidence(parts: EvidenceParts): Evidence {
  const { electorate, operators, rule, reason, dissenting = noOperators } = parts
  return {
    id: parts.id,
    chainId: parts.chainId,
    method: parts.method,
    params: parts.params,
    startMs: parts.startMs,
    endMs: parts.endMs,
    outcome: reason === null ? 'agreed' : 'failed',
    reason,
    rule: rule.label,
    ruleId: rule.id,
    agreed: weightOf(electorate, operators),
    needed: neededOf(electorate),
    total: electorate.total,
    operators: countEligible(electorate, operators),
    dissenting: countOperators(dissenting),
    operatorsTotal: electorate.operators.length,
    operatorsMin: electorate.operatorsMin,
    policy: parts.policy ?? 'everyday',
    isThin: parts.isThin ?? false,
    block: parts.block,
    electorate,
    supporters: operators,
    result: parts.result,
    requests: parts.requests,
    groups: parts.groups,
    signed: parts.signed ?? undefined,
    difference: parts.difference,
    proof: parts.proof,
    confirmation: parts.confirmation,
  }
}

/** How evidence shows a group: `nodes` that voted so, and the text of what they mean. */
export function recordOfGroup(
  { operators }: Counted,
  electorate: Electorate,
  { nodes, text, sha256 }: Pick<GroupRecord, 'nodes' | 'text' | 'sha256'>,
): GroupRecord {
  const weight = weightOf(electorate, operators)
  return { weight, operators: namesOf(electorate, operators), nodes, text, sha256 }
}

type Counted = Pick<Group<number>, 'operators'>

/** Operators that count in any of the groups and are not among these. */
export function operatorsBeside(groups: readonly Counted[], winners: OperatorSet): OperatorSet {
  return difference(operatorsIn(groups), winners)
}

function heaviestOf(groups: readonly Counted[], electorate: Electorate): OperatorSet {
  const heavier = (one: OperatorSet, other: OperatorSet) =>
    weightOf(electorate, other) > weightOf(electorate, one) ? other : one
  return groups.map(({ operators }) => operators).reduce(heavier, noOperators)
}

/** The parts of evidence that are not in the outcome. `result`: null if the verdict has the result. */
type EvidenceAbout = Pick<
  EvidenceParts,
  'id' | 'chainId' | 'method' | 'params' | 'block' | 'electorate' | 'reason' | 'confirmation' | 'result'
>

/** The evidence of a read. Texts are kept by reference, but for those that are too long: their excerpts are. */
export function evidenceOf(
  outcome: ReadOutcome,
  about: EvidenceAbout,
  excerpts: Excerpts | null = null,
): Evidence {
  const { verdict, requests } = outcome
  const { electorate } = about
  const { groups } = excerpts ?? outcome
  return buildEvidence({
    ...about,
    policy: outcome.policy,
    isThin: outcome.isThin,
    startMs: outcome.startMs,
    endMs: outcome.endMs,
    rule: verdict.rule,
    reason: about.reason ?? (verdict.kind === 'failed' ? verdict.reason : null),
    operators: verdict.kind === 'agreed' ? verdict.operators : heaviestOf(groups, electorate),
    dissenting: dissentingFrom(outcome, groups),
    requests,
    groups: groups.map((group) => {
      const { text, sha256 } = excerpts?.of.get(group) ?? { text: meaningOf(group) }
      return recordOfGroup(group, electorate, { nodes: nodesOf(group, requests), text, sha256 })
    }),
    result: verdict.kind === 'failed' ? null : (about.result ?? verdict.raw ?? verdict.group.index),
    difference: excerpts?.difference,
  })
}

function nodesOf({ index }: ReplyGroup, requests: ReadOutcome['requests']): readonly string[] {
  // Kept for long: the copy that `map` makes has no room to grow.
  return requests.filter(({ group }) => group === index).map(({ node }) => node)
}

/** A result that was derived from several groups is contradicted by none of them. */
function dissentingFrom({ verdict }: ReadOutcome, groups: readonly ReplyGroup[]): OperatorSet {
  const isDerived = verdict.kind === 'failed' || verdict.raw !== null
  return isDerived ? noOperators : operatorsBeside(groups, verdict.operators)
}

/** Characters that are kept of a group's text that did not win. */
export const textCharsMax = 4096

/** Characters that are hashed at a time; about a millisecond. */
const sliceChars = 1 << 17

/** What is kept of a text: its beginning, and SHA-256 in hex of all that it means, in canonical form. */
interface Excerpt {
  readonly text: string
  readonly sha256: string
}

/** What evidence keeps of groups whose texts are too long to be kept. */
interface Excerpts {
  /** The groups as they were then: an audit may add to them meanwhile. */
  readonly groups: readonly ReplyGroup[]
  readonly of: ReadonlyMap<ReplyGroup, Excerpt>
  /** Where the groups differ, which the excerpts alone may not tell. */
  readonly difference: readonly FieldDifference[]
}

/** Whether some group's text is more than evidence keeps of it. The winner's text is the answer's, and costs nothing more. */
export function isLong(outcome: ReadOutcome): boolean {
  return outcome.groups.some((group) => isCut(group, outcome))
}

/** Cuts what is too long, while the texts and their values are there. `pause` lets the event loop turn. */
export async function excerptsOf(outcome: ReadOutcome, pause: () => Promise<void>): Promise<Excerpts> {
  const groups = [...outcome.groups]
  const difference = differenceOf(groups.map(parsedOf))
  const of = new Map<ReplyGroup, Excerpt>()
  for (const group of groups) if (isCut(group, outcome)) of.set(group, await excerptOf(group, pause))
  return { groups, of, difference }
}

function isCut(group: ReplyGroup, { verdict }: ReadOutcome): boolean {
  const isResult = verdict.kind === 'agreed' && verdict.raw === null && verdict.group.index === group.index
  return !isResult && meaningOf(group).length > textCharsMax
}

function parsedOf(group: ReplyGroup): unknown {
  const [variant] = group.variants
  return variant === undefined ? meaningOf(group) : variant.value
}

async function excerptOf(group: ReplyGroup, pause: () => Promise<void>): Promise<Excerpt> {
  const text = meaningOf(group)
  const hashed = group.kind === 'result' ? group.text : text
  const hash = sha256.create()
  for (let from = 0; from < hashed.length; ) {
    if (from > 0) await pause()
    const to = wholeAt(hashed, from + sliceChars)
    hash.update(utf8ToBytes(hashed.slice(from, to)))
    from = to
  }
  return { text: owned(text, 0, wholeAt(text, textCharsMax)), sha256: bytesToHex(hash.digest()) }
}

/** The place, moved by one where it would part a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}

/** The evidence of an answer that is cached: without its proof, and with no text that repeats the answer `raw` in other bytes. */
export function storedEvidence(evidence: Evidence, raw: string): Evidence {
  // A text longer than that is cut already, or the answer in other bytes. A beginning is no answer, and may be a character longer so that it parts no surrogate pair.
  const repeats = ({ text, sha256 }: GroupRecord) =>
    sha256 === undefined && text !== raw && text.length > textCharsMax
  const { groups, proof } = evidence
  const isLong = groups.some(repeats)
  if (!isLong && typeof proof !== 'object') return evidence
  return {
    ...evidence,
    groups: isLong ? groups.map((group) => (repeats(group) ? { ...group, text: raw } : group)) : groups,
    proof: typeof proof === 'object' ? undefined : proof,
  }
}

/** Its estimated memory besides the answer, bytes. */
export function bytesOf(
  { requests, params, groups, difference, confirmation }: Evidence,
  raw: string,
): number {
  let bytes = 300 + 150 * requests.length + 2 * (params?.length ?? 0)
  for (const { text, nodes, operators } of groups)
    bytes += 100 + 8 * (nodes.length + operators.length) + (text === raw ? 0 : 2 * text.length)
  // Rare, and long where it is there: fifty places, and at each of them what every group says.
  if (difference !== undefined || confirmation !== undefined)
    bytes += 2 * JSON.stringify([difference, confirmation]).length
  return bytes
}
