import { type Config, systemClock } from '#rpc-proxy'
import { askMajority, randomSecret } from './auth/ports.ts'
import { startAuth } from './auth/running.ts'
import { createMemoryStore } from './auth/store.ts'
import { initialConfig } from './config.ts'
import { createDeadlines } from './deadlines.ts'
import { runningConfig, startEngine } from './engine.ts'
import { env, isDev, isNodeHost } from './env.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { fromWeb, toWeb } from './host-web.ts'
import { refuse } from './http.ts'
import { hostLimits } from './limits.ts'
import { createHostCounts } from './observe/host-counts.ts'
import { startEdgeObserver } from './observe/start-edge.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import { createRoutes, type Routes } from './routes.ts'
import { createFetchSend } from './send-fetch.ts'

/**
 * Answers one request in the edge isolate; the first one starts the isolate's engine. 404 where server.ts is the host: what
 * gets here then bypassed it, and a second engine would not know the first one's limits.
 */
export async function answerOnEdge(request: Request): Promise<Response> {
  if (isNodeHost()) return toWeb(refuse(404, 'not found'))
  place ??= open()
  const { routes, holdBody, outgoing } = await place
  const trustedHops = runningConfig().rate?.trustedHops ?? 0
  const asked = fromWeb(request, { site: env().APP_ORIGIN ?? null, trustedHops, holdBody })
  return toWeb(await routes.answer(asked), { outgoing, caller: asked.caller })
}

/** Streams live a minute here: an edge isolate is not ours to hold. */
const streamMsMax = 60_000

/** Calls of all callers together in a second, where they cannot be told apart and the configuration names no such limit. */
const siteCallsPerSecond = 200

interface Place {
  readonly routes: Routes
  readonly holdBody: Holdings['hold']
  readonly outgoing: Outgoing
}

let place: Promise<Place> | undefined

async function open(): Promise<Place> {
  const { APP_ORIGIN, DEMO, RPC_ALLOWED_ORIGINS, DEMO_CONTROL_URL, REDIS_URL, SESSION_SECRET } = env()
  const config = withSiteLimit(initialConfig(env()))
  const { emit, log, traced, traceOf } = await startEdgeObserver(env(), config)
  const engine = startEngine(
    config,
    {
      // The edge runtime has no setImmediate. Calls that wait for this timer travel to a node in one request.
      clock: { ...systemClock(), soon: setTimeout },
      random: Math.random,
      send: createFetchSend(),
      emit,
      ...(traceOf !== undefined && { traceOf }),
    },
    traced,
  )
  if (config.rate !== null && config.rate.trustedHops === 0)
    log.write({
      level: 'warn',
      event: 'callers',
      message: 'no trusted hop: callers cannot be told apart, so all of them share one limit',
      fields: { perSecond: config.rate.siteCallsPerSecond },
    })
  const counts = createHostCounts()
  const bodies = createHoldings(hostLimits.openBodies, () => counts.met('openBodies'))
  const answers = createHoldings(hostLimits.outgoing, () => counts.met('outgoing'))
  counts.watch('openBodies', bodies.held)
  counts.watch('outgoing', answers.held)
  const auth = startAuth({
    site: APP_ORIGIN ?? null,
    local: DEMO || isDev(),
    secret: SESSION_SECRET ?? randomSecret(),
    store: createMemoryStore(Date.now),
    chainIds: () => engine.config().chains.map(({ id }) => id),
    askFor: askMajority,
    log,
    now: Date.now,
  })
  if (REDIS_URL !== undefined)
    log.write({
      level: 'warn',
      event: 'redis',
      message: 'REDIS_URL is not used here: an edge isolate keeps its own sessions',
      fields: {},
    })
  const routes = createRoutes(engine, {
    counts,
    auth,
    site: APP_ORIGIN ?? null,
    listed: RPC_ALLOWED_ORIGINS,
    streamMsMax,
    controlUrl: DEMO_CONTROL_URL ?? null,
    operator: env(),
    log,
  })
  return {
    routes,
    holdBody: bodies.hold,
    outgoing: createOutgoing(answers, createDeadlines(), () => counts.met('slowReaders')),
  }
}

/** One caller among many who cannot be told apart must not have all that the nodes give. */
function withSiteLimit(config: Config): Config {
  const { rate } = config
  if (rate === null || rate.trustedHops > 0 || rate.siteCallsPerSecond !== null) return config
  return { ...config, rate: { ...rate, siteCallsPerSecond } }
}
