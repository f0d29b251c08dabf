import { callerKey } from '#rpc-proxy'
import { type Env, env } from './env.ts'
import { type HostRequest, type HostResponse, refuse } from './exchange.ts'
import { endedCookie, isToken, sessionCookie } from './operator.ts'
import { judgeOrigin } from './origin.ts'

const bodyBytesMax = 4096
const windowMs = 60_000
/**
 * Failures in a window: of one caller, where callers can be told apart, and of all of them. Past the latter only the right
 * token is answered otherwise than 429, and only a caller's who has not spent its own: strangers cannot lock the operator out.
 */
const callerFailuresMax = 5
const failuresMax = 50
/** Callers whose failures are kept in a window; with so many of them the rest must wait for the next one. */
const callersMax = 10_000

/**
 * `POST /api/operator/session` turns the operator's token into a cookie; `DELETE` takes it back.
 *
 * Takes `{ "token": … }` and answers 204, or a plain form's `token` and sends the browser to the page named by its `to`
 * field. 404 where no token is set, 401 for a wrong one, 429 after too many of those.
 */
export async function answerLogin(
  request: HostRequest,
  { OPERATOR_TOKEN, APP_ORIGIN }: Pick<Env, 'OPERATOR_TOKEN' | 'APP_ORIGIN'> = env(),
  nowMs = Date.now(),
): Promise<HostResponse> {
  if (OPERATOR_TOKEN === undefined) return refuse(404, 'not found')
  const from = judgeOrigin(
    {
      origin: request.header('origin'),
      fetchSite: request.header('sec-fetch-site'),
      host: request.header('host'),
    },
    { site: APP_ORIGIN ?? null, listed: [], extensions: false },
  )
  if (from === 'foreign') return refuse(403, 'origin not allowed')
  if (request.method === 'DELETE')
    return { status: 204, headers: { 'set-cookie': endedCookie(request.secure) }, body: '' }
  if (request.method !== 'POST') return refuse(405, 'POST or DELETE', { allow: 'POST, DELETE' })

  const read = readerOf(request.header('content-type'))
  if (read === null) return refuse(415, 'content-type must be application/json or a form')
  const caller = request.caller === null ? null : callerKey(request.caller)
  if (isSpent(caller, nowMs)) return tooMany
  const body = await request.body(bodyBytesMax, 5000)
  if ('fault' in body) return refuse(body.fault === 'too-large' ? 413 : 400, 'unreadable body')
  // Asked again, now that nothing waits between this and the count below: attempts sent side by side do not slip through.
  if (isSpent(caller, nowMs)) return tooMany
  const { token, to, form } = read(body.text)
  if (token === null) return refuse(400, 'no token')
  if (!isToken(token, OPERATOR_TOKEN)) {
    if (noteFailure(caller, nowMs) > failuresMax) return tooMany
    return form ? goTo(`${to}?login=wrong`) : refuse(401, 'wrong token')
  }
  const headers = { 'set-cookie': sessionCookie(OPERATOR_TOKEN, request.secure, nowMs) }
  return form ? goTo(to, headers) : { status: 204, headers, body: '' }
}

const tooMany = refuse(429, 'too many attempts', { 'retry-after': String(windowMs / 1000) })

interface Login {
  readonly token: string | null
  readonly to: string
  readonly form: boolean
}

/** Pages that a login may lead to; anything else a form asks for is not followed. */
const pages = ['/status', '/console']

function readerOf(contentType: string | null): ((text: string) => Login) | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json')
    return (text) => ({ token: tokenIn(text), to: pages[0] ?? '/', form: false })
  if (type !== 'application/x-www-form-urlencoded') return null
  return (text) => {
    const fields = new URLSearchParams(text)
    return {
      token: fields.get('token'),
      to: pages.find((page) => page === fields.get('to')) ?? pages[0] ?? '/',
      form: true,
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

interface Failures {
  startMs: number
  all: number
  readonly byCaller: Map<string, number>
}

// Next bundles this module more than once, and each copy would allow the attempts anew.
const slot = Symbol.for('quorate.login-failures')
const slots = globalThis as unknown as Record<symbol, Failures | undefined>

function failuresNow(nowMs: number): Failures {
  const known = slots[slot]
  if (known !== undefined && nowMs - known.startMs < windowMs) return known
  const fresh: Failures = { startMs: nowMs, all: 0, byCaller: new Map() }
  slots[slot] = fresh
  return fresh
}

function isSpent(caller: string | null, nowMs: number): boolean {
  const { all, byCaller } = failuresNow(nowMs)
  if (caller === null) return all >= failuresMax
  const own = byCaller.get(caller)
  return own === undefined ? byCaller.size >= callersMax : own >= callerFailuresMax
}

/** Answers how many there have been of all callers. */
function noteFailure(caller: string | null, nowMs: number): number {
  const failures = failuresNow(nowMs)
  failures.all += 1
  if (caller !== null) failures.byCaller.set(caller, (failures.byCaller.get(caller) ?? 0) + 1)
  return failures.all
}
