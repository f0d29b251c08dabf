import { z } from 'zod'
import { realNames } from './makes/zoo.ts'

const ms = z.int().min(0).max(3_600_000)
const count = z.int().min(0).max(1_000_000)

/** What each kind of node does, and how it can be told to do it differently. One row, one character. */
const kinds = z.discriminatedUnion('kind', [
  /** Passes every call on and every answer back, unread. */
  z.strictObject({ kind: z.literal('honest') }),
  /** Knows the chain as it was some blocks ago, and answers for later blocks as geth does. */
  z.strictObject({ kind: z.literal('lagging'), blocks: count.default(2) }),
  /**
   * Tells lies that fit together. `values`: state, call results, receipts, logs, gas. `heads`: a chain of its own,
   * some blocks ahead. Liars with one voice collude: they tell the same lie.
   */
  z.strictObject({
    kind: z.literal('lying'),
    about: z.enum(['values', 'heads', 'both']).default('values'),
    voice: z.string().max(64).nullable().default(null),
    blocksAhead: count.default(1000),
  }),
  /** Says another chain id. */
  z.strictObject({ kind: z.literal('wrong-chain'), chainId: z.int().min(1).default(5) }),
  /** Answers after a while. */
  z.strictObject({ kind: z.literal('slow'), delayMs: ms.default(1500), jitterMs: ms.default(0) }),
  /** Takes the request and never answers. */
  z.strictObject({ kind: z.literal('hanging') }),
  /** Refuses connections: nothing listens on its port. */
  z.strictObject({ kind: z.literal('down') }),
  /** Fails every call: by HTTP status alone, or, with a code, by a JSON-RPC error under that status. */
  z.strictObject({
    kind: z.literal('erring'),
    status: z.int().min(200).max(599).default(500),
    code: z.int().nullable().default(null),
    message: z.string().max(1000).default('internal error'),
    data: z.string().max(10_000).nullable().default(null),
  }),
  /** Up for a while, then gone for a while: by the clock, or by requests where counts are given. */
  z.strictObject({
    kind: z.literal('flapping'),
    upMs: ms.default(3000),
    downMs: ms.default(3000),
    upRequests: count.nullable().default(null),
    downRequests: count.nullable().default(null),
  }),
  /** Takes so many calls in a window, then 429 with Retry-After; `rpc`: HTTP 200 with error -32005. */
  z.strictObject({
    kind: z.literal('rate-limiting'),
    calls: count.default(20),
    windowMs: ms.default(1000),
    retryAfterS: count.default(1),
    as: z.enum(['http', 'rpc']).default('http'),
  }),
  /** Answers, but not JSON-RPC as it should be. */
  z.strictObject({
    kind: z.literal('garbage'),
    form: z
      .enum([
        'html',
        'empty',
        'truncated',
        'invalid-utf8',
        'not-an-object',
        'deep',
        'wrong-id',
        'missing-id',
        'text-id',
        'wrong-jsonrpc',
        'both',
        'neither',
        'duplicate-keys',
        'short-batch',
        'long-batch',
        'reordered-batch',
        'batch-for-single',
        'redirect',
        'huge',
        'bomb',
      ])
      .default('html'),
    /** How large the huge body and the unpacked bomb are. */
    bytes: z.int().min(1).max(1_073_741_824).default(67_108_864),
  }),
  /** Breaks the connection: before the answer, after its head, or in the middle of its body. */
  z.strictObject({
    kind: z.literal('resetting'),
    at: z.enum(['request', 'head', 'body']).default('request'),
  }),
  /** Sends its answer a few bytes at a time. */
  z.strictObject({
    kind: z.literal('trickling'),
    bytes: z.int().min(1).max(65_536).default(1),
    everyMs: z.int().min(1).max(3_600_000).default(100),
  }),
  /** Honest, but small: each limit answers with the words public nodes use for it. */
  z.strictObject({
    kind: z.literal('limited'),
    logsRangeMax: count.nullable().default(null),
    batchCallsMax: count.nullable().default(null),
    depthBlocksMax: count.nullable().default(null),
    without: z.array(z.string()).default([]),
    unauthorised: z.array(z.string()).default([]),
  }),
  /** True, in the fields, words and limits of a client and a provider as they are met in public. */
  z.strictObject({ kind: z.literal('real'), name: z.enum(realNames) }),
  /** Two nodes behind one address: every second request is answered by `otherwise`, which lags unless told. */
  z.strictObject({ kind: z.literal('balanced') }),
])

/** How a node behaves, with every choice made. */
export type Character = z.output<typeof kinds> & Scope
// An interface, because an alias may not name itself on the way through an intersection.
interface Scope {
  /** The methods it concerns; all of them when left out. */
  readonly only?: readonly string[]
  /** Who answers where the fault does not apply, or after it; an honest node when left out. */
  readonly otherwise?: Character
}

/** A character as one writes it: the kind alone, or the kind with what should differ from its defaults. */
export type CharacterInput = Kind | (z.input<typeof kinds> & ScopeInput)
interface ScopeInput {
  readonly only?: readonly string[]
  readonly otherwise?: CharacterInput
}

export type Kind = Character['kind']
/** One kind's own row. */
export type Of<K extends Kind> = Extract<Character, { kind: K }>

const scope = z.looseObject({
  only: z.array(z.string()).min(1).optional(),
  otherwise: z.unknown().optional(),
})

/** Turns what somebody wrote into a character; throws a ZodError that names every fault. */
export function parseCharacter(input: unknown): Character {
  const { only, otherwise, ...rest } = scope.parse(typeof input === 'string' ? { kind: input } : input)
  return {
    ...kinds.parse(rest),
    ...(only === undefined ? {} : { only }),
    ...(otherwise === undefined ? {} : { otherwise: parseCharacter(otherwise) }),
  }
}
