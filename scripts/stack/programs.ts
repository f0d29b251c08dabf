import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { say } from '../../demo/say.ts'

const debian = {
  nginx: 'nginx-light',
  prometheus: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
}
export type Program = keyof typeof debian

/**
 * Null when all of them can be run; installs them where root can, on Debian; else a sentence that says what to install. Nothing
 * of what is installed is started by the system.
 */
export function ensurePrograms(programs: readonly Program[]): string | null {
  const missing = () => programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  const packages = missing().map((name) => debian[name])
  if (packages.length === 0) return null
  const advice = `Install them first: apt-get install --no-install-recommends ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return advice
  say(`installing ${packages.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', ['update', '-q'], { env })
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env })
  return missing().length === 0 ? null : advice
}
