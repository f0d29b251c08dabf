import { existsSync, readFileSync } from 'node:fs'
import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { followConfigFile, readConfigFile } from '#lib/config/config-file.ts'
import {
  EnvError,
  env as environmentNow,
  nodeHostVariable,
  secretVariables,
  takeSecrets,
} from '#lib/config/env.ts'
import { loadEnvFiles } from '#lib/config/env-files.ts'
import { followFiles, readSecretFiles, secretPaths } from '#lib/config/secret-files.ts'
import { checkedStart } from '#lib/config/start-config.ts'
import { learnChains } from '#lib/engine/chain-facts.ts'
import { startEngine } from '#lib/engine/engine.ts'
import { answerPagesBy } from '#lib/engine/page-caller.ts'
import { builtFilesIn, withBuiltFiles } from '#lib/host/node/built-files.ts'
import { readSheets, withFirstPart } from '#lib/host/node/first-part.ts'
import { giveBackMemory } from '#lib/host/node/give-back.ts'
import type { NextApp } from '#lib/host/node/next-pages.ts'
import { createNodeServer } from '#lib/host/node/node-server.ts'
import { saveBuild } from '#lib/host/node/saved-builds.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import type { Line } from '#lib/observe/line.ts'
import { logPagesTo } from '#lib/observe/log-plain.ts'
import { logRisks } from '#lib/observe/risk-lines.ts'
import { startNodeObserver } from '#lib/observe/start-node.ts'
import { readBuiltApp } from '#lib/routes/built-app.ts'
import { createRoutes } from '#lib/routes/routes.ts'
import { proxiesOf } from '#lib/transport/outbound-proxy.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { type Config, systemClock } from '#rpc-proxy'
import { features, site } from '#site'

/** SIGTERM to the end of the last request; Kubernetes kills after 30 s. */
const drainMsMax = 25_000
/** SIGTERM to exit, whatever is still being flushed or closed. */
const exitMsMax = 28_000

const root = import.meta.dirname
const isAlone = process.argv.includes('--rpc-only')
/** Pages are compiled as they are asked for, and again as their files change. */
const isDev = process.argv.includes('--dev')
const NODE_ENV = isDev ? 'development' : 'production'
Object.assign(process.env, { NODE_ENV, NEXT_OTEL_FETCH_DISABLED: '1', [nodeHostVariable]: '1' })
loadEnvFiles(root, NODE_ENV)

const files = { configOf: readConfigFile, secretsOf: readSecretFiles }
const { env, config } = checkedStart(files, (faults) => {
  console.error(faults)
  process.exit(1)
})
/** Which of several processes this is, where there may be several. */
const replica = env.REPLICA ?? (env.REDIS_URL === undefined ? null : hostname())
const counts = createHostCounts()
const observer = await startNodeObserver(env, config, { replica, counts })
const tell = (level: Line['level'], event: string, message: string, fields: Line['fields'] = {}) =>
  observer.log.write({ level, event, message, fields })

logPagesTo(observer.log)
if (!env.DEMO) logRisks(config, observer.log)
const network = new UndiciNetwork({ proxies: proxiesOf(env) })
const redis = await connectRedis()
const peers = redis?.peers ?? null
const clock = { ...systemClock(), defer: setImmediate }
const engine = startEngine(
  config,
  {
    clock,
    random: Math.random,
    send: network.send,
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
    emit: observer.emit,
    ...(observer.traceOf !== undefined && { traceOf: observer.traceOf }),
  },
  { traced: observer.traced, peers, replica },
)
let beacon: ReturnType<typeof openBeaconWatch> | null = null
await watchBeacon(config)
const file = env.RPC_CONFIG_FILE === undefined ? null : follow(env.RPC_CONFIG_FILE)
const secretFiles = followFiles(secretPaths(process.env), renewSecrets)
const history =
  redis === null ? null : (await import('#lib/redis/history-store.ts')).startHistory(engine.gateway, redis)
