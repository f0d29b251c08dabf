import { prefix } from '../names.ts'
import { createRedisClient } from '../redis-client.ts'
import {
  accountOf,
  accountSessionsMax,
  endMsOf,
  type Session,
  type SessionStore,
  StoreAway,
  sessionMsMax,
} from './store.ts'

export interface RedisStore extends SessionStore {
  readonly close: () => void
}

/**
 * A store that processes share. While Redis is away every function throws StoreAway; it is connected to again in the
 * background. `tell` hears of it going and of it coming back.
 */
export function createRedisStore(
  url: string,
  now: () => number,
  tell: (state: 'away' | 'back') => void,
): RedisStore {
  let isAway = false
  const client = createRedisClient(url)
  client.on('error', () => turn(true))
  client.on('ready', () => turn(false))
  void client.connect().catch(() => {})

  function turn(away: boolean): void {
    if (isAway === away) return
    isAway = away
    tell(away ? 'away' : 'back')
  }

  async function ask<Value>(run: () => Promise<Value>): Promise<Value> {
    try {
      return await run()
    } catch (cause) {
      throw new StoreAway(cause)
    }
  }

  const leftMs = (session: Session) => Math.max(1, endMsOf(session) - now())
  const read = (text: string | null) => (text === null ? null : (JSON.parse(text) as Session))

  async function of(own: Session): Promise<Session[]> {
    const ids = await client.sMembers(accountKey(own))
    if (ids.length === 0) return []
    const texts = await client.mGet(ids.map(sessionKey))
    const gone = ids.filter((_, at) => texts[at] === null)
    if (gone.length > 0) await client.sRem(accountKey(own), gone)
    return texts.flatMap((text) => read(text) ?? []).sort((a, b) => b.signedInMs - a.signedInMs)
  }

  async function end(id: string): Promise<void> {
    const session = read(await client.getDel(sessionKey(id)))
    if (session !== null) await client.sRem(accountKey(session), id)
  }

  return {
    consume: (nonce, untilMs) =>
      ask(async () => {
        const options = {
          condition: 'NX',
          expiration: { type: 'PX', value: Math.max(1, untilMs - now()) },
        } as const
        return (await client.set(`${prefix}:nonce:${nonce}`, '1', options)) === 'OK'
      }),
    add: (session) =>
      ask(async () => {
        const known = (await of(session)).sort((a, b) => b.seenMs - a.seenMs)
        for (const { id } of known.slice(accountSessionsMax - 1)) await end(id)
        await client
          .multi()
          .set(sessionKey(session.id), JSON.stringify(session), {
            expiration: { type: 'PX', value: leftMs(session) },
          })
          .sAdd(accountKey(session), session.id)
          .pExpire(accountKey(session), sessionMsMax)
          .exec()
      }),
    get: (id) => ask(async () => read(await client.get(sessionKey(id)))),
    touch: (session) =>
      ask(async () => {
        // Only what is still there: a session that was ended meanwhile must not come back.
        await client.set(sessionKey(session.id), JSON.stringify(session), {
          condition: 'XX',
          expiration: { type: 'PX', value: leftMs(session) },
        })
      }),
    end: (id) => ask(() => end(id)),
    of: (own) => ask(() => of(own)),
    close: () => client.destroy(),
  }
}

const sessionKey = (id: string) => `${prefix}:session:${id}`
const accountKey = (session: Session) => `${prefix}:account:${accountOf(session)}`
