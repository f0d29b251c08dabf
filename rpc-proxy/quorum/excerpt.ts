import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { differenceOf, type FieldDifference } from '../wire/difference.ts'
import { owned } from '../wire/owned.ts'
import type { Outcome } from './question.ts'
import { type Camp, saidBy } from './tally.ts'

/** Characters that are kept of what a camp said that did not win. */
export const saidCharsMax = 4096

/** Characters that are hashed at a time; about a millisecond. */
const sliceChars = 1 << 17

/** What is kept of a text: its beginning, and SHA-256 of the whole in hex. */
export interface Excerpt {
  readonly said: string
  readonly sha256: string
}

/** What evidence keeps of camps whose texts are too long to be kept. */
export interface Excerpts {
  /** The camps as they were then: one node more may be heard out meanwhile. */
  readonly camps: readonly Camp[]
  readonly of: ReadonlyMap<Camp, Excerpt>
  /** Where the camps differ, which the excerpts alone may not tell. */
  readonly difference: readonly FieldDifference[]
}

/** Whether some camp said more than evidence keeps of it. The winner's text is the answer's, and costs nothing more. */
export function isLong(outcome: Outcome): boolean {
  return outcome.camps.some((camp) => isCut(camp, outcome))
}

/** Cuts what is too long, while the texts and their values are there. `pause` lets the event loop turn. */
export async function excerptsOf(outcome: Outcome, pause: () => Promise<void>): Promise<Excerpts> {
  const camps = [...outcome.camps]
  const difference = differenceOf(camps.map(parsedOf))
  const of = new Map<Camp, Excerpt>()
  for (const camp of camps) if (isCut(camp, outcome)) of.set(camp, await excerptOf(saidBy(camp), pause))
  return { camps, of, difference }
}

function isCut(camp: Camp, { verdict }: Outcome): boolean {
  const isAnswer = verdict.kind === 'agreed' && verdict.raw === null && verdict.camp.place === camp.place
  return !isAnswer && saidBy(camp).length > saidCharsMax
}

function parsedOf(camp: Camp): unknown {
  const [variant] = camp.variants
  return variant === undefined ? saidBy(camp) : variant.value
}

async function excerptOf(text: string, pause: () => Promise<void>): Promise<Excerpt> {
  const hash = sha256.create()
  for (let from = 0; from < text.length; ) {
    if (from > 0) await pause()
    const to = wholeAt(text, from + sliceChars)
    hash.update(utf8ToBytes(text.slice(from, to)))
    from = to
  }
  return { said: owned(text, 0, wholeAt(text, saidCharsMax)), sha256: bytesToHex(hash.digest()) }
}

/** The place, moved by one where it would part a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}
