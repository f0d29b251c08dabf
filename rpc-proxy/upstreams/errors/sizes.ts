import type { Reply } from '../../wire/types.ts'
import { type ErrorPattern, saying, wordsOf } from './error-pattern.ts'

const tooMuch =
  /more than [\d,]+ (results|logs)|maximum number of (results|logs)|too many (logs|results)|response (size|is too (big|large))|exceeds? (max|the) .*(results|size)|(logs|results) .*exceeds? limit|query timeout|returned result .*exceeding/i
/** Words of a range that took too long to go through. */
const tooSlow = /time(d|) ?out|deadline exceeded|took too long/i
const tooLong =
  /block range|range (is )?too|range .*exceeds|exceeds? (max|the) .*range|limited to .*range|(ranges?|more than|over) [\d,]+ blocks|ranges? over \d|too wide|too many blocks|blocks distance|max(imum)? range|at most [\d,]+ blocks|number of requested blocks/i
/** Fewer blocks do not help. */
const tooManyTerms =
  /max addresses or topics|too many (addresses|topics)|specify an address|contains [\d,]+ filters/i

const tooLarge = { kind: 'unsupported', why: 'size' } as const satisfies Reply

/** What is too large for the node, above all ranges of logs. */
export const sizeRules: readonly ErrorPattern[] = [
  // A limit of eth_simulateV1 that clients may choose.
  { applies: ({ code }, { executes }) => executes && code === -38026, reply: tooLarge },
  {
    applies: ({ message }, { ranges }) => ranges && tooManyTerms.test(message),
    reply: { kind: 'unsupported', why: 'filter' },
  },
  // Before the range: these words also tell which blocks to try, and that holds for this filter alone.
  {
    applies: ({ message }, { ranges }) => tooMuch.test(message) || (ranges && tooSlow.test(message)),
    reply: ({ message }) => withHint('size', spansIn(wordsOf(message))),
  },
  saying(tooLong, ({ message }) =>
    withHint('range', [...spansIn(wordsOf(message)), ...numbersIn(wordsOf(message))]),
  ),
  // Something about it is too large.
  {
    applies: ({ code, message }, { ranges }) =>
      (ranges && code === -32602) || /too (large|many)/i.test(message),
    reply: tooLarge,
  },
]

/** Words that nobody knows about a range of logs may be of its length: half of it is tried, once. */
export const rangeGuess = { ...tooLarge, isGuess: true } as const satisfies Reply

function withHint(why: 'size' | 'range', blocks: readonly number[]): Reply {
  return blocks.length === 0 ? { kind: 'unsupported', why } : { kind: 'unsupported', why, blocks }
}

const end = String.raw`(0x[0-9a-f]{1,13}|\d{1,15})`
const spans = new RegExp(String.raw`\[\s?${end}\s?,\s?${end}\s?\]|\b${end}\s?-\s?${end}\b`, 'gi')

/** Lengths of the ranges that a message names: `[0x64, 0x6d]`, `[100, 109]`, `100-109`, `0 - 10000`. */
function spansIn(message: string): number[] {
  return [...message.matchAll(spans)].slice(0, 4).map(([, from, to, first, last]) => {
    const start = Number(from ?? first)
    // "0 - 10000 blocks" is a length.
    return start === 0 ? Number(to ?? last) : Number(to ?? last) - start + 1
  })
}

/** Numbers as people write them: `1000`, `10,000`, `2K`, `1k`. */
function numbersIn(message: string): number[] {
  return [...message.matchAll(/\b(\d[\d,]{0,18})\s?(k|m)?\b/gi)].slice(0, 16).map(([, digits = '', unit]) => {
    const factor = unit === undefined ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6
    return Number(digits.replaceAll(',', '')) * factor
  })
}
