import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ensurePrograms } from '../../scripts/system-packages.ts'
import { type OwnEngine, reasonOf, startOwnEngine } from './own-engine.ts'
import { attempt, awaited, run } from './shell.ts'

/** A container engine and its client programs. */
export interface Engine {
  readonly docker: (args: readonly string[], options?: { readonly timeoutMs?: number }) => Promise<string>
  readonly compose: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>
  /** Whether the engine was started for this run, so that it may get images under any name. */
  readonly isOwn: boolean
  /** Name and version, for the report. */
  readonly versions: string
  /** Stops the engine if it was started for this run. */
  readonly stop: () => Promise<void>
}

/** Why no engine is available, in one sentence. */
export class NoEngine extends Error {}

/** Other runs may use the same engine. */
export const project = `quorate-stack-${randomUUID().slice(0, 8)}`
const profiles = ['obs', 'scale', 'load'].flatMap((name) => ['--profile', name])

/** The running engine; otherwise a new one with its data in `folder`, which root can start on Debian. */
export async function findEngine(folder: string): Promise<Engine> {
  const own = (await isRunning()) ? null : await ownEngine(folder)
  // Debian's client has BuildKit built in; others need a plugin.
  const client = existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker'
  const env = {
    DOCKER_BUILDKIT: '1',
    COMPOSE_DOCKER_CLI_BUILD: '1',
    COMPOSE_PROJECT_NAME: project,
    TAG: project,
    ...own?.env,
  }
  const isPlugin = (await attempt(client, ['compose', 'version'], { env })).ok
  const composer = isPlugin ? [client, 'compose'] : ['docker-compose']
  if (!isPlugin && !(await attempt('docker-compose', ['version'])).ok)
    throw new NoEngine('neither docker compose nor docker-compose is installed')
  const [program = '', ...first] = composer
  const version = await run(client, ['version', '--format', '{{.Server.Version}}'], { env })
  const composeVersion = await run(program, [...first, 'version', '--short'], { env })
  return {
    docker: (args, options = {}) => run(client, args, { env, ...options }),
    compose: (args, more = {}) =>
      run(program, [...first, ...profiles, ...args], { env: { ...env, ...more } }),
    isOwn: own !== null,
    versions: `Docker ${version}${own === null ? '' : ' (started for this run)'}, Compose ${composeVersion}`,
    stop: async () => own?.stop(),
  }
}

export async function awaitHealthy({ docker }: Pick<Engine, 'docker'>, container: string): Promise<void> {
  const format = ['--format', '{{.State.Health.Status}}']
  const isHealthy = async () => (await docker(['inspect', ...format, container])) === 'healthy' || null
  await awaited(`the container ${container} healthy`, isHealthy)
}

async function isRunning(): Promise<boolean> {
  return (await attempt('docker', ['info'], { timeoutMs: 20_000 })).ok
}

async function ownEngine(folder: string): Promise<OwnEngine> {
  if (process.getuid?.() !== 0) throw new NoEngine('no Docker engine runs, and only root can start one')
  const advice = ensurePrograms(['dockerd', 'docker-compose', 'debootstrap', 'iptables'])
  if (advice !== null) throw new NoEngine(`no Docker engine runs; ${advice}`)
  const own = await startOwnEngine(folder)
  if (own === null) throw new NoEngine(`dockerd does not start here: ${reasonOf(folder)}`)
  return own
}
