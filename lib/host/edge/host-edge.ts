import { type Config, systemClock } from '#rpc-proxy'
import { features } from '#site'
import { buildId, env, isNodeHost } from '../../config/env.ts'
import { initialConfig } from '../../config/start-config.ts'
import { runningConfig, startEngine } from '../../engine/engine.ts'
import { refuse } from '../../http.ts'
import { createHostOutgoing } from '../../limits/outgoing.ts'
import { createHostQuota } from '../../limits/quota.ts'
import { createNames } from '../../names/names-route.ts'
import { createHostCounts } from '../../observe/host-counts.ts'
import { createHostObserver } from '../../observe/host-observer.ts'
import type { Line } from '../../observe/line.ts'
import { createPlainLog } from '../../observe/log-plain.ts'
import { createRedactor } from '../../observe/redact.ts'
import { createRoutes } from '../../routes/routes.ts'
import { createMemoryStore } from '../../sign-in/session-store.ts'
import { createProtectedCall, startAuth } from '../../sign-in/start-sign-in.ts'
import { createFetchSend } from '../../transport/send-fetch.ts'
import { fromWeb, toWeb } from './host-web.ts'

/**
 * Answers one request in the edge isolate; the first one starts the isolate's engine. 404 when server.ts is the host: such a
 * request bypassed it, and a second engine would not share its limits.
 */
export async function answerOnEdge(request: Request): Promise<Response> {
  if (isNodeHost()) return toWeb(refuse(404, 'not found'))
  gateway ??= open()
  return (await gateway)(request)
}

/** Platforms do not let an edge isolate hold a stream for long. */
const streamMsMax = 60_000

/** Default limit of calls per second for all callers together, where they cannot be told apart. */
const siteCallsPerSecond = 200

let gateway: ReturnType<typeof open> | undefined

/** Starts the isolate's engine; returns what answers its requests. */
async function open(): Promise<(request: Request) => Promise<Response>> {
  const config = withSiteLimit(initialConfig(env()))
  const redactor = createRedactor(env(), config)
  const log = createPlainLog(env().LOG_LEVEL, redactor)
  const { emit, traced, traceOf } = await createHostObserver(env(), config, { log, redactor })
  const warn = (event: string, message: string, fields: Line['fields'] = {}) =>
    log.write({ level: 'warn', event, message, fields })
  const engine = startEngine(
    config,
    {
      // The edge runtime has no setImmediate. Calls that wait for this timer travel to a node in one request.
      clock: { ...systemClock(), defer: setTimeout },
      random: Math.random,
      send: createFetchSend(),
      emit,
      ...(traceOf !== undefined && { traceOf }),
    },
    { traced },
  )
  if (config.rate !== null && config.rate.trustedHops === 0)
    warn('callers', 'no trusted hop: callers cannot be told apart, so all of them share one limit', {
      perSecond: config.rate.siteCallsPerSecond,
    })
  const counts = createHostCounts()
  const bodies = createHostQuota('openBodies', counts)
  const auth = features.signIn ? startAuth(engine, env(), { store: createMemoryStore(Date.now), log }) : null
  const names = features.names
    ? createNames({
        fetchGateways: null,
        chainIds: () => engine.config().chains.map(({ id }) => id),
        createCall: createProtectedCall,
        now: systemClock().now,
      })
    : null
  if (env().REDIS_URL !== undefined)
    warn('redis', 'REDIS_URL is not used here: an edge isolate keeps its own sessions')
  if (config.chains.some(({ beacon }) => beacon !== null))
    warn('beacon', 'beacon is not used here: the light client is for the Node host')
  const routes = createRoutes(engine, {
    counts,
    auth,
    names,
    env: env(),
    build: buildId || null,
    streamMsMax,
    replica: null,
    log,
  })
  const outgoing = createHostOutgoing(counts)
  const site = env().APP_ORIGIN ?? null
  return async (request) => {
    const trustedHops = runningConfig().rate?.trustedHops ?? 0
    const hostRequest = fromWeb(request, { site, trustedHops, leaseBody: bodies.acquire })
    return toWeb(await routes.answer(hostRequest), { outgoing, caller: hostRequest.caller })
  }
}

/** Without it, one of many indistinguishable callers could use up all that the nodes allow. */
function withSiteLimit(config: Config): Config {
  const { rate } = config
  if (rate === null || rate.trustedHops > 0 || rate.siteCallsPerSecond !== null) return config
  return { ...config, rate: { ...rate, siteCallsPerSecond } }
}
