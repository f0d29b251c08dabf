import { CallError, header, type KeyedCaller, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { isForeign, judgeOrigin } from '../config/origin.ts'
import type { Engine } from '../engine/engine.ts'
import { type HostRequest, type HostResponse, json, noContent, percentDecoded, refuse } from '../http.ts'
import { createAttempts } from '../operator/attempts.ts'
import { answerSession, type LoginOptions, refuseOthers } from '../operator/login.ts'
import type { OperatorSettings } from '../operator/operator.ts'
import { shareRevoked } from '../operator/operator-session.ts'
import { authPath, base, buildHeader, keysPath, namesPath, sessionPath } from '../public-names.ts'
import { closedHeaders, strictTransport } from '../response-headers.ts'
import type { Auth } from '../sign-in/auth.ts'
import { type Admitted, admit } from './admit.ts'
import { createViews, type RouteView, type ViewsOptions } from './gateway-views.ts'
import { createRefusedOrigins } from './refused-origins.ts'

export interface RoutesOptions extends ViewsOptions {
  /** Read whenever it is needed: the operator's token may change. */
  readonly env: ViewsOptions['env'] & OperatorSettings & Pick<Env, 'APP_ORIGIN' | 'RPC_ALLOWED_ORIGINS'>
  /** Sign-in; null without pages. */
  readonly auth: Auth | null
  /** Look-ups of names; null without pages, and where they are off. */
  readonly names: { readonly answer: (request: HostRequest) => Promise<HostResponse> } | null
}

export type Routes = ReturnType<typeof createRoutes>

/** All routes of the gateway and of sign-in, the same in both hosts. */
export function createRoutes(engine: Engine, options: RoutesOptions) {
  const { peers } = engine
  const { env } = options
  const { now } = systemClock()
  const attempts = createAttempts(options.log, { now, counts: options.counts, peers })
  const site = env.APP_ORIGIN ?? null
  const origins = { site, listed: env.RPC_ALLOWED_ORIGINS, extensions: true, attempts }
  const login: LoginOptions = {
    operator: env,
    site,
    attempts,
    onRevoked: peers === null ? () => {} : shareRevoked(peers),
  }
  const noteRefused = createRefusedOrigins(options.log, { now, counts: options.counts })
  const always = { ...common, ...(options.build !== null && { [buildHeader]: options.build }) }
  const alwaysOverTls = { ...always, ...strictTransport }
  const { views, closeStreams } = createViews(engine, options)
  return {
    /** Ends the event streams, which would otherwise delay draining. */
    closeStreams,
    /** Why this request may not become a WebSocket; where it may, the caller whose key it has, null without one. */
    admitSocket(request: HostRequest): KeyedCaller | HostResponse | null {
      const admitted = admitOrRefuse(request)
      if ('status' in admitted) return admitted
      if (engine.draining()) return rpcError(new CallError('draining'))
      const { chains } = engine.config()
      const isServed = chains.some(({ id }) => new RegExp(`^${base}/${id}/?$`).test(request.path))
      return isServed ? admitted.keyed : rpcError(new CallError('unknown-chain'))
    },
    /** Answers a request; never throws. */
    async answer(request: HostRequest): Promise<HostResponse> {
      const response = isChain(request.path) ? await call(request) : await readOrCall(request)
      const sent = request.secure ? alwaysOverTls : always
      return { ...response, headers: { ...sent, ...response.headers } }
    },
  }

  function admitOrRefuse(request: HostRequest): Admitted | HostResponse {
    try {
      return admit(request, engine, origins)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const from = judgeOrigin(request.header, origins)
      if (from === 'foreign') noteRefused('rpc', request.header('origin'))
      return from === 'listed' ? sharedWith(request, rpcError(error)) : rpcError(error)
    }
  }

  function readOrCall(request: HostRequest): Promise<HostResponse> {
    if (isSession(request.path)) return answerSession(request, login)
    if (isAuth(request.path))
      return options.auth?.answer(request) ?? Promise.resolve(refuse(404, 'not found'))
    if (isNames(request.path)) return answerNames(request)
    const [name = '', ...rest] =
      request.path === keysPath ? ['keys'] : request.path.slice(base.length + 1).split('/')
    const isEvidence = name === 'answers' && rest.length === 2 && rest[1] === 'evidence'
    const viewName = isEvidence ? 'answers/evidence' : name
    const view = Object.hasOwn(views, viewName) ? views[viewName] : undefined
    if (view === undefined) return call(request)
    const parts = rest.map((part) => percentDecoded(part) ?? part)
    return see(view, request, parts)
  }

  async function answerNames(request: HostRequest): Promise<HostResponse> {
    if (options.names === null) return refuse(404, 'not found')
    // The page of another site cannot read the answer, but it would spend the visitor's budget.
    if (judgeOrigin(request.header, origins) === 'foreign') return refuse(403, 'origin not allowed')
    return options.names.answer(request)
  }

  /** Pages of a listed site may read the public views: with GATEWAY_URL the app is such a site and shows the chains' health. */
  async function see(view: RouteView, request: HostRequest, rest: readonly string[]): Promise<HostResponse> {
    const response = await read(view, request, rest)
    const isShared = !view.operator && judgeOrigin(request.header, origins) === 'listed'
    return isShared ? sharedWith(request, response) : response
  }

  /** Answers a view, if this caller may see it and the method is right. */
  async function read(view: RouteView, request: HostRequest, rest: readonly string[]): Promise<HostResponse> {
    const errorResponse = view.operator ? refuseOthers(request, login) : null
    if (errorResponse !== null) return errorResponse
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (view.changes ? request.method !== 'POST' : !isRead)
      return refuse(405, 'method not allowed', { allow: view.changes ? 'POST' : 'GET, HEAD' })
    if (view.changes && isForeign(request.header, site)) {
      noteRefused('change', request.header('origin'))
      return refuse(403, 'origin not allowed')
    }
    const response = await view.answer(request, rest)
    if (request.method !== 'HEAD' || typeof response.body === 'string') return response
    // The stream would stay open unread.
    await response.body.cancel()
    return { ...response, body: '' }
  }

  /** JSON-RPC. Origin and key are checked here, everything else in the engine. */
  async function call(request: HostRequest): Promise<HostResponse> {
    const admitted = admitOrRefuse(request)
    if ('status' in admitted) return admitted
    const response = await answerCall(request, admitted.keyed)
    return admitted.from === 'listed' ? sharedWith(request, response) : response
  }

  async function answerCall(request: HostRequest, keyed: KeyedCaller | null): Promise<HostResponse> {
    if (request.method === 'OPTIONS')
      return noContent(engine.gateway.keyed.hasBeenUsed ? keyedPreflight : preflight)
    // JSON-RPC clients do not compress requests, and a compressed body would bypass the byte limit.
    if ((request.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
      return rpcError(new CallError('not-application-json', { message: 'content-encoding must be identity' }))
    if (!chainPath.test(request.path)) return rpcError(new CallError('unknown-chain'))
    // The Node host takes these before: this is the edge host.
    if (request.header('upgrade')?.toLowerCase() === 'websocket') return noSockets
    return engine.gateway.handle(request, keyed)
  }
}

/** Its own path, or the one to which Next rewrites it on the edge host. */
function isSession(path: string): boolean {
  return path === sessionPath || path === `${base}/session`
}

function isAuth(path: string): boolean {
  return path.startsWith(`${authPath}/`) || path.startsWith(`${base}/auth/`)
}

function isNames(path: string): boolean {
  return path === namesPath || path === `${base}/names`
}

/** Chains are numbers and views are words, so the first character is a fast check for the usual call. */
function isChain(path: string): boolean {
  const letter = path.charCodeAt(base.length + 1)
  return letter >= 48 && letter <= 57
}

/** Exactly a chain: the engine only reads the last segment of a path. */
const chainPath = new RegExp(`^${base}/\\d+/?$`)

const noSockets = refuse(426, 'this host has no WebSockets: run npm start, or poll', { upgrade: 'websocket' })
/** Answers are for one moment and one caller, so they must not be cached. */
const common = { ...closedHeaders, 'cache-control': 'no-store' }

const preflight = {
  allow: 'POST, OPTIONS',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': `content-type, ${header.explain}, ${header.protect}, traceparent`,
  'access-control-max-age': '600',
}

const keyedPreflight = {
  ...preflight,
  'access-control-allow-headers': `${preflight['access-control-allow-headers']}, authorization, ${header.key}`,
}

const exposed = [
  header.certificate,
  header.agreement,
  header.thin,
  header.block,
  header.cache,
  header.units,
  header.pending,
  'server-timing',
  'retry-after',
].join(', ')

/** The response, for the page that asks to read. */
function sharedWith({ header }: HostRequest, response: HostResponse): HostResponse {
  const origin = header('origin') ?? ''
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    vary: 'Origin',
  }
  return { ...response, headers: { ...response.headers, ...cors } }
}

function rpcError({ status, error, retryAfterMs }: CallError): HostResponse {
  const headers = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
  }
  return json(status, { jsonrpc: '2.0', id: null, error }, headers)
}
