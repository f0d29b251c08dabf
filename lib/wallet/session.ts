import { tellTabs } from './other-tabs.ts'

/** Ends this browser's session on the server. With `account`, only a session of that account ends. Throws if the server is unreachable. */
export async function signOut(account?: string): Promise<void> {
  await fetchOwn('DELETE', account === undefined ? 'session' : `session?of=${account}`)
  tellTabs('signed-out')
}

/** Whether this browser has a session of this account still. Throws when the server cannot be reached. */
export async function hasSession(account: string): Promise<boolean> {
  const session = await fetchOwn('GET', 'session')
  const { address, chainId, isContract } = session as Readonly<Record<string, unknown>>
  return account === (isContract ? `${address}:${chainId}` : address)
}

/** Delays before the second and the third attempt of `surelySignOut`. */
const retryMs = [1_000, 4_000] as const

/**
 * `signOut` with two retries, for when the wallet left the account and the visitor would not press a button again. In another tab
 * the visitor may have signed in with another account since: that session stays.
 */
export async function surelySignOut(account: string): Promise<void> {
  for (const ms of retryMs) {
    try {
      return await signOut(account)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  await signOut(account)
}

/** A session in the server's list. Times are ISO 8601. */
export interface ListedSession {
  readonly id: string
  readonly chainId: number
  readonly isCurrent: boolean
  readonly device: string | null
  readonly signedInAt: string
  readonly seenAt: string
  readonly expiresAt: string
}

/** All sessions of the signed-in account, the latest sign-in first. */
export async function listSessions(): Promise<readonly ListedSession[]> {
  return ((await fetchOwn('GET', 'sessions')) as { sessions: readonly ListedSession[] }).sessions
}

/** Ends another session of the same account. An already ended one is no error. */
export async function endSession(id: string): Promise<void> {
  await fetchOwn('DELETE', `sessions/${id}`, [404])
}

/** This browser no longer has a session. */
export class NoSessionError extends Error {}

async function fetchOwn(method: string, path: string, accepted: readonly number[] = []): Promise<unknown> {
  const response = await fetch(`/api/auth/${path}`, { method, cache: 'no-store' })
  const { ok, status } = response
  if (!ok && !accepted.includes(status))
    throw new (status === 401 ? NoSessionError : Error)(`${method} ${path}: ${status}`)
  return status === 200 ? response.json() : null
}
