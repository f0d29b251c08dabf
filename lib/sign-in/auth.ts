import { isForeign } from '../config/origin.ts'
import { type HostRequest, type HostResponse, json, noContent, refuse } from '../http.ts'
import { refuseSignIn } from './reasons.ts'
import { accountOf, StoreUnavailable } from './session-store.ts'
import { type AuthOptions, createSessions, sessionView } from './sessions.ts'
import { createSignInLog } from './sign-in-log.ts'
import { createVerifier } from './verifier.ts'

export type Auth = ReturnType<typeof createAuth>

const methodsByPath = new Map<string, readonly string[]>([
  ['nonce', ['POST']],
  ['verify', ['POST']],
  ['session', ['GET', 'DELETE']],
  ['sessions', ['GET']],
  ['sessions/:id', ['DELETE']],
])

/** The format that `accountOf` returns. */
const accountShape = /^0x[0-9a-f]{40}(:\d+)?$/i

/** Sign-In with Ethereum: nonce, verification, sessions. The same in both hosts. */
export function createAuth(options: AuthOptions) {
  const log = createSignInLog(options.log)
  const sessions = createSessions(options, log)
  const verifier = createVerifier(options, sessions, log)

  async function route(request: HostRequest): Promise<HostResponse> {
    const { method, secure } = request
    const [name = '', id, ...rest] = partsOf(request.path)
    const isRoute = rest.length === 0 && id !== ''
    const allowed = isRoute ? methodsByPath.get(id === undefined ? name : `${name}/:id`) : undefined
    if (allowed === undefined) return refuse(404, 'not found')
    if (!allowed.includes(method)) return refuse(405, 'method not allowed', { allow: allowed.join(', ') })
    if (method !== 'GET' && isForeign(request.header, options.site))
      return refuseSignIn(403, 'foreign-origin', 'origin not allowed')
    if (name === 'nonce') return verifier.giveNonce(request)
    if (name === 'verify') return verifier.verify(request)

    const own = await sessions.find(request.header('cookie') ?? '', secure)
    if (name === 'session' && method === 'GET') return json(200, sessionView(own))
    if (name === 'session') {
      const of = new URLSearchParams(request.query).get('of')
      if (of !== null && !accountShape.test(of)) return refuse(400, 'of must be an address, or address:chain')
      // The tab may show an earlier session of this browser.
      const isOther = of !== null && (own === null || accountOf(own).toLowerCase() !== of.toLowerCase())
      return isOther ? noContent() : sessions.end(own, secure)
    }
    if (own === null) return refuse(401, 'not signed in')
    return id === undefined ? sessions.list(own) : sessions.endById(own, id, secure)
  }

  return {
    /** Answers everything below `/api/auth`; never throws. */
    async answer(request: HostRequest): Promise<HostResponse> {
      try {
        return await route(request)
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) throw cause
        // A page that reads a session is no sign-in.
        if (request.method !== 'GET')
          log('sign-in-refused', 'the session store is unavailable', null, 'store')
        return refuseSignIn(503, 'store', 'sign-in is not available now')
      }
    },
  }
}

/** What follows `/auth/`. The prefix before it differs: on the edge host Next rewrites the path. */
const partsOf = (path: string) => path.replace(/^.*?\/auth\//, '').split('/')
