import { canonicalJson } from './canonical-json.ts'
import { isCertificate } from './certificate-shape.ts'
import { isDerived } from './is-derived.ts'
import type { PublicCertificate, PublicVote, UnsignedCertificate } from './public-certificate.ts'

/**
 * What is checked, in this order: it is a certificate of a version that we know; its signature; that the key is the expected one; that the
 * votes say what it claims, and that they are a quorum; that the result follows from the block.
 */
export type CheckName = 'format' | 'signature' | 'key' | 'votes' | 'quorum' | 'proof'

/** `absent`: there is nothing to check. */
export interface Check {
  readonly name: CheckName
  readonly state: 'passed' | 'failed' | 'absent'
}

export interface Checked {
  /** Null where it is none. */
  readonly certificate: PublicCertificate | null
  readonly checks: readonly Check[]
  /** `unsigned`: without contradiction, but anybody can have written it. */
  readonly verdict: 'valid' | 'unsigned' | 'refused'
}

/**
 * Checks a certificate offline, without code of the engine: digests by Web Crypto, signatures by noble. `publicKey`: the gateway's key,
 * in hex. Without it, the signature is checked with the key in the certificate.
 */
export async function checkCertificate(
  certificate: unknown,
  publicKey: string | null = null,
): Promise<Checked> {
  if (!isCertificate(certificate))
    return { certificate: null, checks: [{ name: 'format', state: 'failed' }], verdict: 'refused' }
  const check = (name: CheckName, isPassed: boolean | null): Check => ({
    name,
    state: isPassed === null ? 'absent' : isPassed ? 'passed' : 'failed',
  })
  const checks = [
    check('format', true),
    check('signature', await isSigned(certificate)),
    check('key', isOfKey(certificate, publicKey)),
    check('votes', areVotesConsistent(certificate)),
    check('quorum', isQuorumMet(certificate)),
    check('proof', await isProven(certificate)),
  ]
  const isRefused = checks.some(({ state }) => state === 'failed')
  const verdict = isRefused ? 'refused' : certificate.signature === null ? 'unsigned' : 'valid'
  return { certificate, checks, verdict }
}

async function isSigned({ signature, ...unsigned }: PublicCertificate): Promise<boolean | null> {
  if (signature === null) return null
  const key = fromHex(signature.publicKey)
  if ((await sha256Hex(key)).slice(0, 16) !== signature.keyId) return false
  // Web Crypto has no Ed25519 in browsers older than 2025.
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const text = new TextEncoder().encode(canonicalJson(unsigned))
  return ed25519.verify(fromHex(signature.value), text, key, { zip215: false })
}

/** An unsigned certificate is refused where a key is expected. */
function isOfKey({ signature }: PublicCertificate, publicKey: string | null): boolean | null {
  return publicKey === null ? null : signature?.publicKey === publicKey.toLowerCase()
}

/** Rules that add up groups with the same meaning in different forms. Votes of other groups contradict the result. */
const joiningRules = ['joined', 'pending-quorum']

/** Whether the header hashes to the block, and the proof in it proves the result. */
async function isProven({ proof, block, resultSha256 }: PublicCertificate): Promise<boolean | null> {
  if (proof === null) return null
  // Few certificates have a proof, and pages load this code for those alone.
  const { provenText } = await import('./check-proof.ts')
  const text = block === null ? null : provenText(proof, block)
  return text !== null && isTextOf(resultSha256, text)
}

/** Whether the votes that count are those for the result, and no others are. */
export function areVotesConsistent(certificate: UnsignedCertificate): boolean {
  const { votes, outcome, reason, resultSha256, rule } = certificate
  if (new Set(votes.map(({ operator }) => operator)).size !== votes.length) return false
  if (outcome === 'failed') return reason !== null && resultSha256 === null
  if (reason !== null || resultSha256 === null) return false
  // Operators that confirm an estimate vote on another call, and may have no vote on the estimate.
  if (rule === 'confirmed') return true
  if (isDerived(certificate) || joiningRules.includes(rule))
    return votes.every(({ supports, vote }) => !supports || vote !== null)
  return votes.every(({ supports, vote }) => supports === (vote === resultSha256))
}

/** Whether the votes reach what the certificate says a quorum takes. A failure claims no quorum, and a thin result none of this size. */
function isQuorumMet(certificate: PublicCertificate): boolean | null {
  const { outcome, thin, votes } = certificate
  if (outcome === 'failed' || thin) return null
  return isQuorum(
    certificate,
    votes.filter(({ supports }) => supports),
  )
}

/** One node is enough to take a transaction, whatever it weighs. */
const acceptanceRules = ['acceptance', 'acceptance-disputed']

function isQuorum({ rule, quorum, votes }: PublicCertificate, operators: readonly PublicVote[]): boolean {
  if (acceptanceRules.includes(rule)) return operators.length > 0
  const voting = operators.filter(({ weight }) => weight > 0)
  const weight = voting.reduce((sum, vote) => sum + vote.weight, 0)
  const isWhole = votes.every((vote) => !vote.required || operators.includes(vote))
  return weight >= Math.max(1, quorum.weight) && voting.length >= quorum.operators && isWhole
}

/**
 * How many operators would have had to tell the same lie for it to be this result; null where not even all of them could.
 * What is thin was returned without its quorum: those who said it are enough.
 */
export function operatorsToForge(certificate: PublicCertificate): number | null {
  const { thin, votes } = certificate
  if (thin) return votes.filter(({ supports, weight }) => supports && weight > 0).length
  const heaviestFirst = votes
    .filter(({ required, weight }) => !required && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  const inOrder = [...votes.filter(({ required }) => required), ...heaviestFirst]
  const count = inOrder.findIndex((_, index) => isQuorum(certificate, inOrder.slice(0, index + 1)))
  return count < 0 ? null : count + 1
}

/** Whether a text is the one whose digest the certificate has. */
export async function isTextOf(sha256: string | null, text: string): Promise<boolean> {
  return sha256 !== null && (await sha256Hex(new TextEncoder().encode(text))) === sha256
}

async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
