import { type Agent, type buildConnector, EnvHttpProxyAgent, Pool } from 'undici'
import type { Env } from '../config/env.ts'

/** The proxies of the environment, by the names that Node's own agents read too. */
export type Proxies = Readonly<Partial<Record<'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', string>>>

/** This machine is never asked for through a proxy: pages read their own gateway there. */
const here = ['localhost', '127.0.0.1', '::1']

/**
 * The proxies from the environment; null if none is set. Lower-case names take precedence, as in curl. If `HTTPS_PROXY` is not set,
 * `HTTP_PROXY` also applies to https.
 */
export function proxiesOf(env: Env): Proxies | null {
  const HTTP_PROXY = env.http_proxy ?? env.HTTP_PROXY
  const HTTPS_PROXY = env.https_proxy ?? env.HTTPS_PROXY ?? HTTP_PROXY
  if (HTTPS_PROXY === undefined) return null
  const listed = env.no_proxy ?? env.NO_PROXY
  return {
    ...(HTTP_PROXY !== undefined && { HTTP_PROXY }),
    HTTPS_PROXY,
    NO_PROXY: [...(listed === undefined ? [] : [listed]), ...here].join(','),
  }
}

type Connect = buildConnector.BuildOptions

export interface ProxiedOptions extends Omit<Agent.Options, 'connect' | 'factory'> {
  readonly connect: Connect
}

/**
 * Sends through the proxies: https by CONNECT, http by the absolute form. An unreachable proxy has an error of its own, unlike the node's.
 */
export function createProxiedAgent(
  { HTTP_PROXY = '', HTTPS_PROXY = '', NO_PROXY = '' }: Proxies,
  { connect, ...options }: ProxiedOptions,
  createPool: (origin: string | URL, options: Pool.Options) => Pool = (origin, all) => new Pool(origin, all),
): EnvHttpProxyAgent {
  const proxies = new Set(
    [HTTP_PROXY, HTTPS_PROXY].filter((url) => url !== '').map((url) => new URL(url).origin),
  )
  return new EnvHttpProxyAgent({
    ...options,
    connect,
    httpProxy: HTTP_PROXY,
    httpsProxy: HTTPS_PROXY,
    noProxy: NO_PROXY,
    proxyTls: connect,
    clientFactory: (origin, given) => new Pool(origin, { ...options, ...blaming(given) }),
    factory: (origin, given) =>
      // Forwarded requests go to the proxy itself.
      createPool(origin, {
        ...options,
        ...(proxies.has(new URL(origin).origin) ? blaming(given) : given),
      }),
  })
}

/** Options whose failures to connect are the proxy's. */
function blaming(given: Pool.Options): Pool.Options {
  const { connect } = given
  if (typeof connect !== 'function') return given
  return {
    ...given,
    connect: (options, callback) =>
      connect(options, (cause, socket) => {
        if (cause === null) callback(null, socket)
        else callback(Object.assign(new Error('proxy', { cause }), { code: 'UND_ERR_PRX_CONN' }), null)
      }),
  }
}
