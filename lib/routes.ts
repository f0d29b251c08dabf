import { CallError, header } from '#rpc-proxy'
import { createAttempts } from './attempts.ts'
import type { Auth } from './auth/auth.ts'
import type { Engine } from './engine.ts'
import { closedHeaders, strictTransport } from './headers.ts'
import { type HostRequest, type HostResponse, json, noContent, refuse } from './http.ts'
import { answerSession, type LoginOptions, refuseOthers } from './login.ts'
import { authPath, base, sessionPath } from './names.ts'
import type { HostCounts } from './observe/host-counts.ts'
import type { Log } from './observe/line.ts'
import type { OperatorSettings } from './operator.ts'
import { isForeign, judgeOrigin, type OriginVerdict } from './origin.ts'
import { createRefusedOrigins, type RefusedOrigins } from './refused-origins.ts'
import { createViews, type View } from './views.ts'

export interface RoutesOptions {
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  /** RPC_ALLOWED_ORIGINS. */
  readonly listed: readonly string[]
  /** How long one stream of events may last; null for as long as its reader stays. */
  readonly streamMsMax: number | null
  readonly operator: OperatorSettings
  /** Where the operator's coming and going is written. */
  readonly log: Log
  /** Where demo nodes are given a fault; null everywhere else. */
  readonly controlUrl: string | null
  /** Who signs visitors in; null where there are no pages for them. */
  readonly auth: Auth | null
  /** What the host counts of its own, for the metrics page. */
  readonly counts: HostCounts
}

/** All that answers below `/api/rpc`, the same in both hosts. */
export interface Routes {
  /** Answers a request; never throws. */
  readonly answer: (request: HostRequest) => Promise<HostResponse>
  /** Ends the streams of events, so that a host that drains is not held by them. */
  readonly closeStreams: () => void
}

export function createRoutes(engine: Engine, options: RoutesOptions): Routes {
  const attempts = createAttempts(options.log, Date.now)
  const login: LoginOptions = { operator: options.operator, site: options.site, attempts }
  const refusedOrigins = createRefusedOrigins(options.log, Date.now)
  const { views, closeStreams } = createViews(engine, { ...options, attempts, refusedOrigins })
  return {
    closeStreams,
    async answer(request) {
      const response = isChain(request.path) ? await call(request) : await lookOrCall(request)
      const sent = request.secure ? alwaysOverTls : always
      return { ...response, headers: { ...sent, ...response.headers } }
    },
  }

  function lookOrCall(request: HostRequest): Promise<HostResponse> {
    if (isSession(request.path)) return answerSession(request, login)
    if (isAuth(request.path))
      return options.auth?.answer(request) ?? Promise.resolve(refuse(404, 'not found'))
    const [name = '', ...rest] = request.path.slice(base.length + 1).split('/')
    const view = Object.hasOwn(views, name) ? views[name] : undefined
    return view === undefined ? call(request) : see(view, request, rest.map(decode))
  }

  /** A listed site's pages read what everybody may: with GATEWAY_URL the app is such a site, and shows how well chains are. */
  async function see(view: View, request: HostRequest, rest: readonly string[]): Promise<HostResponse> {
    const response = await look(view, request, rest, { ...options, login, refusedOrigins })
    if (view.operator || judge(request, options) !== 'listed') return response
    return { ...response, headers: { ...response.headers, ...shared(request.header('origin') ?? '') } }
  }

  /** JSON-RPC: the origin is judged here, everything else by the engine. */
  async function call(request: HostRequest): Promise<HostResponse> {
    const from = judge(request, options)
    if (from === 'foreign') {
      refusedOrigins.note('rpc', request.header('origin'))
      return rpcRefusal(foreign(options.site))
    }
    const cors = from === 'listed' ? shared(request.header('origin') ?? '') : none
    if (request.method === 'OPTIONS') return noContent({ ...preflight, ...cors })
    // JSON-RPC clients do not compress requests, and a compressed body would bypass the byte limit.
    if ((request.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
      return rpcRefusal(
        new CallError('not-application-json', { message: 'content-encoding must be identity' }),
      )
    if (!chainPath.test(request.path)) return rpcRefusal(new CallError('unknown-chain'))
    const response = await engine.gateway.handle(request)
    return cors === none ? response : { ...response, headers: { ...response.headers, ...cors } }
  }
}

/** By its own name, or by the one to which Next rewrites it on the edge host. */
function isSession(path: string): boolean {
  return path === sessionPath || path === `${base}/session`
}

function isAuth(path: string): boolean {
  return path.startsWith(`${authPath}/`) || path.startsWith(`${base}/auth/`)
}

/** Chains are numbers and views are words: one look at the first letter spares the usual call the rest of the way. */
function isChain(path: string): boolean {
  const letter = path.charCodeAt(base.length + 1)
  return letter >= 48 && letter <= 57
}

/** A chain and nothing else: the engine reads the last part of a path, whatever stands before it. */
const chainPath = new RegExp(`^${base}/\\d+/?$`)

function foreign(site: string | null): CallError {
  return site === null
    ? new CallError('foreign-origin', { message: 'origin not allowed; APP_ORIGIN is not set' })
    : new CallError('foreign-origin')
}

const none: Readonly<Record<string, string>> = {}
/** Answers are about one moment and one caller: nothing on the way may keep them or guess what they are. */
const always = { ...closedHeaders, 'cache-control': 'no-store' }
const alwaysOverTls = { ...always, ...strictTransport }

const preflight = {
  allow: 'POST, OPTIONS',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': `content-type, ${header.explain}, ${header.majority}, traceparent`,
  'access-control-max-age': '600',
}

const exposed = [
  header.answer,
  header.agreement,
  header.block,
  header.cache,
  header.pending,
  'server-timing',
  'retry-after',
].join(', ')

function shared(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }
}

function judge(
  request: HostRequest,
  { site, listed }: Pick<RoutesOptions, 'site' | 'listed'>,
): OriginVerdict {
  const origin = request.header('origin')
  const fetchSite = request.header('sec-fetch-site')
  if (origin === null && fetchSite === null) return 'none'
  return judgeOrigin({ origin, fetchSite, host: request.header('host') }, { site, listed, extensions: true })
}

function rpcRefusal({ status, error }: CallError): HostResponse {
  return json(status, { jsonrpc: '2.0', id: null, error })
}

/** One of our own pages of JSON or text: is it there, may this caller see it, is it asked for properly? */
async function look(
  view: View,
  request: HostRequest,
  rest: readonly string[],
  options: RoutesOptions & { readonly login: LoginOptions; readonly refusedOrigins: RefusedOrigins },
): Promise<HostResponse> {
  const refusal = view.operator ? refuseOthers(request, options.login) : null
  if (refusal !== null) return refusal
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (view.changes ? request.method !== 'POST' : !isRead)
    return refuse(405, 'method not allowed', { allow: view.changes ? 'POST' : 'GET, HEAD' })
  if (view.changes && isForeign(request.header, options.site)) {
    options.refusedOrigins.note('change', request.header('origin'))
    return refuse(403, 'origin not allowed')
  }
  const response = await view.answer(request, rest)
  if (request.method !== 'HEAD') return response
  // An unread stream must not stay open.
  if (typeof response.body !== 'string') await response.body.cancel()
  return { ...response, body: '' }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
