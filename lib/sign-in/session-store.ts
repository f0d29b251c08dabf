import type { Address } from 'viem'

/** A visitor who has proven ownership of an account. Times are epoch milliseconds. */
export interface Session {
  readonly id: string
  readonly address: Address
  readonly chainId: number
  /** A contract wallet: it belongs to this account on its own chain only. */
  readonly isContract: boolean
  /** Which browser on which system; null or missing where that is not known. */
  readonly device?: string | null
  readonly signedInMs: number
  readonly seenMs: number
}

/** An unused session ends after this time. */
export const idleMsMax = 30 * 60_000
/** Every session ends after this time. */
export const sessionMsMax = 24 * 3_600_000
/** Sessions of one account; beyond it the least recently used one is ended. */
export const accountSessionsMax = 20

export const endMsOf = ({ signedInMs, seenMs }: Session): number =>
  Math.min(signedInMs + sessionMsMax, seenMs + idleMsMax)

type Account = Pick<Session, 'address' | 'chainId' | 'isContract'>

/** An EOA is the same account on every chain; a contract's address may belong to somebody else on another chain. */
export const accountOf = ({ address, chainId, isContract }: Account): string =>
  isContract ? `${address}:${chainId}` : address

/** Thrown by every method of a store that cannot be reached or is full. */
export class StoreUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the session store is unavailable', { cause })
    this.name = 'StoreUnavailable'
  }
}

/** Used nonces and sessions, of this process or of all processes that share a Redis. */
export interface SessionStore {
  /** Marks a nonce as used; false when it already was. Of concurrent calls with one nonce exactly one gets true. */
  readonly consume: (nonce: string, untilMs: number) => Promise<boolean>
  readonly add: (session: Session) => Promise<void>
  /** Null when it has ended. */
  readonly get: (id: string) => Promise<Session | null>
  /** Updates a session's last use. An ended session stays ended. */
  readonly touch: (session: Session) => Promise<void>
  readonly end: (id: string) => Promise<void>
  /** All sessions of the same account, the latest sign-in first. */
  readonly of: (own: Session) => Promise<readonly Session[]>
}

/** Used nonces remembered at once. When full, sign-in is refused: a forgotten nonce could be used again. */
const noncesMax = 100_000
const sessionsMax = 50_000

/** A bounded store in the memory of one process. */
export function createMemoryStore(now: () => number, limits = { noncesMax, sessionsMax }): SessionStore {
  const used = new Map<string, number>()
  /** Least recently used first. */
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
      if (used.size >= limits.noncesMax) throw new StoreUnavailable()
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
