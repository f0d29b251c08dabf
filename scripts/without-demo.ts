import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

/**
 * Builds a copy of the project from which `demo/` has been deleted, as somebody who forks it may do; exits with the build's
 * own code. The packages are linked, not copied, where the file system can.
 */
const copy = join(root, '.demo/without')
const left = new Set(['demo', 'tests', 'docs', 'node_modules', 'test-results', 'coverage'])

rmSync(copy, { recursive: true, force: true })
mkdirSync(copy, { recursive: true })
try {
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(copy, name), { recursive: true })
  const packages = [join(root, 'node_modules'), join(copy, 'node_modules')]
  if (spawnSync('cp', ['-al', ...packages]).status !== 0) spawnSync('cp', ['-R', ...packages])
  const { status } = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
