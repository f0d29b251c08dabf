import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../demo/ports.ts'
import { say } from '../../demo/say.ts'
import { checks, longCheck, published, type Stack } from './checks.ts'
import { configurationHolds } from './configuration.ts'
import { type Engine, findEngine, NoEngine } from './engine.ts'
import { ensureImages } from './images/make.ts'
import { buildOurs, lifeOf, removeOurs, sizeOf } from './ours.ts'

/**
 * `npm test -- stack`: docker-compose.yml and the Dockerfile for real. Starts an engine if none is running, builds images that
 * cannot be pulled from Debian packages, builds ours, starts all profiles, checks them and stops everything.
 * The last line is `N passed, N failed`; without an engine it gives the reason and no counts. `--out` writes both as JSON.
 */
const runMsMax = 40 * 60_000

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'quorate-stack-'))
const report: string[] = []
let passed = 0
let failed = 0
let remark: string | undefined
let engine: Engine | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void takeDown().then(() => process.exit(130)))
setTimeout(() => {
  count(false, 'the run ends in time', `not within ${runMsMax / 60_000} minutes`)
  void takeDown().then(finish)
}, runMsMax).unref()

try {
  engine = await findEngine(join(folder, 'engine'))
  say(engine.versions)
  await runAll(engine)
} catch (cause) {
  const words = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof NoEngine) remark = `not run: ${words}`
  else count(false, 'the stack comes up', words)
}
await takeDown()
finish()

function finish(): never {
  if (remark !== undefined) report.push(`The stack was ${remark}.`)
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify({ passed, failed, remark }))
  console.log(`\n${report.join('\n')}\n\n${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

async function runAll(engine: Engine): Promise<void> {
  const { made, hasCollector } = await ensureImages(engine, join(folder, 'images'))
  report.push(engine.versions, ...made.map((line) => `instead of ${line}`))
  await Promise.all([
    buildOurs(engine, folder),
    check('rules and routes pass promtool and amtool', () => configurationHolds(engine)),
  ])
  await check('the image is below 200 MB', () => sizeOf(engine))
  await check('the image starts where there is IPv6 alone, and SIGTERM ends it', () => lifeOf(engine))

  say('bringing up core, obs and scale')
  const env: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' }
  const origins = {} as { -readonly [name in keyof Stack['origins']]: string }
  for (const name of published) {
    const port = await freePort()
    env[name === 'app' ? 'PORT' : `${name.toUpperCase()}_PORT`] = String(port)
    origins[name] = `http://127.0.0.1:${port}`
  }
  const services = ['chains', 'app', 'gateway', 'pages', 'nginx', 'redis', 'prometheus', 'alertmanager']
  await engine.compose(['up', '-d', ...services, 'otel-collector', 'jaeger', 'grafana'], env)
  const stack: Stack = { engine, origins, hasCollector }
  const long = check(longCheck.name, () => longCheck.run(stack))
  for (const { name, run } of checks) await check(name, () => run(stack))
  await long
  const format = '{{.Name}} {{.MemUsage}}'
  report.push('memory:', await engine.docker(['stats', '--no-stream', '--format', `  ${format}`]))
}

async function check(name: string, run: () => Promise<string>): Promise<void> {
  const startedAt = performance.now()
  try {
    count(true, name, await run())
  } catch (cause) {
    count(false, name, cause instanceof Error ? cause.message : String(cause))
  }
  say(`${report.at(-1)?.split('\n')[0]} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}

function count(isGood: boolean, name: string, words: string): void {
  if (isGood) passed++
  else failed++
  report.push(`${isGood ? 'ok    ' : 'FAILED'} ${name}: ${words}`)
}

async function takeDown(): Promise<void> {
  const running = engine
  engine = undefined
  if (running !== undefined) {
    say('taking it down')
    if (failed > 0) console.log(await running.compose(['logs', '--tail', '15']).catch(String))
    await running.compose(['kill']).catch(() => {})
    await running
      .compose(['down', '-v', '--remove-orphans'])
      .catch((cause) => count(false, 'down', String(cause)))
    await removeOurs(running)
    await running.stop()
  }
  rmSync(folder, { recursive: true, force: true })
}
