import { randomHex } from '../bytes.ts'
import { type HostResponse, json, noContent, refuse } from '../http.ts'
import type { LogWriter } from '../observe/line.ts'
import type { ProtectedCall } from './contract.ts'
import type { Claim } from './message.ts'
import { endedCookie, sealedCookie, unsealedCookie } from './sealed-cookies.ts'
import { endMsOf, type Session, type SessionStore, StoreUnavailable } from './session-store.ts'
import type { SignInLog } from './sign-in-log.ts'
import { digestOf } from './signature.ts'

export interface AuthOptions {
  /** APP_ORIGIN. Without it (null) sign-in works on loopback only, in demo and dev. */
  readonly site: string | null
  /** Demo and dev: without APP_ORIGIN a loopback address is accepted as the site. */
  readonly local: boolean
  /** Seals cookies; 32 characters or more. */
  readonly secret: string
  readonly store: SessionStore
  readonly chainIds: () => readonly number[]
  /** Reads on behalf of one caller, whose budget pays for them. */
  readonly createCall: (caller: string | null) => ProtectedCall
  readonly log: LogWriter
  readonly now: () => number
}

/** A session's last use is written to the store at most this often. */
const touchEveryMs = 60_000

export type Sessions = ReturnType<typeof createSessions>

interface Browser {
  readonly cookies: string
  readonly secure: boolean
  readonly device: string | null
}

/** Starts, finds, lists and ends sessions. Every function that asks the store may throw StoreUnavailable. */
export function createSessions({ secret, store, now }: AuthOptions, log: SignInLog) {
  /** Starts a session and ends the one that these cookies had. */
  async function start(
    { address, chainId }: Claim,
    isContract: boolean,
    { cookies, secure, device }: Browser,
  ): Promise<HostResponse> {
    const previous = await unsealedCookie('session', cookies, { secret, secure })
    if (previous !== null) await store.end(previous.id)
    const times = { signedInMs: now(), seenMs: now() }
    const session = { id: randomHex(32), address, chainId, isContract, device, ...times }
    await store.add(session)
    log('sign-in', 'an account signed in', address)
    const cookie = await sealedCookie('session', { id: session.id }, { secret, secure })
    return json(200, { address, chainId }, { 'set-cookie': cookie })
  }

  async function find(cookies: string, secure: boolean): Promise<Session | null> {
    const sealed = await unsealedCookie('session', cookies, { secret, secure })
    const session = sealed === null ? null : await store.get(sealed.id)
    if (session === null || now() - session.seenMs < touchEveryMs) return session
    const seen = { ...session, seenMs: now() }
    // A store that takes no writes, such as a full Redis, still knows who has signed in.
    await store.touch(seen).catch((cause: unknown) => {
      if (!(cause instanceof StoreUnavailable)) throw cause
    })
    return seen
  }

  async function end(own: Session | null, secure: boolean): Promise<HostResponse> {
    if (own !== null) {
      await store.end(own.id)
      log('sign-out', 'an account signed out', own.address)
    }
    return noContent({ 'set-cookie': endedCookie('session', secure) })
  }

  /** Ends the session with this public id, if it is one of the same account. */
  async function endById(own: Session, publicId: string, secure: boolean): Promise<HostResponse> {
    const session = (await store.of(own)).find(({ id }) => publicIdOf(id) === publicId)
    if (session === undefined) return refuse(404, 'no such session')
    if (session.id === own.id) return end(own, secure)
    await store.end(session.id)
    log('session-revoked', 'an account ended one of its sessions', own.address)
    return noContent()
  }

  /** All sessions of the same account. */
  async function list(own: Session): Promise<HostResponse> {
    const sessions = (await store.of(own)).map((session) => ({
      id: publicIdOf(session.id),
      chainId: session.chainId,
      isCurrent: session.id === own.id,
      device: session.device ?? null,
      seenAt: new Date(session.seenMs).toISOString(),
      ...timesOf(session),
    }))
    return json(200, { sessions })
  }

  return { start, find, end, endById, list }
}

/** What a visitor is told of their own session. */
export function sessionView(session: Session | null) {
  if (session === null) return { address: null }
  const { address, chainId, isContract } = session
  return { address, chainId, isContract, ...timesOf(session) }
}

/** A hash, because the id itself in the list would give access to the session. */
const publicIdOf = (id: string) => digestOf(id).slice(2, 18)

const timesOf = (session: Session) => ({
  signedInAt: new Date(session.signedInMs).toISOString(),
  expiresAt: new Date(endMsOf(session)).toISOString(),
})
