import { randomHex } from '../bytes.ts'
import { type Env, isDev } from '../config/env.ts'
import type { Engine } from '../engine/engine.ts'
import { post } from '../engine/engine-reads.ts'
import { type Auth, createAuth } from './auth.ts'
import type { ProtectedCall } from './contract.ts'
import type { AuthOptions } from './sessions.ts'

/** The sign-in of this process or isolate. */
export function startAuth(
  { config }: Pick<Engine, 'config'>,
  { APP_ORIGIN, DEMO, SESSION_SECRET }: Env,
  ports: Pick<AuthOptions, 'store' | 'log'>,
): Auth {
  return createAuth({
    ...ports,
    site: APP_ORIGIN ?? null,
    local: DEMO || isDev(),
    // Without a secret cookies are valid for this process only.
    secret: SESSION_SECRET ?? randomHex(32),
    chainIds: () => config().chains.map(({ id }) => id),
    createCall: createProtectedCall,
    now: Date.now,
  })
}

/** The engine's own deadline is shorter. */
const callMsMax = 10_000

/** Asks this app's gateway, on the budget of one caller. */
export function createProtectedCall(caller: string | null): ProtectedCall {
  return (chainId, body) =>
    post(chainId, body, { caller, protect: true, signal: AbortSignal.timeout(callMsMax) }).catch(() => '')
}
