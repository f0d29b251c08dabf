import type { Certificate } from '#rpc-proxy'
import { isRecord } from '../parse-json.ts'

type Guard<Value> = (value: unknown) => value is Value
/** What a guard lets through. */
export type Guarded<Of> = Of extends Guard<infer Value> ? Value : never

const digits = (length: number) => new RegExp(`^[0-9a-f]{${length}}$`)
const matches =
  (pattern: RegExp): Guard<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value)
const is =
  <const Value>(...values: readonly Value[]): Guard<Value> =>
  (value): value is Value =>
    (values as readonly unknown[]).includes(value)
const orNull =
  <Value>(guard: Guard<Value>): Guard<Value | null> =>
  (value): value is Value | null =>
    value === null || guard(value)
const text = matches(/./s)
const flag = is(true, false)
const count: Guard<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const digest = matches(digits(64))
const bytes = matches(/^0x(?:[0-9a-f]{2})*$/)
const hash = matches(/^0x[0-9a-f]{64}$/)
const time: Guard<string> = (value): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value

/** An object of exactly these members. */
function object<Members extends Readonly<Record<string, Guard<unknown>>>>(members: Members) {
  return (value: unknown): value is { readonly [Name in keyof Members]: Guarded<Members[Name]> } =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, guard]) => Object.hasOwn(value, name) && guard(value[name]))
}
const list =
  <Value>(guard: Guard<Value>): Guard<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.every(guard)

/** Whether a value is a certificate of version 1, and has no member that version 1 does not. */
export const isCertificate = object({
  format: is('quorate-certificate'),
  version: is(1),
  id: text,
  /** When it was decided, ISO 8601. */
  time,
  build: orNull(text),
  chainId: count,
  method: text,
  paramsSha256: orNull(digest),
  block: orNull(object({ number: count, hash: orNull(hash) })),
  outcome: is('agreed', 'failed'),
  reason: orNull(text),
  rule: text,
  policy: is('everyday', 'tightened', 'protected', 'bridge'),
  thin: flag,
  /** What a quorum takes. */
  quorum: object({ weight: count, operators: count }),
  resultSha256: orNull(digest),
  /** One of each operator that may vote. */
  votes: list(
    object({
      operator: text,
      weight: count,
      /** Without its vote there is no quorum. */
      required: flag,
      /** Its vote counts for the result. */
      supports: flag,
      /** SHA-256 of the result that it sent; null where it did not vote, or contradicted itself. */
      vote: orNull(digest),
    }),
  ),
  /** Of what was proven; null where votes alone tell. All is hex: nodes and fields as they are hashed, keys as digests. */
  proof: orNull(
    object({
      header: list(bytes),
      accounts: list(hash),
      nodes: list(bytes),
      slots: list(object({ account: hash, slot: hash, nodes: list(bytes) })),
      code: orNull(bytes),
    }),
  ),
  /** Why what was proven has no proof; null of all else. `forgotten`: newer answers have taken its place. */
  proofAbsent: orNull(text as Guard<Extract<Certificate['proof'], string> | 'forgotten'>),
  /** Null where the gateway has no key. */
  signature: orNull(
    object({
      algorithm: is('ed25519'),
      keyId: matches(digits(16)),
      publicKey: digest,
      value: matches(digits(128)),
    }),
  ),
})
