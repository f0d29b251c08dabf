import { features } from '#site'
import { isForeign } from '../config/origin.ts'
import { contentTypeOf, type HostRequest, type HostResponse, noContent, refuse, textOf } from '../http.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import { type Attempts, retryAfterS } from './attempts.ts'
import { isOperator, isToken, type OperatorSettings, operatorFrom } from './operator.ts'
import {
  endedCookie,
  isInSession,
  newSessionCookie,
  type Revoked,
  revokeSessions,
} from './operator-session.ts'

const bodyLimits = { bytesMax: 4096, msMax: 5000 } as const

export interface LoginOptions {
  readonly operator: OperatorSettings
  /** APP_ORIGIN, if set. */
  readonly site: string | null
  readonly attempts: Attempts
  /** Told of the sessions that a log-out ended. */
  readonly onRevoked?: (revoked: Revoked) => void
}

/**
 * `POST /api/operator/session` exchanges the operator's token for a cookie; `DELETE` ends the session.
 *
 * `{ "token": … }` is answered with 204. A form with `token` is redirected to the operator's page; a form with `end` logs out.
 * 404 when no token is configured, 401 for a wrong one, 429 after too many wrong ones.
 */
export async function answerSession(
  request: HostRequest,
  { operator: { OPERATOR_TOKEN }, site, attempts, onRevoked = () => {} }: LoginOptions,
  nowMs = Date.now(),
): Promise<HostResponse> {
  if (OPERATOR_TOKEN === undefined) return refuse(404, 'not found')
  if (isForeign(request.header, site)) return refuse(403, 'origin not allowed')
  if (request.method === 'DELETE') return noContent(logOut(OPERATOR_TOKEN))
  if (request.method !== 'POST') return refuse(405, 'POST or DELETE', { allow: 'POST, DELETE' })

  const type = contentTypeOf(request)
  const isForm = type === 'application/x-www-form-urlencoded'
  if (!isForm && type !== 'application/json')
    return refuse(415, 'content-type must be application/json or a form')
  const text = await textOf(request, bodyLimits)
  if (typeof text !== 'string') return text
  const sent = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text)
  const { token, end } = isRecord(sent) ? sent : {}
  if (isForm && end !== undefined) return goTo(operatorPage, logOut(OPERATOR_TOKEN))
  if (typeof token !== 'string') return refuse(400, 'no token')
  if (!isToken(token, OPERATOR_TOKEN)) {
    const isTooMany = attempts.fail('login', request.caller)
    if (isForm) return goTo(`${operatorPage}?login=${isTooMany ? 'later' : 'wrong'}`)
    return isTooMany ? tooMany : refuse(401, 'wrong token')
  }
  attempts.note('operator-login', request.caller)
  const headers = { 'set-cookie': newSessionCookie(OPERATOR_TOKEN, request.secure, nowMs) }
  return isForm ? goTo(operatorPage, headers) : noContent(headers)

  function logOut(key: string): Readonly<Record<string, string>> {
    const cookies = request.header('cookie') ?? ''
    if (isInSession(cookies, key, nowMs)) attempts.note('operator-logout', request.caller)
    onRevoked(revokeSessions(cookies, key, nowMs))
    // Only the cache: storage and the other cookies belong to the wallet.
    return { 'set-cookie': endedCookie(request.secure), 'clear-site-data': '"cache"' }
  }
}

/** Why a request for an operator's route is refused, or null. */
export function refuseOthers(
  request: HostRequest,
  { operator, attempts }: LoginOptions,
): HostResponse | null {
  const verdict = operatorFrom(request.header, operator)
  if (isOperator(verdict)) return null
  if (verdict === 'hidden') return refuse(404, 'not found')
  if (verdict === 'wrong' && attempts.fail('bearer', request.caller)) return tooMany
  return refuse(401, 'operators only', { 'www-authenticate': 'Bearer' })
}

const tooMany = refuse(429, 'too many attempts', { 'retry-after': String(retryAfterS) })

/** Login redirects here; a form cannot choose another page. */
const operatorPage = features.status ? '/status' : '/console'

function goTo(path: string, headers: Readonly<Record<string, string>> = {}): HostResponse {
  return { status: 303, headers: { location: path, ...headers }, body: '' }
}
