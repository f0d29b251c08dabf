/** Ends the session of this browser; resolves when the server knows. Throws where it cannot be told. */
export async function signOut(): Promise<void> {
  await ask('DELETE', 'session')
}

/** Waits before the second and the third attempt of a sign-out that nobody watches. */
const retryMs = [1_000, 4_000] as const

/** `signOut`, tried three times before it throws: for an account that the wallet has left, where nobody would press again. */
export async function surelySignOut(wait = pause): Promise<void> {
  for (const ms of retryMs) {
    try {
      return await signOut()
    } catch {
      await wait(ms)
    }
  }
  await signOut()
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** One of the account's sessions, as the server lists them. Times are ISO 8601. */
export interface ListedSession {
  readonly id: string
  readonly chainId: number
  readonly isCurrent: boolean
  readonly signedInAt: string
  readonly seenAt: string
  readonly expiresAt: string
}

/** All sessions of the account that is signed in here, the latest sign-in first. */
export async function listSessions(): Promise<readonly ListedSession[]> {
  return ((await ask('GET', 'sessions')) as { sessions: readonly ListedSession[] }).sessions
}

/** Ends another session of the same account. One that has ended already is as good. */
export async function endSession(id: string): Promise<void> {
  await ask('DELETE', `sessions/${id}`, [404])
}

async function ask(method: string, path: string, accepted: readonly number[] = []): Promise<unknown> {
  const response = await fetch(`/api/auth/${path}`, { method, cache: 'no-store' })
  if (!response.ok && !accepted.includes(response.status))
    throw new Error(`${method} ${path}: ${response.status}`)
  return response.status === 200 ? response.json() : null
}
