import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/steps.ts'

/**
 * Type-checks a copy of the app and the scripts without `demo/` and the paths that docs/build/identity.md says can be deleted. Exits
 * with the compiler's exit code. A whole build would take a minute longer and find the same fault: a missing import.
 */
const left = new Set(['demo', 'tests', 'docs', 'node_modules', 'test-results', 'coverage'])
const copy = join(root, '.demo/without')
rmSync(copy, { recursive: true, force: true })
mkdirSync(copy, { recursive: true })
try {
  for (const entry of readdirSync(root))
    if (!left.has(entry) && !entry.startsWith('.'))
      cpSync(join(root, entry), join(copy, entry), { recursive: true })
  for (const path of removable()) rmSync(join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const flags = ['--noEmit', '--incremental', 'false', '--noUncheckedSideEffectImports']
  const compiler = join(root, 'node_modules/.bin/tsc')
  const args = [...flags, '-p', 'tsconfig.json']
  process.exitCode = spawnSync(compiler, args, { cwd: copy, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The paths in the second column of the guide's last table. */
function removable(): readonly string[] {
  const guide = readFileSync(join(root, 'docs/build/identity.md'), 'utf8')
  const paths = guide.slice(guide.indexOf('| | delete |')).matchAll(/^\|[^|]+\|([^|]+)\|/gm)
  return [...paths].flatMap(([, cell = '']) => cell.match(/(?<=`)(?:app|lib)\/[^`]+/g) ?? [])
}
