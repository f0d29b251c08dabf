import { sharedSlot } from '../shared-slot.ts'
import { type Auth, type AuthOptions, createAuth } from './auth.ts'

const slot = sharedSlot<Auth>('auth')

/** Creates the sign-in of this process or isolate. A second call returns the first one. */
export function startAuth(options: AuthOptions): Auth {
  slot.value ??= createAuth(options)
  return slot.value
}

/** The sign-in of this process or isolate; null when it runs in another one. */
export function runningAuth(): Auth | null {
  return slot.value ?? null
}
