import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, awaited, run } from './shell.ts'

/** A container engine, and the programs that talk to it. */
export interface Engine {
  readonly docker: (args: readonly string[]) => Promise<string>
  readonly compose: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>
  /** What runs, for the report. */
  readonly versions: string
  /** Ends the engine where we started it. */
  readonly stop: () => Promise<void>
}

/** Why no engine can be had here, in a sentence. */
export class NoEngine extends Error {}

const project = 'quorate-stack-test'
const profiles = ['obs', 'scale', 'load'].flatMap((name) => ['--profile', name])

/** The engine that runs; where none does, one of our own with its data in `folder`, which root can start on Debian. */
export async function findEngine(folder: string): Promise<Engine> {
  const running = await attempt('docker', ['info', '--format', '{{.ServerVersion}}'])
  if (!running.ok) await ensurePackages()
  const own = running.ok ? null : await startOwn(folder)
  // The client of Debian builds with BuildKit by itself; others need a plugin.
  const client = existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker'
  const env = {
    DOCKER_BUILDKIT: '1',
    COMPOSE_DOCKER_CLI_BUILD: '1',
    COMPOSE_PROJECT_NAME: project,
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
    docker: (args) => run(client, args, { env }),
    compose: (args, more = {}) =>
      run(program, [...first, ...profiles, ...args], { env: { ...env, ...more } }),
    versions: `Docker ${version}${own === null ? '' : ' (started for this run)'}, Compose ${composeVersion}`,
    stop: async () => own?.stop(),
  }
}

async function ensurePackages(): Promise<void> {
  if (process.getuid?.() !== 0) throw new NoEngine('no Docker engine runs, and only root can start one')
  const wanted = { dockerd: 'docker.io', 'docker-compose': 'docker-compose', debootstrap: 'debootstrap' }
  const missing: string[] = []
  for (const [program, name] of Object.entries(wanted))
    if (!(await attempt('sh', ['-c', `command -v ${program}`])).ok) missing.push(name)
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get'))
    throw new NoEngine(`no Docker engine runs, and this is no Debian to install ${missing.join(', ')} on`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await attempt('apt-get', ['update', '-q'], { env })
  const install = ['install', '-y', '-q', '--no-install-recommends', 'iptables', ...missing]
  const installed = await attempt('apt-get', install, { env })
  if (!installed.ok) throw new NoEngine(`apt-get could not install ${missing.join(', ')}`)
}

async function startOwn(folder: string) {
  mkdirSync(folder, { recursive: true })
  const at = (name: string) => join(folder, name)
  const log = openSync(at('dockerd.log'), 'w')
  const address = `unix://${at('docker.sock')}`
  const args = [
    '--host',
    address,
    '--data-root',
    at('data'),
    '--exec-root',
    at('exec'),
    '--pidfile',
    at('pid'),
  ]
  const child = spawn('dockerd', args, { stdio: ['ignore', log, log] })
  const env = { DOCKER_HOST: address }
  const answers = () =>
    attempt('docker', ['info'], { env }).then(({ ok }) =>
      ok ? true : child.exitCode === null ? null : false,
    )
  const isUp = await awaited('dockerd', 30_000, answers).catch(() => false)
  if (!isUp) {
    await end(child)
    throw new NoEngine(`dockerd does not start here (${at('dockerd.log')})`)
  }
  return { env, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
