/** Ends the session of this browser; resolves when the server knows. Throws where it cannot be told. */
export async function signOut(): Promise<void> {
  await ask('DELETE', 'session')
}

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
