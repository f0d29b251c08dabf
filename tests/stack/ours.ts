import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../demo/ports.ts'
import { say } from '../../demo/say.ts'
import type { Engine } from './engine.ts'
import { awaited, run } from './shell.ts'

const root = join(import.meta.dirname, '../..')

/** Builds both images like docs/deploy.md, with the certificates and the registry of this machine. */
export async function buildOurs({ docker, isOwn }: Engine, folder: string): Promise<void> {
  const ca = process.env.NODE_EXTRA_CA_CERTS
  const secrets = ca === undefined ? [] : ['--secret', `id=ca,src=${ca}`]
  secrets.push('--secret', `id=npmrc,src=${await writeNpmrc(folder)}`)
  // With its own engine, builds use the host network, because bridges may not work.
  if (isOwn) secrets.push('--network', 'host')
  for (const args of [
    ['-t', 'quorate:0.1.0'],
    ['-t', 'quorate-chains:0.1.0', '--target', 'chains'],
  ]) {
    say(`building ${args[1]}`)
    await docker(['build', '--progress=plain', ...secrets, ...args, root])
  }
}

/** The npm settings of the user, and a registry set by an environment variable. */
async function writeNpmrc(folder: string): Promise<string> {
  const user = join(homedir(), '.npmrc')
  const registry = await run('npm', ['config', 'get', 'registry'], { cwd: root })
  const path = join(folder, 'npmrc')
  const lines = [
    existsSync(user) ? readFileSync(user, 'utf8') : '',
    `registry=${registry.split('\n').at(-1)}`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  return path
}

export async function sizeOf({ docker }: Engine): Promise<string> {
  const bytes = Number(await docker(['image', 'inspect', '--format', '{{.Size}}', 'quorate:0.1.0']))
  const words = `${(bytes / 1e6).toFixed(1)} MB`
  if (bytes >= 200e6) throw new Error(words)
  return words
}

/** The image gets ready by itself, hardened, and SIGTERM ends it. */
export async function lifeOf({ docker }: Engine): Promise<string> {
  const port = await freePort()
  const hardened = ['--read-only', '--cap-drop', 'ALL', '-p', `127.0.0.1:${port}:3000`]
  const startedAt = performance.now()
  const printed = await docker(['run', '-d', '-e', 'LOG_LEVEL=silent', ...hardened, 'quorate:0.1.0'])
  const id = printed.split('\n').at(-1) ?? ''
  try {
    await awaited('ready', async () => (await isReady(port)) || null, 20)
    const readyMs = performance.now() - startedAt
    await docker(['stop', '-t', '120', id])
    const code = await docker(['inspect', '--format', '{{.State.ExitCode}}', id])
    if (code !== '0') throw new Error(`SIGTERM ended it with ${code}`)
    return `ready after ${readyMs.toFixed(0)} ms`
  } finally {
    await docker(['rm', '-f', id])
  }
}

async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/api/rpc/ready`)).status === 200
}
