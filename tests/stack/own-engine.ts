import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, awaited } from './shell.ts'

export interface OwnEngine {
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

const stopMsMax = 20_000

/** A dockerd with all its data in `folder`; null if it does not start. It always ends with this process. */
export async function startOwnEngine(folder: string): Promise<OwnEngine | null> {
  mkdirSync(folder, { recursive: true })
  const at = (name: string) => join(folder, name)
  const address = `unix://${at('docker.sock')}`
  const restoreNetwork = await keepNetwork()
  const log = openSync(at('dockerd.log'), 'w')
  const data = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')]
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'dockerd', '--host', address, ...data], {
    stdio: ['ignore', log, log],
  })
  child.once('error', () => {})
  const env = { DOCKER_HOST: address }
  const stop = async () => {
    await end(child)
    await unmountBelow(folder)
    await restoreNetwork()
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

const forwarding = '/proc/sys/net/ipv4/ip_forward'
const bridge = '/sys/class/net/docker0'

/** dockerd leaves its bridge, packet filter rules and forwarding enabled. Returns a function that restores the previous state. */
async function keepNetwork(): Promise<() => Promise<void>> {
  const hadBridge = existsSync(bridge)
  const forwarded = readFileSync(forwarding, 'utf8')
  const filters = await Promise.all(
    ['iptables', 'ip6tables'].map(async (program) => ({
      program,
      before: await attempt(`${program}-save`, []),
    })),
  )
  return async () => {
    if (!hadBridge) await attempt('ip', ['link', 'delete', 'docker0'])
    for (const { program, before } of filters)
      if (before.ok)
        await attempt('sh', ['-c', `printf '%s\\n' "$RULES" | ${program}-restore`], {
          env: { RULES: wholeFilter(before.text) },
        })
    if (readFileSync(forwarding, 'utf8') !== forwarded) writeFileSync(forwarding, forwarded)
  }
}

/** A missing table is not saved, and would keep the rules added later. */
function wholeFilter(saved: string): string {
  const tables = {
    filter: ['INPUT', 'FORWARD', 'OUTPUT'],
    nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  }
  const missing = Object.entries(tables).filter(([name]) => !saved.includes(`*${name}\n`))
  const empty = missing.map(([name, chains]) =>
    [`*${name}`, ...chains.map((chain) => `:${chain} ACCEPT [0:0]`), 'COMMIT'].join('\n'),
  )
  return [saved, ...empty].filter(Boolean).join('\n')
}