const counters = redis === null ? [] : await startCounters(redis)
const auth = isAlone || !features.signIn ? null : await signIn()
const names = isAlone || !features.names ? null : await openNames()
const routes = createRoutes(engine, {
  counts,
  auth,
  names,
  env: {
    ...env,
    get OPERATOR_TOKEN() {
      return environmentNow().OPERATOR_TOKEN
    },
  },
  build: isAlone || isDev ? null : builtId(),
  streamMsMax: null,
  replica,
  log: observer.log,
})
answerPagesBy(routes.answer)
const { server, drain } = createNodeServer({
  engine,
  routes,
  counts,
  rest: isAlone ? null : await startNext(),
  site: env.APP_ORIGIN ?? null,
  keepAliveMs: env.KEEP_ALIVE_MS,
  onForwarded: () =>
    tell(
      'warn',
      'forwarded',
      'x-forwarded-for met with trustedHops 0: all callers behind that proxy share one budget',
    ),
})

server.once('error', (cause: NodeJS.ErrnoException) => {
  console.error(`cannot listen on ${env.HOST}:${env.PORT}: ${cause.code}`)
  process.exit(1)
})
giveBackMemory()
// Without a host Node listens on `::`, IPv4 included, and on 0.0.0.0 where the machine has no IPv6.
server.listen({ port: env.PORT, ...(env.HOST !== '::' && { host: env.HOST }) }, () => {
  const { address, port, family } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  tell('info', 'listening', `http://${host}:${port}`, { port, host: 'node', pages: !isAlone })
  if (env.APP_ORIGIN === undefined && !isAlone && !['127.0.0.1', '::1', 'localhost'].includes(env.HOST))
    tell('warn', 'no-origin', 'APP_ORIGIN is not set: pages at a host name are refused their own reads')
  if (env.WALLETCONNECT_PROJECT_ID === undefined && !env.DEMO && !isAlone)
    tell('warn', 'no-project-id', 'WALLETCONNECT_PROJECT_ID is not set: wallets on phones cannot connect')
  if (env.OPERATOR_OPEN && !env.DEMO)
    tell('warn', 'operator-open', 'OPERATOR_OPEN=1: everybody is the operator; meant for demo and dev')
})

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
process.on('SIGHUP', () => file?.reload())

/** Drains, then exits. A second signal exits immediately. */
async function stop(signal: string): Promise<void> {
  if (stopping) process.exit(1)
  stopping = true
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), exitMsMax).unref()
  tell('info', 'draining', signal)
  file?.stop()
  secretFiles.stop()
  await drain(drainMsMax)
  await Promise.all([history, ...counters].map((store) => store?.close()))
  await (await beacon)?.stop()
  redis?.close()
  engine.gateway.close()
  await network.close()
  tell('info', 'stopped', signal)
  // As it exits, Node waits for its threads, also for one that writes to a log which takes nothing: a stopped terminal, a dead mount.
  if (!(await observer.flush())) process.kill(process.pid, 'SIGKILL')
  process.exit(0)
}

/** What processes share; null where this one is alone. */
async function connectRedis() {
  const { REDIS_URL: url, SESSION_SECRET: secret } = env
  if (url === undefined || secret === undefined) return null
  const { openRedis } = await import('#lib/redis/open-redis.ts')
  const opened = openRedis(url, secret, { log: observer.log, counts })
  const startError = await opened.startError
  if (startError === null) return opened
  console.error(startError)
  process.exit(1)
}

async function startCounters(store: NonNullable<typeof redis>) {
  const { startScorecard, startUsage } = await import('#lib/redis/count-store.ts')
  return [startScorecard, startUsage].map((start) => start(engine.gateway, store))
}

/** Sessions that end with this process, or that all who share a Redis know. Its modules take 40 MiB, so only with pages. */
async function signIn() {
  const { startAuth } = await import('#lib/sign-in/start-sign-in.ts')
  if (env.SESSION_SECRET === undefined)
    tell('warn', 'no-secret', 'SESSION_SECRET is not set: sessions end with this process')
  const store =
    redis === null
      ? (await import('#lib/sign-in/session-store.ts')).createMemoryStore(Date.now)
      : new (await import('#lib/redis/redis-sessions.ts')).RedisStore(redis)
  return startAuth(engine, env, { store, log: observer.log })
}

async function openNames() {
  const { createNames } = await import('#lib/names/names-route.ts')
  const { createGatewayFetch } = await import('#lib/names/gateway-fetch.ts')
  const { createProtectedCall } = await import('#lib/sign-in/start-sign-in.ts')
  const { DEMO, DEMO_CONTROL_URL } = env
  const local = DEMO && DEMO_CONTROL_URL !== undefined ? new URL(DEMO_CONTROL_URL).origin : null
  return createNames({
    fetchGateways: createGatewayFetch({ local }),
    chainIds: () => engine.config().chains.map(({ id }) => id),
    createCall: createProtectedCall,
    now: clock.now,
  })
}

