import { type Attempts, retryAfterS } from './attempts.ts'
import { type HostRequest, type HostResponse, refuse } from './http.ts'
import { isToken, type OperatorSettings, operatorFrom } from './operator.ts'
import { endedCookie, isInSession, newSessionCookie, revokeSessions } from './operator-session.ts'
import { judgeOrigin } from './origin.ts'

const bodyBytesMax = 4096
const bodyMsMax = 5000

export interface LoginOptions {
  readonly operator: OperatorSettings
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  readonly attempts: Attempts
}

/**
 * `POST /api/operator/session` turns the operator's token into a cookie; `DELETE` takes it back.
 *
 * Takes `{ "token": … }` and answers 204, or a plain form's `token` and sends the browser to the operator's page; a form
 * with `end` logs out. 404 where no token is set, 401 for a wrong one, 429 after too many of those.
 */
export async function answerSession(
  request: HostRequest,
  { operator: { OPERATOR_TOKEN }, site, attempts }: LoginOptions,
  nowMs = Date.now(),
): Promise<HostResponse> {
  if (OPERATOR_TOKEN === undefined) return refuse(404, 'not found')
  if (isForeign(request, site)) return refuse(403, 'origin not allowed')
  if (request.method === 'DELETE') return { status: 204, headers: logOut(OPERATOR_TOKEN), body: '' }
  if (request.method !== 'POST') return refuse(405, 'POST or DELETE', { allow: 'POST, DELETE' })

  const read = readerOf(request.header('content-type'))
  if (read === null) return refuse(415, 'content-type must be application/json or a form')
  const body = await request.body(bodyBytesMax, bodyMsMax)
  if ('fault' in body) return refuse(body.fault === 'too-large' ? 413 : 400, 'unreadable body')
  const { token, form, ends } = read(body.text)
  if (ends) return goTo(operatorPage, logOut(OPERATOR_TOKEN))
  if (token === null) return refuse(400, 'no token')
  if (!isToken(token, OPERATOR_TOKEN)) {
    const isTooMany = attempts.fail('login', request.caller)
    if (form) return goTo(`${operatorPage}?login=${isTooMany ? 'later' : 'wrong'}`)
    return isTooMany ? tooMany : refuse(401, 'wrong token')
  }
  attempts.note('operator-login', request.caller)
  const headers = { 'set-cookie': newSessionCookie(OPERATOR_TOKEN, request.secure, nowMs) }
  return form ? goTo(operatorPage, headers) : { status: 204, headers, body: '' }

  function logOut(key: string): Readonly<Record<string, string>> {
    const cookies = request.header('cookie') ?? ''
    if (isInSession(cookies, key, nowMs)) attempts.note('operator-logout', request.caller)
    revokeSessions(cookies, key, nowMs)
    // Of what was seen nothing else is kept: storage and other cookies are the wallet's.
    return { 'set-cookie': endedCookie(request.secure), 'clear-site-data': '"cache"' }
  }
}

/** Why a request for an operator's route is refused, or null. */
export function refuseOthers(
  request: HostRequest,
  { operator, attempts }: LoginOptions,
): HostResponse | null {
  const verdict = operatorFrom(request.header, operator)
  if (verdict === 'open' || verdict === 'yes') return null
  if (verdict === 'hidden') return refuse(404, 'not found')
  if (verdict === 'wrong' && attempts.fail('bearer', request.caller)) return tooMany
  return refuse(401, 'operators only', { 'www-authenticate': 'Bearer' })
}

const tooMany = refuse(429, 'too many attempts', { 'retry-after': String(retryAfterS) })

function isForeign({ header }: HostRequest, site: string | null): boolean {
  const from = { origin: header('origin'), fetchSite: header('sec-fetch-site'), host: header('host') }
  return judgeOrigin(from, { site, listed: [], extensions: false }) === 'foreign'
}

interface Login {
  readonly token: string | null
  readonly form: boolean
  /** Asks for the end of the session. */
  readonly ends: boolean
}

/** The page that a login leads to; no form may name another. */
const operatorPage = '/status'

function readerOf(contentType: string | null): ((text: string) => Login) | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return (text) => ({ token: tokenIn(text), form: false, ends: false })
  if (type !== 'application/x-www-form-urlencoded') return null
  return (text) => {
    const fields = new URLSearchParams(text)
    return {
      token: fields.get('token'),
      form: true,
      ends: fields.has('end'),
    }
  }
}

function tokenIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : null
    return typeof token === 'string' ? token : null
  } catch {
    return null
  }
}

function goTo(path: string, headers: Readonly<Record<string, string>> = {}): HostResponse {
  return { status: 303, headers: { location: path, ...headers }, body: '' }
}
