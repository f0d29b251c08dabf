import type { Address } from 'viem'

/** Somebody who has proven that an account is theirs. Times are epoch milliseconds. */
export interface Session {
  readonly id: string
  readonly address: Address
  readonly chainId: number
  /** A contract wallet, which is the account's on its chain alone. */
  readonly isContract: boolean
  readonly signedInMs: number
  readonly seenMs: number
}

/** An idle session ends after this. */
export const idleMsMax = 30 * 60_000
/** Every session ends after this. */
export const sessionMsMax = 24 * 3_600_000
/** Sessions of one account; the one that was used least lately gives way. */
export const accountSessionsMax = 20

export const endMsOf = ({ signedInMs, seenMs }: Session): number =>
  Math.min(signedInMs + sessionMsMax, seenMs + idleMsMax)

/** Whose session it is: a key's account is one on every chain, a contract's address can be somebody else's on the next one. */
export const accountOf = ({ address, chainId, isContract }: Session): string =>
  isContract ? `${address}:${chainId}` : address

/** Thrown by every function of a store that cannot be reached, or has no room to do what it promises. */
export class StoreAway extends Error {
  constructor(cause?: unknown) {
    super('the session store is away', { cause })
    this.name = 'StoreAway'
  }
}

/** Used nonces and sessions, of this process or of all that share a Redis. */
export interface SessionStore {
  /** Takes a nonce out of use; false where it has been before. Of many who ask at once one is told true. */
  readonly consume: (nonce: string, untilMs: number) => Promise<boolean>
  readonly add: (session: Session) => Promise<void>
  /** Null where it has ended. */
  readonly get: (id: string) => Promise<Session | null>
  /** Notes that a session is in use; one that has ended stays so. */
  readonly touch: (session: Session) => Promise<void>
  readonly end: (id: string) => Promise<void>
  /** All sessions of the account that a session is of, the latest sign-in first. */
  readonly of: (own: Session) => Promise<readonly Session[]>
}

/** Nonces that are remembered as used; while there are so many, nobody signs in, for one forgotten could be used again. */
const noncesMax = 100_000
const sessionsMax = 50_000

/** A store for one process: bounded, and gone with it. */
export function createMemoryStore(now: () => number, limits = { noncesMax, sessionsMax }): SessionStore {
  const used = new Map<string, number>()
  /** Those that were used least lately come first. */
  const sessions = new Map<string, Session>()

  function prune(): void {
    for (const [nonce, untilMs] of used) {
      if (untilMs > now()) break
      used.delete(nonce)
    }
    for (const [id, session] of sessions) {
      if (endMsOf(session) > now() && sessions.size <= limits.sessionsMax) break
      sessions.delete(id)
    }
  }

  function live(id: string): Session | null {
    const session = sessions.get(id)
    if (session === undefined || endMsOf(session) > now()) return session ?? null
    sessions.delete(id)
    return null
  }

  function of(own: Session): Session[] {
    const account = accountOf(own)
    return [...sessions.values()].filter(
      (session) => accountOf(session) === account && live(session.id) !== null,
    )
  }

  return {
    async consume(nonce, untilMs) {
      prune()
      if (used.has(nonce)) return false
      if (used.size >= limits.noncesMax) throw new StoreAway()
      used.set(nonce, untilMs)
      return true
    },
    async add(session) {
      const [oldest, ...others] = of(session)
      if (oldest !== undefined && others.length + 1 >= accountSessionsMax) sessions.delete(oldest.id)
      sessions.set(session.id, session)
      prune()
    },
    get: async (id) => live(id),
    async touch(session) {
      if (!sessions.delete(session.id)) return
      sessions.set(session.id, session)
    },
    async end(id) {
      sessions.delete(id)
    },
    of: async (own) => of(own).sort((a, b) => b.signedInMs - a.signedInMs),
  }
}
