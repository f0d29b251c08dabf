import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../demo/ports.ts'
import { say } from '../../demo/say.ts'
import { checks, type Stack } from './checks.ts'
import { type Engine, findEngine, NoEngine } from './engine.ts'
import { ensureImages } from './images/make.ts'
import { awaited } from './shell.ts'

/**
 * `npm run test:stack`: docker-compose.yml and the Dockerfile for real. Starts an engine where none runs, makes of Debian's
 * packages the images that cannot be pulled, builds ours, brings all profiles up, checks them and takes everything down.
 * The last line is `N passed, N failed`; where no engine can be had it says why and counts nothing.
 */
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'quorate-stack-'))
const report: string[] = []
let passed = 0
let failed = 0
let engine: Engine | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void takeDown().then(() => process.exit(130)))

try {
  engine = await findEngine(join(folder, 'engine'))
  say(engine.versions)
  await runAll(engine)
} catch (cause) {
  if (cause instanceof NoEngine) report.push(`The stack did not run: ${cause.message}.`)
  else count(false, 'the stack comes up', String(cause instanceof Error ? cause.message : cause))
}
await takeDown()
console.log(`\n${report.join('\n')}\n\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function runAll(engine: Engine): Promise<void> {
  const { made, hasCollector } = await ensureImages(engine, join(folder, 'images'))
  report.push(engine.versions, ...made.map((line) => `instead of ${line}`))
  await buildOurs(engine)
  await check('the image is below 200 MB', async () => {
    const bytes = Number(await engine.docker(['image', 'inspect', '--format', '{{.Size}}', 'quorate:0.1.0']))
    if (bytes >= 200e6) throw new Error(`${(bytes / 1e6).toFixed(1)} MB`)
    return `${(bytes / 1e6).toFixed(1)} MB`
  })
  await check('the image is ready within 2 s of one core, and SIGTERM ends it', () => lifeOf(engine))

  const port = await freePort()
  say('bringing up core, obs and scale')
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318', PORT: String(port) }
  const services = ['chains', 'app', 'gateway-1', 'gateway-2', 'nginx', 'redis', 'prometheus', 'alertmanager']
  await engine.compose(['up', '-d', ...services, 'otel-collector', 'jaeger', 'grafana'], tracing)
  const stack: Stack = { engine, appOrigin: `http://127.0.0.1:${port}`, hasCollector }
  for (const { name, run } of checks) await check(name, () => run(stack))
  const format = '{{.Name}} {{.MemUsage}}'
  report.push('memory:', await engine.docker(['stats', '--no-stream', '--format', `  ${format}`]))
}

async function buildOurs({ docker }: Engine): Promise<void> {
  const ca = process.env.NODE_EXTRA_CA_CERTS
  const secrets = ca === undefined ? [] : ['--secret', `id=ca,src=${ca}`]
  for (const args of [
    ['-t', 'quorate:0.1.0'],
    ['-t', 'quorate-chains:0.1.0', '--target', 'chains'],
  ]) {
    say(`building ${args[1]}`)
    await docker(['build', '--progress=plain', ...secrets, ...args, root])
  }
}

/** Time to ready and the processor's part in it, which other work on the machine does not change; then the end. */
async function lifeOf({ docker }: Engine): Promise<string> {
  const port = await freePort()
  const hardened = ['--read-only', '--cap-drop', 'ALL', '-p', `127.0.0.1:${port}:3000`]
  const startedAt = performance.now()
  const id =
    (await docker(['run', '-d', '-e', 'LOG_LEVEL=silent', ...hardened, 'quorate:0.1.0']))
      .split('\n')
      .at(-1) ?? ''
  try {
    await awaited('ready', 60_000, async () => (await isReady(port)) || null)
    const readyMs = performance.now() - startedAt
    const cpuMs = await processorMs(docker, id)
    await docker(['stop', '-t', '20', id])
    const code = await docker(['inspect', '--format', '{{.State.ExitCode}}', id])
    if (code !== '0') throw new Error(`SIGTERM ended it with ${code}`)
    const words = `ready after ${readyMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of one core`
    if (cpuMs >= 2000) throw new Error(words)
    return words
  } finally {
    await docker(['rm', '-f', id])
  }
}

async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/api/rpc/ready`)).status === 200
}

async function processorMs(docker: Engine['docker'], id: string): Promise<number> {
  const address = await docker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'])
  const socketPath = address.replace('unix://', '')
  const text = await new Promise<string>((resolve, reject) => {
    const path = `/containers/${id}/stats?stream=false&one-shot=true`
    request({ socketPath, path }, async (response) => resolve((await response.toArray()).join('')))
      .once('error', reject)
      .end()
  })
  return JSON.parse(text).cpu_stats.cpu_usage.total_usage / 1e6
}

async function check(name: string, run: () => Promise<string>): Promise<void> {
  const startedAt = performance.now()
  try {
    const words = await run()
    count(true, name, words)
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
  if (engine !== undefined) {
    say('taking it down')
    if (failed > 0) report.push(await engine.compose(['logs', '--tail', '15']).catch(String))
    await engine
      .compose(['down', '-v', '--remove-orphans'])
      .catch((cause) => count(false, 'down', String(cause)))
    await engine.stop()
    engine = undefined
  }
  rmSync(folder, { recursive: true, force: true })
}
