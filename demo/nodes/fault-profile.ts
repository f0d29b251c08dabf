import { z } from 'zod'
import { realNames } from './clients/client-profiles.ts'
import { distortions, inventions } from './distortions.ts'

const ms = z.int().min(0).max(3_600_000)
const count = z.int().min(0).max(1_000_000)

/** All kinds of nodes and their options. */
const kinds = z.discriminatedUnion('kind', [
  /** Forwards calls and answers unread. */
  z.strictObject({ kind: z.literal('honest') }),
  /** Some blocks behind; answers for later blocks like geth. */
  z.strictObject({ kind: z.literal('lagging'), blocks: count.default(2) }),
  /**
   * Lies consistently about state, call results, receipts, logs and gas. Liars with the same lie name collude: they tell the
   * same lie.
   */
  z.strictObject({ kind: z.literal('lying'), lieName: z.string().max(64).nullable().default(null) }),
  /** Reports another chain id. */
  z.strictObject({ kind: z.literal('wrong-chain'), chainId: z.int().min(1).default(5) }),
  /** Answers after a delay. */
  z.strictObject({ kind: z.literal('slow'), delayMs: ms.default(1500), jitterMs: ms.default(0) }),
  /** Accepts requests and never answers. */
  z.strictObject({ kind: z.literal('hanging') }),
  /** Refuses connections: nothing listens on its port. */
  z.strictObject({ kind: z.literal('down') }),
  /** Fails every call with an HTTP status and, with a code, a JSON-RPC error. */
  z.strictObject({
    kind: z.literal('erring'),
    status: z.int().min(200).max(599).default(500),
    code: z.int().nullable().default(null),
    message: z.string().max(1000).default('internal error'),
    data: z.string().max(10_000).nullable().default(null),
  }),
  /** Alternates between up and down. */
  z.strictObject({ kind: z.literal('flapping'), upMs: ms.default(3000), downMs: ms.default(3000) }),
  /** Accepts this many calls per second, then 429 with Retry-After; `rpc`: HTTP 200 with error -32005. */
  z.strictObject({
    kind: z.literal('rate-limiting'),
    calls: count.default(20),
    retryAfterS: count.default(1),
    as: z.enum(['http', 'rpc']).default('http'),
  }),
  /** Answers with malformed JSON-RPC. */
  z.strictObject({
    kind: z.literal('garbage'),
    form: z.enum([...Object.keys(inventions), ...Object.keys(distortions)]).default('html'),
    /** Size of the huge body and of the decompressed bomb. */
    bytes: z.int().min(1).max(1_073_741_824).default(67_108_864),
  }),
  /** Resets the connection: before the answer, or in the middle of its body. */
  z.strictObject({ kind: z.literal('resetting'), at: z.enum(['request', 'body']).default('request') }),
  /** Sends its answer a few bytes at a time. */
  z.strictObject({
    kind: z.literal('trickling'),
    bytes: z.int().min(1).max(65_536).default(1),
    everyMs: z.int().min(1).max(3_600_000).default(100),
  }),
  /** Honest, but that it does not have these methods. */
  z.strictObject({ kind: z.literal('limited'), without: z.array(z.string()).default([]) }),
  /** Honest, with the fields, messages and limits of a real client and provider. */
  z.strictObject({ kind: z.literal('real'), name: z.enum(realNames) }),
])

/** A fault profile with all options filled in. */
export type FaultProfile = z.output<typeof kinds> & Scope
/** The affected methods; all by default. Others are answered as by an honest node. */
interface Scope {
  readonly only?: readonly string[]
}

/** A fault profile as input: its kind alone, or with options. */
export type FaultProfileInput = Kind | (z.input<typeof kinds> & Scope)

export type Kind = FaultProfile['kind']
export type Of<K extends Kind> = Extract<FaultProfile, { kind: K }>

const scope = z.looseObject({ only: z.array(z.string()).min(1).optional() })

/** Parses a fault profile. Throws a ZodError with all errors. */
export function parseFaultProfile(input: unknown): FaultProfile {
  const { only, ...rest } = scope.parse(typeof input === 'string' ? { kind: input } : input)
  return { ...kinds.parse(rest), ...(only === undefined ? {} : { only }) }
}
