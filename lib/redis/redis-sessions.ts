import { WatchError } from '@redis/client'
import { prefix } from '../public-names.ts'
import {
  accountOf,
  accountSessionsMax,
  endMsOf,
  type Session,
  type SessionStore,
  StoreUnavailable,
  sessionMsMax,
} from '../sign-in/session-store.ts'
import type { RedisLink } from './redis-client.ts'
import { type RedisClient, textAt } from './redis-connection.ts'
import type { Seal, StoreOptions } from './sealed-values.ts'

/** More is no session of ours, and not fetched. */
const sessionBytesMax = 16 * 1024
/** An account's ids, of 64 digits each, with a space between them. */
const idsBytesMax = accountSessionsMax * 65
/** How often an account may sign in at other processes meanwhile. */
const addTriesMax = 50

/** A store that several processes share. While Redis is away every method throws StoreUnavailable. */
export class RedisStore implements SessionStore {
  readonly #redis: RedisLink
  readonly #seal: Seal
  readonly #now: () => number
  #adding: Promise<void> = Promise.resolve()

  constructor({ redis, seal, now }: StoreOptions) {
    this.#redis = redis
    this.#seal = seal
    this.#now = now
  }

  async consume(nonce: string, untilMs: number): Promise<boolean> {
    const options = { condition: 'NX', expiration: this.#until(untilMs) } as const
    return (await this.#run((client) => client.set(`${prefix}:nonce:${nonce}`, '1', options))) === 'OK'
  }

  add(session: Session): Promise<void> {
    // One at a time: a transaction ends all watches of its connection.
    const adding = this.#adding.then(() => this.#add(session))
    this.#adding = adding.catch(() => {})
    return adding
  }

  get(id: string): Promise<Session | null> {
    return this.#run((client) => this.#read(id, client))
  }

  async touch(session: Session): Promise<void> {
    // XX: a session that was ended in the meantime must not come back.
    const options = { condition: 'XX', expiration: this.#until(endMsOf(session)) } as const
    await this.#run((client) => client.set(sessionKey(session.id), this.#sealed(session), options))
  }

  async end(id: string): Promise<void> {
    await this.#run((client) => client.del(sessionKey(id)))
  }

  of(own: Session): Promise<Session[]> {
    return this.#run((client) => this.#sessionsOf(own, client))
  }

  async #run<Value>(commands: (client: RedisClient) => Promise<Value>): Promise<Value> {
    try {
      return await this.#redis.run(commands)
    } catch (cause) {
      throw new StoreUnavailable(cause)
    }
  }

  async #add(session: Session): Promise<void> {
    for (let turn = 0; turn < addTriesMax; turn += 1)
      if (await this.#run((client) => this.#tryAdd(session, client))) return
    throw new StoreUnavailable()
  }

  /** False where another process has changed the account's ids meanwhile. */
  async #tryAdd(session: Session, client: RedisClient): Promise<boolean> {
    const key = accountKey(session)
    await client.watch(key)
    const known = (await this.#sessionsOf(session, client)).sort((a, b) => b.seenMs - a.seenMs)
    const ids = [session, ...known.slice(0, accountSessionsMax - 1)].map(({ id }) => id)
    const adding = client
      .multi()
      .set(sessionKey(session.id), this.#sealed(session), { expiration: this.#until(endMsOf(session)) })
      .set(key, ids.join(' '), { expiration: { type: 'PX', value: sessionMsMax } })
    for (const { id } of known.slice(accountSessionsMax - 1)) adding.del(sessionKey(id))
    return adding.exec().then(() => true, unlessWatched)
  }

  async #sessionsOf(own: Session, client: RedisClient): Promise<Session[]> {
    const ids = await textAt(client, accountKey(own), idsBytesMax)
    const known = [...new Set(ids.split(' ').slice(0, accountSessionsMax))]
    const sessions = await Promise.all(known.map((id) => this.#read(id, client)))
    // The ids are not sealed: who writes to Redis may have put another account's session there.
    return sessions
      .filter((session) => session !== null)
      .filter((session) => accountOf(session) === accountOf(own))
      .sort((a, b) => b.signedInMs - a.signedInMs)
  }

  async #read(id: string, client: RedisClient): Promise<Session | null> {
    const sealed = await textAt(client, sessionKey(id), sessionBytesMax)
    return sealed === '' ? null : ((this.#seal.open('session', id, sealed) as Session | undefined) ?? null)
  }

  #sealed(session: Session): string {
    return this.#seal.close('session', session.id, session)
  }

  /** Redis refuses an expiration of zero. */
  #until(endMs: number): { readonly type: 'PX'; readonly value: number } {
    return { type: 'PX', value: Math.max(1, endMs - this.#now()) }
  }
}

/** False where another process has changed what was watched. */
function unlessWatched(cause: unknown): false {
  if (cause instanceof WatchError) return false
  throw cause
}

const sessionKey = (id: string) => `${prefix}:session:${id}`
const accountKey = (session: Session) => `${prefix}:session-ids:${accountOf(session)}`
