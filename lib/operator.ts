import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Env, env } from './env.ts'
import { prefix } from './names.ts'

/** `open`: nobody is asked (demo and dev). `yes`: token or cookie are right. `no`: they are wrong or missing. `hidden`: there is no operator here. */
export type OperatorVerdict = 'open' | 'yes' | 'no' | 'hidden'

const sessionMs = 8 * 3_600_000

/** Whether whoever sent these headers is the operator: by `Authorization: Bearer`, or by the cookie of a login. */
export function operatorFrom(
  header: (name: string) => string | null,
  { OPERATOR_OPEN, OPERATOR_TOKEN }: Pick<Env, 'OPERATOR_OPEN' | 'OPERATOR_TOKEN'> = env(),
  nowMs = Date.now(),
): OperatorVerdict {
  if (OPERATOR_OPEN) return 'open'
  if (OPERATOR_TOKEN === undefined) return 'hidden'
  const bearer = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
  if (bearer !== undefined) return isToken(bearer, OPERATOR_TOKEN) ? 'yes' : 'no'
  const cookies = cookiesNamed(header('cookie') ?? '', [cookieName(true), cookieName(false)])
  return cookies.some((cookie) => isSession(cookie, OPERATOR_TOKEN, nowMs)) ? 'yes' : 'no'
}

/** Compares in a time that does not tell where two texts differ. */
export function isToken(given: string, token: string): boolean {
  return sameBytes(sha256(utf8ToBytes(given)), sha256(utf8ToBytes(token)))
}

/** `Set-Cookie` of a login. Every process and isolate that knows the token can verify it; none must remember it. */
export function sessionCookie(token: string, secure: boolean, nowMs = Date.now()): string {
  const until = String(nowMs + sessionMs)
  return cookie(`${until}.${seal(until, token)}`, sessionMs / 1000, secure)
}

/** `Set-Cookie` that takes the login back. */
export function endedCookie(secure: boolean): string {
  return cookie('', 0, secure)
}

function isSession(value: string, token: string, nowMs: number): boolean {
  const [until = '', given = ''] = value.split('.')
  if (!/^\d{1,15}$/.test(until) || Number(until) <= nowMs) return false
  return sameBytes(utf8ToBytes(given), utf8ToBytes(seal(until, token)))
}

/** Bound to the token, so that a new token ends every session. */
function seal(until: string, token: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(`${prefix} operator session\n${token}`), utf8ToBytes(until)))
}

function cookie(value: string, maxAgeS: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return `${cookieName(secure)}=${value}; ${attributes}`
}

/** Browsers take a `__Host-` name from https alone, and from no other host. */
function cookieName(secure: boolean): string {
  return `${secure ? '__Host-' : ''}${prefix}-operator`
}

function cookiesNamed(header: string, names: readonly string[]): string[] {
  return header
    .split(';')
    .map((part) => part.trim().split('='))
    .flatMap(([name = '', value = '']) => (names.includes(name) ? [value] : []))
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0)
  return difference === 0
}
