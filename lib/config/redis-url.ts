export interface RedisAddress {
  readonly host: string
  readonly port: number
}

interface Credentials {
  readonly username: string | null
  readonly password: string | null
}

/** The sentinels, which know the current master. */
export interface Sentinels extends Credentials {
  readonly master: string
  readonly addresses: readonly RedisAddress[]
}

export interface RedisTarget extends Credentials {
  readonly isTls: boolean
  readonly database: number
  /** One that is always there, or the sentinels to ask. */
  readonly at: RedisAddress | Sentinels
}

const ports = { redis: 6379, sentinel: 26379 }
const form =
  /^redis(s?)(\+sentinel)?:\/\/(?:([^\s@/:]*)(?::([^\s@/]*))?@)?([^\s@/?]+)(?:\/([^\s/?]*))?(?:\/(\d+))?(?:\?(\S*))?$/

/**
 * Reads `redis://user:password@host:port/database`, with `rediss:` for TLS, and
 * `redis+sentinel://user:password@host:port,host:port/master/database`. User and password are those of Redis; those of the sentinels
 * are `?username=…&password=…`. Null for any other text.
 */
export function parseRedisUrl(text: string): RedisTarget | null {
  const [, tls, sentinel, username, password, hosts = '', first = '', second, query = ''] =
    form.exec(text) ?? []
  const isSentinel = sentinel !== undefined
  const addresses = hosts.split(',').map((host) => addressOf(host, isSentinel ? ports.sentinel : ports.redis))
  const [address = null] = addresses
  const database = (isSentinel ? second : first) || '0'
  if (address === null || addresses.includes(null) || !/^\d{1,5}$/.test(database)) return null
  if (isSentinel ? first === '' : addresses.length > 1 || second !== undefined) return null
  const own = new URLSearchParams(query)
  return {
    isTls: tls === 's',
    database: Number(database),
    username: decoded(username),
    password: decoded(password),
    at: isSentinel
      ? {
          master: first,
          addresses: addresses.filter((each) => each !== null),
          ...{ username: own.get('username'), password: own.get('password') },
        }
      : address,
  }
}

/** User names and passwords in such a url, as they are written there, decoded, and encoded again. */
export function secretsOfRedisUrl(text: string): readonly string[] {
  const [, , , username, password, , , , query = ''] = form.exec(text) ?? []
  const ofSentinels = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const written = [username, password, ...ofSentinels].filter((secret) => secret !== undefined)
  const meant = [...written.map(decoded), ...new URLSearchParams(query).values()].filter(
    (secret) => secret !== null,
  )
  return [...new Set([...written, ...meant, ...meant.map(encodeURIComponent)])].filter(
    (secret) => secret !== '',
  )
}

function addressOf(text: string, port: number): RedisAddress | null {
  const [, ip, name, given] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = ip ?? name
  return host === undefined ? null : { host, port: given === undefined ? port : Number(given) }
}

/** Null for none, and for an empty one. */
function decoded(text = ''): string | null {
  try {
    return decodeURIComponent(text) || null
  } catch {
    return text
  }
}
