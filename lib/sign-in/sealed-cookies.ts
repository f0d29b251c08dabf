import { sealData, unsealData } from 'iron-session'
import { z } from 'zod'
import { cookieValues, hostCookieName, httpOnlyCookie } from '../http.ts'
import { prefix } from '../public-names.ts'
import { sessionMsMax } from './session-store.ts'

/** A nonce is valid for this long. */
export const nonceMsMax = 10 * 60_000
/** A browser has this many nonces at once, one for each of its tabs. The oldest goes first. */
export const noncesMax = 4

const givenNonce = z.strictObject({ nonce: z.string(), untilMs: z.number() })
export type GivenNonce = z.infer<typeof givenNonce>

const contents = {
  /** The nonces given to this browser: no other browser can use them. */
  nonce: z.strictObject({ nonces: z.array(givenNonce).max(noncesMax) }),
  /** Only the id, so that the server can end the session. */
  session: z.strictObject({ id: z.string() }),
} as const
/** A nonce's cookie outlives it, so that an expired nonce differs from a cookie that the browser has blocked. */
const lifetimeMs = { nonce: 6 * nonceMsMax, session: sessionMsMax } as const

type Kind = keyof typeof contents

/** Encrypts and authenticates a cookie's content. Returns `Set-Cookie`. */
export async function sealedCookie<K extends Kind>(
  kind: K,
  content: z.infer<(typeof contents)[K]>,
  { secret, secure }: { readonly secret: string; readonly secure: boolean },
): Promise<string> {
  const maxAgeS = lifetimeMs[kind] / 1000
  const value = await sealData({ kind, ...content }, { password: secret, ttl: maxAgeS })
  return httpOnlyCookie(`${prefix}-${kind}`, value, { maxAgeS, secure, sameSite: 'Lax' })
}

/** `Set-Cookie` that deletes it. */
export function endedCookie(kind: Kind, secure: boolean): string {
  return httpOnlyCookie(`${prefix}-${kind}`, '', { maxAgeS: 0, secure, sameSite: 'Lax' })
}

/** A cookie's content; null when it is absent, invalid, expired, or sent more than once. */
export async function unsealedCookie<K extends Kind>(
  kind: K,
  header: string,
  { secret, secure }: { readonly secret: string; readonly secure: boolean },
): Promise<z.infer<(typeof contents)[K]> | null> {
  // Over https only the `__Host-` name counts: sibling subdomains can set the others.
  const [value, ...others] = cookieValues(header, hostCookieName(`${prefix}-${kind}`, secure))
  if (value === undefined || value.length > sealCharsMax || others.length > 0) return null
  const { kind: sealed, ...content } = await unsealData<Record<string, unknown>>(value, {
    password: secret,
    ttl: lifetimeMs[kind] / 1000,
  })
  const parsed = contents[kind].safeParse(content)
  return sealed === kind && parsed.success ? (parsed.data as z.infer<(typeof contents)[K]>) : null
}

/** Whether a cookie of this kind came at all. */
export function hasCookie(kind: Kind, header: string, secure: boolean): boolean {
  return cookieValues(header, hostCookieName(`${prefix}-${kind}`, secure)).length > 0
}

/** Whether a cookie of this kind was sealed within the last minute, by its own unverified word: good enough for an explanation. */
export function isJustSealed(kind: Kind, header: string, secure: boolean, nowMs: number): boolean {
  const [value = ''] = cookieValues(header, hostCookieName(`${prefix}-${kind}`, secure))
  const expiresMs = Number(value.split('*')[sealExpiryIndex])
  const ageMs = nowMs + lifetimeMs[kind] - expiresMs
  return ageMs >= -justMs && ageMs <= justMs
}

const justMs = 60_000
/** A seal (Fe26.2) has its expiration in clear text as its sixth part. */
const sealExpiryIndex = 5
const sealCharsMax = 1024
