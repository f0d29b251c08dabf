import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const debian = {
  'redis-server': 'redis-server',
  dockerd: 'docker.io',
  'docker-compose': 'docker-compose',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  kubectl: 'kubernetes-client',
}
export type Program = keyof typeof debian

const installMsMax = 180_000

/**
 * Null when all of them can be run; installs them where root can, on Debian; else a sentence that says what to install. Nothing
 * of what is installed is started by the system.
 */
export function ensurePrograms(programs: readonly Program[]): string | null {
  const missing = () => programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  const packages = missing().map((name) => debian[name])
  if (packages.length === 0) return null
  const advice = `install first: apt-get install --no-install-recommends ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return advice
  console.log(`installing ${packages.join(', ')}`)
  aptGet('update', '-q')
  aptGet('install', '-y', '-q', '--no-install-recommends', ...packages)
  return missing().length === 0 ? null : advice
}

function aptGet(...args: string[]): void {
  spawnSync('apt-get', ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=60', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    stdio: 'ignore',
    timeout: installMsMax,
  })
}
