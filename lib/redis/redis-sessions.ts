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
import { createRedisClient } from './redis-client.ts'
import type { SealedValues } from './sealed-values.ts'

/** More is no session of ours, and not fetched. */
const sessionBytesMax = 16 * 1024

type Client = ReturnType<typeof createRedisClient>

/**
 * A store that several processes share. While Redis is away every method throws StoreUnavailable, and the client reconnects
 * in the background. `onState` is called when Redis goes away and when it is back.
 */
export function createRedisStore(
  url: string,
  { values, now }: { readonly values: SealedValues; readonly now: () => number },
  onState: (state: 'away' | 'back') => void,
): RedisStore {
  const client = createRedisClient(url)
  let isAway = false
  const turn = (away: boolean) => {
    if (isAway === away) return
    isAway = away
    onState(away ? 'away' : 'back')
  }
  client.on('error', () => turn(true)).on('ready', () => turn(false))
  void client.connect().catch(() => {})
  return new RedisStore(client, values, now)
}

export class RedisStore implements SessionStore {
  readonly #client: Client
  readonly #values: SealedValues
  readonly #now: () => number

  constructor(client: Client, values: SealedValues, now: () => number) {
    this.#client = client
    this.#values = values
    this.#now = now
  }

  consume(nonce: string, untilMs: number): Promise<boolean> {
    return orUnavailable(async () => {
      const options = { condition: 'NX', expiration: this.#until(untilMs) } as const
      return (await this.#client.set(`${prefix}:nonce:${nonce}`, '1', options)) === 'OK'
    })
  }

  add(session: Session): Promise<void> {
    return orUnavailable(async () => {
      const known = (await this.#sessionsOf(session)).sort((a, b) => b.seenMs - a.seenMs)
      for (const { id } of known.slice(accountSessionsMax - 1)) await this.#end(id)
      await this.#client
        .multi()
        .set(sessionKey(session.id), this.#seal(session), { expiration: this.#until(endMsOf(session)) })
        .sAdd(accountKey(session), session.id)
        .pExpire(accountKey(session), sessionMsMax)
        .exec()
    })
  }

  get(id: string): Promise<Session | null> {
    return orUnavailable(async () => this.#read(id, await this.#fetch(id)))
  }

  touch(session: Session): Promise<void> {
    return orUnavailable(async () => {
      // XX: a session that was ended in the meantime must not come back.
      const options = { condition: 'XX', expiration: this.#until(endMsOf(session)) } as const
      await this.#client.set(sessionKey(session.id), this.#seal(session), options)
    })
  }

  end(id: string): Promise<void> {
    return orUnavailable(() => this.#end(id))
  }

  of(own: Session): Promise<Session[]> {
    return orUnavailable(() => this.#sessionsOf(own))
  }

  close(): void {
    this.#client.destroy()
  }

  async #sessionsOf(own: Session): Promise<Session[]> {
    const ids = await this.#client.sMembers(accountKey(own))
    if (ids.length === 0) return []
    const texts = await Promise.all(ids.map((id) => this.#fetch(id)))
    const expired = ids.filter((_, at) => texts[at] === null)
    if (expired.length > 0) await this.#client.sRem(accountKey(own), expired)
    const sessions = ids.flatMap((id, at) => this.#read(id, texts[at] ?? null) ?? [])
    // The set of ids is not sealed: who writes to Redis may have put another account's session there.
    const isOwn = (session: Session) => accountOf(session) === accountOf(own)
    return sessions.filter(isOwn).sort((a, b) => b.signedInMs - a.signedInMs)
  }

  async #end(id: string): Promise<void> {
    const session = this.#read(id, await this.#fetch(id))
    await this.#client.del(sessionKey(id))
    if (session !== null) await this.#client.sRem(accountKey(session), id)
  }

  async #fetch(id: string): Promise<string | null> {
    return (await this.#client.getRange(sessionKey(id), 0, sessionBytesMax)) || null
  }

  #seal(session: Session): string {
    return this.#values.close('session', session.id, session)
  }

  #read(id: string, sealed: string | null): Session | null {
    return sealed === null ? null : (this.#values.open('session', id, sealed) as Session | null)
  }

  /** Redis refuses an expiration of zero. */
  #until(endMs: number): { readonly type: 'PX'; readonly value: number } {
    return { type: 'PX', value: Math.max(1, endMs - this.#now()) }
  }
}

async function orUnavailable<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (cause) {
    throw new StoreUnavailable(cause)
  }
}

const sessionKey = (id: string) => `${prefix}:session:${id}`
const accountKey = (session: Session) => `${prefix}:account:${accountOf(session)}`
