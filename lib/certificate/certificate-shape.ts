import { isRecord } from '../parse-json.ts'
import type { PublicCertificate } from './public-certificate.ts'

type Test = (value: unknown) => boolean

const digits = (length: number) => new RegExp(`^[0-9a-f]{${length}}$`)
const matches =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const is =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value)
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value)
const text: Test = (value) => typeof value === 'string' && value !== ''
const flag: Test = (value) => typeof value === 'boolean'
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const digest = matches(digits(64))
const bytes = matches(/^0x(?:[0-9a-f]{2})*$/)
const hash = matches(/^0x[0-9a-f]{64}$/)
const time: Test = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value

/** An object of exactly these members. */
const object =
  (members: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, test]) => Object.hasOwn(value, name) && test(value[name]))
const list =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test)

const certificate = object({
  format: is('quorate-certificate'),
  version: is(1),
  id: text,
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
  quorum: object({ weight: count, operators: count }),
  resultSha256: orNull(digest),
  votes: list(
    object({ operator: text, weight: count, required: flag, supports: flag, vote: orNull(digest) }),
  ),
  proof: orNull(
    object({
      header: list(bytes),
      accounts: list(hash),
      nodes: list(bytes),
      slots: list(object({ account: hash, slot: hash, nodes: list(bytes) })),
      code: orNull(bytes),
    }),
  ),
  proofAbsent: orNull(text),
  signature: orNull(
    object({
      algorithm: is('ed25519'),
      keyId: matches(digits(16)),
      publicKey: digest,
      value: matches(digits(128)),
    }),
  ),
})

/** The value as a certificate; null where it is none, or has a member that version 1 does not. */
export function readCertificate(value: unknown): PublicCertificate | null {
  return certificate(value) ? (value as PublicCertificate) : null
}