function follow(path: string) {
  return followConfigFile(path, {
    take(next) {
      observer.learn(next)
      logRisks(next, observer.log)
      engine.reload(next)
      void watchBeacon(next)
      if (!isAlone) void learnChains(next)
      tell('info', 'config', 'configuration taken over', { chains: next.chains.length })
    },
    refuse(faults) {
      tell('error', 'config', 'configuration refused; the one before stays', { faults: faults.join('; ') })
    },
  })
}

/** A file of a secret or of a node's key has changed. The operator's token and keys take effect at once, other secrets at the next start. */
function renewSecrets(): void {
  try {
    const before = environmentNow()
    const now = takeSecrets(readSecretFiles(process.env))
    observer.learnSecrets(now)
    const changed = secretVariables.filter((name) => now[name] !== before[name])
    const later = changed.filter((name) => name !== 'OPERATOR_TOKEN')
    tell('info', 'secrets', 'secrets read again', { changed: changed.join(' '), nextStart: later.join(' ') })
  } catch (cause) {
    if (!(cause instanceof EnvError)) throw cause
    tell('error', 'secrets', 'secrets refused; those before stay', { faults: cause.faults.join('; ') })
  }
  file?.reload()
}

/** Loads the light client of Ethereum where the configuration has one. */
async function watchBeacon(next: Config): Promise<void> {
  if (beacon === null && next.chains.every((chain) => chain.beacon === null)) return
  beacon ??= openBeaconWatch()
  const watch = await beacon
  watch.apply(next)
}

async function openBeaconWatch() {
  const { createBeaconWatch } = await import('#lib/beacon/beacon-watch.ts')
  return createBeaconWatch({
    gateway: engine.gateway,
    proxies: proxiesOf(env),
    onFaults: (faults) =>
      faults.length === 0
        ? tell('info', 'beacon', 'all beacon APIs reply')
        : tell('warn', 'beacon', faults.join('; ')),
  })
}

/** Next, for every page and route that is not the gateway's. */
async function startNext(): Promise<NextApp> {
  if (!isDev) takeBuiltSettings()
  const { default: next } = await import('next')
  // Next listens for upgrades at this server and not at ours: it would end the sockets of the gateway's own address.
  const reloads = new Server()
  const { HOST: hostname, PORT: port } = env
  const app = next({ dir: root, dev: isDev, turbopack: isDev, hostname, port, httpServer: reloads })
  await app.prepare()
  const handle = app.getRequestHandler()
  if (isDev) return { handle, built: null, reloads }
  const files = await builtFiles()
  const pages = withFirstPart(handle, await readSheets(files), site.earlyPages)
  return { handle: withBuiltFiles(pages, files), built: readBuiltApp(join(root, '.next')) }
}

/** Exits where there is no production build. */
function takeBuiltSettings(): void {
  const required = join(root, '.next/required-server-files.json')
  if (!existsSync(required)) {
    console.error('there is no production build here; `npm run build` makes one, `npm run rpc` does without')
    process.exit(1)
  }
  // A stand-alone image has no next.config.mjs: the build has written its settings to this file, and Next takes them from this variable,
  // as in the `server.js` that it generates.
  const built = JSON.parse(readFileSync(required, 'utf8')).config
  if (built.output === 'standalone') process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(built)
}

/** This build's files, and with KEPT_BUILDS_DIR those that pages of older builds load later. */
async function builtFiles(): Promise<ReadonlyMap<string, string>> {
  const staticDir = join(root, '.next/static')
  const { KEPT_BUILDS_DIR: dir } = env
  if (dir === undefined) return builtFilesIn(staticDir)
  try {
    return await saveBuild({ dir, staticDir, buildId: builtId() ?? '' })
  } catch (cause) {
    tell('warn', 'kept-builds', 'KEPT_BUILDS_DIR cannot be used: older tabs must be reloaded', {
      code: (cause as NodeJS.ErrnoException).code ?? null,
    })
    return builtFilesIn(staticDir)
  }
}

/** The id of the build in this folder. */
function builtId(): string | null {
  const file = join(root, '.next/BUILD_ID')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}
