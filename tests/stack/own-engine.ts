import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, awaited } from './shell.ts'

export interface OwnEngine {
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

const stopMsMax = 20_000
/** Only the networks that a run makes: the default bridge, packet filter and forwarding would be those of all engines. */
const ownNetworks = ['--bridge', 'none', '--iptables=false', '--ip-forward=false']

/** A dockerd with all its data in `folder`; null if it does not start. It always ends with this process. */
export async function startOwnEngine(folder: string): Promise<OwnEngine | null> {
  mkdirSync(folder, { recursive: true })
  const at = (name: string) => join(folder, name)
  const address = `unix://${at('docker.sock')}`
  const log = openSync(at('dockerd.log'), 'w')
  const data = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')]
  const options = ['--host', address, ...data, ...ownNetworks]
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'dockerd', ...options], {
    stdio: ['ignore', log, log],
  })
  child.once('error', () => {})
  const env = { DOCKER_HOST: address }
  const stop = async () => {
    await end(child)
    await unmountBelow(folder)
  }
  const answers = async () => {
    if (child.exitCode !== null || child.pid === undefined) return false
    return (await attempt('docker', ['info'], { env, timeoutMs: 10_000 })).ok || null
  }
  if (await awaited('dockerd', answers).catch(() => false)) return { env, stop }
  await stop()
  return null
}

/** The last error line of dockerd. */
export function reasonOf(folder: string): string {
  const path = join(folder, 'dockerd.log')
  return existsSync(path) ? (readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '').slice(0, 300) : ''
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await gone
  clearTimeout(timer)
}

async function unmountBelow(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  for (const path of mounts.filter((path) => path.startsWith(`${folder}/`)))
    await attempt('umount', ['--lazy', path])
}
