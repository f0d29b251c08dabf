import { equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { type Env, env } from '../config/env.ts'
import { isInSession } from './operator-session.ts'

/**
 * `open`: no token is needed (demo and dev). `yes`: a valid token or cookie. `wrong`: an invalid token. `no`: neither.
 * `hidden`: no token is configured.
 */
export type OperatorVerdict = 'open' | 'yes' | 'wrong' | 'no' | 'hidden'

export type OperatorSettings = Pick<Env, 'OPERATOR_OPEN' | 'OPERATOR_TOKEN'>

/** Whether these headers are the operator's: `Authorization: Bearer`, or the cookie of a login. */
export function operatorFrom(
  header: (name: string) => string | null,
  settings: OperatorSettings,
): OperatorVerdict {
  const bearer = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
  if (bearer === undefined || settings.OPERATOR_OPEN || settings.OPERATOR_TOKEN === undefined)
    return operatorBySession(header('cookie') ?? '', settings)
  return isToken(bearer, settings.OPERATOR_TOKEN) ? 'yes' : 'wrong'
}

/** The same by cookie only. Pages accept no token, so that all attempts pass through the routes that count them. */
export function operatorBySession(
  cookies: string,
  { OPERATOR_OPEN, OPERATOR_TOKEN }: OperatorSettings = env(),
  nowMs = Date.now(),
): OperatorVerdict {
  if (OPERATOR_OPEN) return 'open'
  if (OPERATOR_TOKEN === undefined) return 'hidden'
  return isInSession(cookies, OPERATOR_TOKEN, nowMs) ? 'yes' : 'no'
}

/** Whether this verdict opens the operator's pages and routes. */
export function isOperator(verdict: OperatorVerdict): boolean {
  return verdict === 'open' || verdict === 'yes'
}

/** Compares in constant time. */
export function isToken(given: string, token: string): boolean {
  return equalBytes(sha256(utf8ToBytes(given)), sha256(utf8ToBytes(token)))
}
