import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

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
