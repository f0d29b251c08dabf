import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { meaningOf, type ReplyGroup } from '../quorum/reply-tally.ts'
import { differenceOf, type FieldDifference } from '../wire/difference.ts'
import { owned } from '../wire/scan.ts'

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
export interface Excerpts {
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
