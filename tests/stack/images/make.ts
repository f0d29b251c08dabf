import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../../../demo/say.ts'
import { type Engine, NoEngine, project } from '../engine.ts'
import { attempt, lastLines, run } from '../shell.ts'

/** A third-party image of docker-compose.yml or the Dockerfile, and its Debian replacement. */
interface Public {
  readonly name: string
  /** Lines of a Dockerfile on top of the common base. */
  readonly lines: readonly string[]
  /** The replacement, for the report. */
  readonly instead: string
}

const base = 'quorate-stack-test/debian'
const packages =
  'busybox,ca-certificates,caddy,curl,prometheus,prometheus-alertmanager,nginx-light,redis-server'
const standIn = (name: string, ...ports: number[]) => [
  'COPY stand-in.mjs /stand-in.mjs',
  `ENTRYPOINT ${JSON.stringify(['node', '/stand-in.mjs', name, ...ports.map(String)])}`,
]

function publicImages(hasCollector: boolean): readonly Public[] {
  return [
    { name: 'node:24.21.0-bookworm-slim', lines: [], instead: 'Node of npm on Debian' },
    { name: 'nginx:1.28.0', lines: [], instead: 'nginx of Debian' },
    { name: 'caddy:2.10.0', lines: [], instead: 'Caddy of Debian' },
    { name: 'redis:7.2.5', lines: [], instead: 'Redis of Debian' },
    {
      name: 'prom/prometheus:v3.5.0',
      lines: ['RUN mkdir /prometheus && chown nobody /prometheus'],
      instead: 'Prometheus of Debian',
    },
    {
      name: 'prom/alertmanager:v0.28.1',
      lines: ['ENTRYPOINT ["prometheus-alertmanager"]'],
      instead: 'Alertmanager of Debian',
    },
    {
      name: 'otel/opentelemetry-collector:0.156.0',
      lines: hasCollector
        ? ['COPY out/otelcol /otelcol', 'ENTRYPOINT ["/otelcol"]']
        : standIn('the OpenTelemetry collector', 4318, 8888),
      instead: hasCollector ? 'its core, built by Go' : 'a stand-in: there is no Go here',
    },
    { name: 'jaegertracing/all-in-one:1.71.0', lines: standIn('Jaeger', 4318, 16686), instead: 'a stand-in' },
    { name: 'grafana/grafana:12.1.0', lines: standIn('Grafana', 3000), instead: 'a stand-in' },
  ]
}

const publicNames = publicImages(true).map(({ name }) => name)
const pullMsMax = 180_000

export interface Images {
  /** One line for each image that could not be pulled. */
  readonly made: readonly string[]
  readonly hasCollector: boolean
}

/** Pulls the public images; builds those that cannot be pulled under the same names in `folder`. */
export async function ensureImages({ docker, isOwn }: Engine, folder: string): Promise<Images> {
  const pull = async (name: string) =>
    (await succeeds(docker(['image', 'inspect', name]))) ||
    succeeds(docker(['pull', '-q', name], { timeoutMs: pullMsMax }))
  const pulled = await Promise.all(publicNames.map(pull))
  const missing = publicNames.filter((_, at) => !pulled[at])
  if (missing.length === 0) return { made: [], hasCollector: true }
  if (!isOwn) throw new NoEngine(`the engine that runs cannot pull ${missing.join(', ')}`)
  say(`${missing.length} images cannot be pulled: making them of Debian packages`)
  mkdirSync(folder, { recursive: true })
  for (const file of ['stand-in.mjs', 'collector.yml'])
    cpSync(join(import.meta.dirname, file), join(folder, file))
  const [hasCollector] = await Promise.all([buildCollector(folder), makeBase(docker, folder)])
  const wanted = publicImages(hasCollector).filter(({ name }) => missing.includes(name))
  await probe(docker)
  for (const { name, lines } of wanted) {
    const path = join(folder, 'Dockerfile')
    writeFileSync(path, [`FROM ${base}`, ...lines, ''].join('\n'))
    await docker(['build', '-q', '--network', 'host', '-t', name, '-f', path, folder])
  }
  return { made: wanted.map(({ name, instead }) => `${name}: ${instead}`), hasCollector }
}

function succeeds(ran: Promise<string>): Promise<boolean> {
  return ran.then(
    () => true,
    () => false,
  )
}

/** A machine may run an engine but no containers: without overlayfs, cgroups or bridges. */
async function probe(docker: Engine['docker']): Promise<void> {
  const limits = ['--memory', '64m', '--pids-limit', '32', '--read-only', '--cap-drop', 'ALL']
  try {
    await docker(['network', 'create', project])
    await docker(['run', '--rm', ...limits, '--network', project, '-p', '127.0.0.1:0:80', base, 'true'])
    await docker(['network', 'rm', project])
  } catch (cause) {
    throw new NoEngine(`containers do not run here: ${lastLines((cause as Error).message)}`)
  }
}

async function makeBase(docker: Engine['docker'], folder: string): Promise<void> {
  const rootfs = join(folder, 'rootfs')
  const tar = join(folder, 'rootfs.tar')
  await unpack(rootfs)
  copyFileSync(process.execPath, join(rootfs, 'usr/local/bin/node'))
  const cli = realpathSync(await run('sh', ['-c', 'command -v npm']))
  cpSync(join(cli, '../..'), join(rootfs, 'usr/local/lib/node_modules/npm'), { recursive: true })
  const link = 'ln -s ../lib/node_modules/npm/bin/npm-cli.js usr/local/bin/npm; ln -s busybox usr/bin/wget'
  await run('sh', ['-c', `${link}; chroot . useradd -u 1000 -m node`], { cwd: rootfs })
  const without = ['cache/apt', 'lib/apt/lists'].map((path) => `--exclude=./var/${path}`)
  await run('tar', ['-C', rootfs, ...without, '-cf', tar, '.'])
  await docker(['import', tar, base])
  say('the base of Debian packages is made')
}

/** A mirror may fail once. */
async function unpack(rootfs: string): Promise<void> {
  const args = ['debootstrap', '--variant=minbase', `--include=${packages}`, 'bookworm', rootfs]
  for (let left = 2; left > 0; left--) {
    const { ok, text } = await attempt('nice', args)
    if (ok) return
    if (left === 1) throw new NoEngine(`debootstrap cannot make a base: ${lastLines(text)}`)
    rmSync(rootfs, { recursive: true, force: true })
  }
}

/** False without Go, or if its proxy does not have the modules. */
async function buildCollector(folder: string): Promise<boolean> {
  const builder = 'go.opentelemetry.io/collector/cmd/builder@v0.156.0'
  // The builder does not remove its folder.
  const options = { cwd: folder, env: { GOFLAGS: '-buildvcs=false', TMPDIR: folder } }
  const built = await attempt('nice', ['go', 'run', builder, '--config', 'collector.yml'], options)
  const hasCollector = built.ok && existsSync(join(folder, 'out/otelcol'))
  say(hasCollector ? 'the OpenTelemetry collector is built' : 'no OpenTelemetry collector can be built here')
  return hasCollector
}
