import { randomHex } from '../bytes.ts'
import { post } from '../engine/engine-reads.ts'
import { processWide } from '../process-wide.ts'
import { type Auth, type AuthOptions, createAuth } from './auth.ts'
import type { ProtectedCall } from './contract.ts'

const shared = processWide<Auth>('auth')

/** Creates the sign-in of this process or isolate. A second call returns the first one. */
export function startAuth(options: AuthOptions): Auth {
  shared.value ??= createAuth(options)
  return shared.value
}

/** The sign-in of this process or isolate; null when it runs in another one. */
export function runningAuth(): Auth | null {
  return shared.value ?? null
}

/** The engine's own deadline is shorter. */
const callMsMax = 10_000

/** Asks this app's gateway, on the budget of one caller. */
export function createProtectedCall(caller: string | null): ProtectedCall {
  return (chainId, body) =>
    post(chainId, body, { caller, protect: true, signal: AbortSignal.timeout(callMsMax) }).catch(() => '')
}

/** Used when no secret is configured: cookies are then valid for this process only. */
export const randomSecret = () => randomHex(32)
