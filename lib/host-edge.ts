import { systemClock } from '#rpc-proxy'
import { initialConfig } from './config.ts'
import { runningConfig, startEngine } from './engine.ts'
import { env, isNodeHost } from './env.ts'
import { refuse } from './exchange.ts'
import { createDoor, type Door } from './gateway.ts'
import { fromWeb, toWeb } from './host-web.ts'
import { startEdgeObserver } from './observe/start-edge.ts'
import { createFetchSend } from './send-fetch.ts'

/**
 * Answers one request in the edge isolate; the first one starts the isolate's engine. 404 where server.ts is the host: what
 * gets here then came past the door, and a second engine would know nothing of the first one's limits.
 */
export async function answerOnEdge(request: Request): Promise<Response> {
  if (isNodeHost()) return toWeb(refuse(404, 'not found'))
  door ??= open()
  const { answer } = await door
  const trustedHops = runningConfig().rate?.trustedHops ?? 0
  return toWeb(await answer(fromWeb(request, { site: env().APP_ORIGIN ?? null, trustedHops })))
}

/** Streams live a minute here: an edge isolate is not ours to hold. */
const streamMsMax = 60_000

let door: Promise<Door> | undefined

async function open(): Promise<Door> {
  const { APP_ORIGIN, RPC_ALLOWED_ORIGINS, DEMO_CONTROL_URL } = env()
  const config = initialConfig(env())
  const { emit, log } = await startEdgeObserver(env(), config)
  const engine = startEngine(config, {
    clock: systemClock(),
    random: Math.random,
    send: createFetchSend(),
    emit,
  })
  if (config.rate !== null && config.rate.trustedHops === 0)
    log.write({
      level: 'warn',
      event: 'callers',
      message: 'no trusted hop: callers cannot be told apart, so there is no rate for each of them',
      fields: {},
    })
  return createDoor(engine, {
    site: APP_ORIGIN ?? null,
    listed: RPC_ALLOWED_ORIGINS,
    streamMsMax,
    controlUrl: DEMO_CONTROL_URL ?? null,
    operator: env(),
  })
}
