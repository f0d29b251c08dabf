import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

/**
 * Type-checks a copy of what is built from which `demo/` has been deleted, as somebody who forks it may do; exits with the
 * compiler's own code. A whole build would take a minute more and could fail over nothing else: what it misses is an import.
 */
const copy = join(root, '.demo/without')
const left = new Set(['demo', 'tests', 'docs', 'node_modules', 'test-results', 'coverage'])

rmSync(copy, { recursive: true, force: true })
mkdirSync(copy, { recursive: true })
try {
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const check = [
    '--noEmit',
    '--incremental',
    'false',
    '--noUncheckedSideEffectImports',
    '-p',
    'tsconfig.next.json',
  ]
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), check, { cwd: copy, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
