import { type Auth, type AuthOptions, createAuth } from './auth.ts'

/** Makes this process's or isolate's sign-in, once: a second call answers the first one's. */
export function startAuth(options: AuthOptions): Auth {
  slots[slot] ??= createAuth(options)
  return slots[slot]
}

/** The sign-in that runs here; null where it runs in another process or isolate. */
export function runningAuth(): Auth | null {
  return slots[slot] ?? null
}

// Next bundles this module once more for pages, and they must find what server.ts has started.
const slot = Symbol.for('quorate.auth')
const slots = globalThis as unknown as Record<symbol, Auth | undefined>
