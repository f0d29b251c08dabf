import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { say } from '../../demo/say.ts'
import { awaitHealthy, type Engine, project } from './engine.ts'
import { run } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const image = `quorate:${project}`
const chainsImage = `quorate-chains:${project}`

/** Builds both images like docs/deploy.md, with the certificates and the registry of this machine. */
export async function buildOurs({ docker, isOwn }: Engine, folder: string): Promise<void> {
  const ca = process.env.NODE_EXTRA_CA_CERTS
  const secrets = ca === undefined ? [] : ['--secret', `id=ca,src=${ca}`]
  secrets.push('--secret', `id=npmrc,src=${await writeNpmrc(folder)}`)
  // With its own engine, builds use the host network, because bridges may not work.
  if (isOwn) secrets.push('--network', 'host')
  for (const args of [
    ['-t', image],
    ['-t', chainsImage, '--target', 'chains'],
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
  const own = existsSync(user) ? readFileSync(user, 'utf8') : ''
  writeFileSync(path, `${own}\nregistry=${registry.split('\n').at(-1)}\n`, { mode: 0o600 })
  return path
}

export async function sizeOf({ docker }: Engine): Promise<string> {
  const bytes = Number(await docker(['image', 'inspect', '--format', '{{.Size}}', image]))
  const words = `${(bytes / 1e6).toFixed(1)} MB`
  if (bytes >= 200e6) throw new Error(words)
  return words
}

export async function removeOurs({ docker }: Engine): Promise<void> {
  await docker(['rmi', '-f', image, chainsImage]).catch(() => {})
}

const address = 'fd00::2'
const onlyIPv6 = `ip addr del 127.0.0.1/8 dev lo && ip addr add ${address}/128 dev lo`
const look = `import { networkInterfaces } from 'node:os'
  const addresses = Object.values(networkInterfaces()).flat()
  if (addresses.some(({ family }) => family !== 'IPv6')) throw new Error('an IPv4 address')
  for (const host of ['::1', '${address}'])
    if (!(await fetch(\`http://[\${host}]:3000/api/rpc/ready\`)).ok) throw new Error(host)`

/** The image gets ready by itself, hardened, where there is no IPv4 at all, at [::1] and the pod's own address, and SIGTERM ends it. */
export async function lifeOf({ docker }: Engine): Promise<string> {
  const run = async (...args: string[]) => (await docker(['run', ...args])).split('\n').at(-1) ?? ''
  const tools = ['--user', '0', '--entrypoint', 'busybox', 'caddy:2.10.0']
  const network = ['--network', 'none', '--sysctl', 'net.ipv6.conf.all.disable_ipv6=0']
  // As in a pod, a container of its own holds the network.
  const ids = [await run('-d', ...network, ...tools, 'sleep', 'inf')]
  const inPod = ['--network', `container:${ids[0]}`]
  try {
    await run('--rm', '--cap-add', 'NET_ADMIN', ...inPod, ...tools, 'sh', '-c', onlyIPv6)
    const hardened = ['--read-only', '--cap-drop', 'ALL', '-e', 'LOG_LEVEL=silent']
    const id = await run('-d', ...inPod, ...hardened, image)
    ids.push(id)
    await awaitHealthy({ docker }, id)
    await docker(['exec', id, 'node', '--input-type=module', '-e', look])
    await docker(['stop', '-t', '120', id])
    const code = await docker(['inspect', '--format', '{{.State.ExitCode}}', id])
    if (code !== '0') throw new Error(`SIGTERM ended it with ${code}`)
    return `at [::1] and [${address}]`
  } finally {
    await docker(['rm', '-f', ...ids])
  }
}
