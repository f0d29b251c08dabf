import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/steps.ts'

const npmsList = '.package-lock.json'

/**
 * Gives a copy of the project this checkout's packages, as hard links, because Turbopack follows no link out of the project. Without
 * their caches, which other processes write at the same time, and with a list of its own of what is installed, which npm writes in place.
 */
export function linkPackages(copy: string): void {
  const packages = join(copy, 'node_modules')
  mkdirSync(packages, { recursive: true })
  const from = join(root, 'node_modules')
  const entries = readdirSync(from).filter((name) => name === '.bin' || !name.startsWith('.'))
  const paths = entries.map((name) => join(from, name))
  execFileSync('cp', [process.platform === 'linux' ? '-al' : '-Rc', ...paths, packages])
  cpSync(join(from, npmsList), join(packages, npmsList))
}
