import { type Auth, type AuthOptions, createAuth } from './auth.ts'

/** Creates the sign-in of this process or isolate. A second call returns the first one. */
export function startAuth(options: AuthOptions): Auth {
  slots[slot] ??= createAuth(options)
  return slots[slot]
}

/** The sign-in of this process or isolate; null when it runs in another one. */
export function runningAuth(): Auth | null {
  return slots[slot] ?? null
}

// Global, because Next bundles this module again for pages, and they must share server.ts's.
const slot = Symbol.for('quorate.auth')
const slots = globalThis as unknown as Record<symbol, Auth | undefined>
