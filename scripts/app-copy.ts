import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

const npmsList = '.package-lock.json'

/** Works on a copy of what the app is built from, in `.demo/`, and removes it. `without`: entries of the root that are left out too. */
export function withAppCopy(name: string, without: readonly string[], work: (copy: string) => void): void {
  const copy = join(root, '.demo', name)
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  try {
    for (const entry of readdirSync(root))
      if (!left.has(entry) && !without.includes(entry) && (!entry.startsWith('.') || entry === '.npmrc'))
        cpSync(join(root, entry), join(copy, entry), { recursive: true })
    work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * Gives a copy of the project this checkout's packages, as hard links, because Turbopack follows no link out of the project. Without
 * their caches, which other processes write at the same time, and with a list of its own of what is installed, which npm writes in place.
 */
export function linkPackages(copy: string, checkout = root): void {
  const packages = join(copy, 'node_modules')
  mkdirSync(packages, { recursive: true })
  const from = join(checkout, 'node_modules')
  const entries = readdirSync(from).filter((name) => name === '.bin' || !name.startsWith('.'))
  const paths = entries.map((name) => join(from, name))
  execFileSync('cp', [process.platform === 'linux' ? '-al' : '-Rc', ...paths, packages])
  cpSync(join(from, npmsList), join(packages, npmsList))
}
