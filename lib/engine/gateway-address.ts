import { env, environment, isNodeHost } from '../config/env.ts'
import type { HostRequest, HostResponse } from '../http.ts'
import { writePageLine } from '../observe/log-plain.ts'
import { createThrottledLog } from '../observe/throttle.ts'
import { processWide } from '../process-wide.ts'

/** `gateway`: GATEWAY_URL, else this app. `own`: this app, whose sessions are its own. */
type Target = 'gateway' | 'own'

/** Answers a page of this process. The host knows who its visitor is. */
type AnswerPage = (request: Omit<HostRequest, 'caller'>) => Promise<HostResponse>

/** The routes of this process. Pages that are served beside them need no network. */
export const routesHere = processWide<AnswerPage | null>('routes', null)

/**
 * Asks the routes of a gateway or of this app, as a page. Throws when there is no response, and logs why, unless `signal` has ended it. This
 * app is asked on loopback first: a container often cannot reach itself by its public name. On function platforms nothing listens there.
 */
export async function fetchGateway(
  path: string,
  init: RequestInit,
  target: Target = 'gateway',
): Promise<Response> {
  const isHere = target === 'own' || env().GATEWAY_URL === undefined
  if (isHere && routesHere.value !== null) return answerHere(routesHere.value, path, init)
  const addresses = addressesOf(target)
  let last: unknown
  for (const address of addresses) {
    try {
      return await fetch(`${address}${path}`, { ...init, cache: 'no-store', redirect: 'manual' })
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      last = cause
      // What may have arrived is not sent again.
      if (!unconnected.has(codeOf(cause))) break
    }
  }
  tell(addresses, codeOf(last))
  throw new Error('the gateway cannot be reached', { cause: last })
}

async function answerHere(answer: AnswerPage, path: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(path, 'http://here.invalid')
  const headers = new Headers(init.headers)
  const origin = env().APP_ORIGIN ?? null
  const { signal } = init
  const ended = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  const answered = answer({
    method: 'GET',
    path: pathname,
    query: search.slice(1),
    header: (name) => headers.get(name),
    body: async () => ({ text: '' }),
    origin,
    secure: (origin ?? `${headers.get('x-forwarded-proto')}:`).startsWith('https:'),
    signal: signal ?? new AbortController().signal,
  })
  try {
    const { status, body, headers } = await Promise.race([ended, answered])
    return new Response(body || null, { status, headers })
  } catch (cause) {
    if (!signal?.aborted)
      writePageLine({
        level: 'error',
        event: 'page-error',
        message: 'a route failed that a page asked',
        fields: { side: 'server', path: pathname, error: String(cause) },
      })
    throw cause
  }
}

function addressesOf(target: Target): readonly string[] {
  const { GATEWAY_URL, APP_ORIGIN, PORT, HOST } = env()
  if (target === 'gateway' && GATEWAY_URL !== undefined) return [GATEWAY_URL]
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const loopback = `http://${host}:${PORT}`
  if (isNodeHost()) return [loopback]
  const deployment = environment().VERCEL_URL
  const others = [APP_ORIGIN, deployment ? `https://${deployment}` : undefined]
  return [loopback, ...others.filter((address) => address !== undefined)]
}

/** Codes of errors before anything was sent. */
const unconnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

/** The code that stands in the cause of Node's `fetch failed`. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
}

const write = createThrottledLog({ write: writePageLine }, { everyMs: 60_000, now: () => performance.now() })

function tell(addresses: readonly string[], code: string): void {
  write('', {
    level: 'error',
    event: 'gateway-unreachable',
    message: 'pages cannot reach a gateway at these addresses; GATEWAY_URL or APP_ORIGIN names it',
    fields: { addresses: addresses.map((address) => new URL(address).origin).join(' '), code },
  })
}
