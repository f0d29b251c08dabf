import { env, environment, isNodeHost } from '../config/env.ts'
import { writePageLine } from '../observe/log-plain.ts'
import { createThrottle } from '../observe/throttle.ts'

/** `gateway`: GATEWAY_URL, else this app. `own`: this app, whose sessions are its own. */
type Target = 'gateway' | 'own'

/**
 * Asks a gateway in another process or isolate. The one place that knows where it answers. Throws when there is no response, and
 * logs why, unless `signal` has ended it.
 *
 * This app is asked on loopback first, because a container often cannot reach itself by its public name. On a platform of
 * functions nothing listens there: then by APP_ORIGIN, and by the name that the platform gave the deployment.
 */
export async function fetchGateway(
  path: string,
  init: RequestInit,
  target: Target = 'gateway',
): Promise<Response> {
  const addresses = addressesOf(target)
  let last: unknown
  for (const address of startingWith(known.get(target), addresses)) {
    try {
      const response = await fetch(`${address}${path}`, { ...init, cache: 'no-store', redirect: 'manual' })
      known.set(target, address)
      return response
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

/** The address that answered last. */
const known = new Map<Target, string>()

function startingWith(first: string | undefined, addresses: readonly string[]): readonly string[] {
  if (first === undefined || !addresses.includes(first)) return addresses
  return [first, ...addresses.filter((address) => address !== first)]
}

function addressesOf(target: Target): readonly string[] {
  const { GATEWAY_URL, APP_ORIGIN, PORT, HOST } = env()
  if (target === 'gateway' && GATEWAY_URL !== undefined) return [GATEWAY_URL]
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const loopback = `http://${host}:${PORT}`
  if (isNodeHost()) return [loopback]
  const deployment = environment().VERCEL_URL
  return [
    loopback,
    ...(APP_ORIGIN === undefined ? [] : [APP_ORIGIN]),
    ...(deployment ? [`https://${deployment}`] : []),
  ]
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

const throttle = createThrottle(60_000)

function tell(addresses: readonly string[], code: string): void {
  if (throttle.pass('', performance.now()) === null) return
  writePageLine({
    level: 'error',
    event: 'gateway-unreachable',
    message: 'pages cannot reach a gateway at these addresses; GATEWAY_URL or APP_ORIGIN names it',
    fields: { addresses: addresses.map((address) => new URL(address).origin).join(' '), code },
  })
}
