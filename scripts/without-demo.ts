import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { withAppCopy } from './app-copy.ts'
import { root } from './steps.ts'

/**
 * Type-checks a copy of what is built from which all has been deleted that docs/build/identity.md names, `demo/` first; exits with the
 * compiler's own code. A whole build would take a minute more and could fail over nothing else: what it misses is an import.
 */
withAppCopy('without', ['demo'], (copy) => {
  for (const path of removable()) rmSync(join(copy, path), { recursive: true })
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
})

/** The paths in the second column of the guide's last table. */
function removable(): readonly string[] {
  const guide = readFileSync(join(root, 'docs/build/identity.md'), 'utf8')
  const paths = guide.slice(guide.indexOf('| | delete |')).matchAll(/^\|[^|]+\|([^|]+)\|/gm)
  return [...paths].flatMap(([, cell = '']) => cell.match(/(?<=`)(?:app|lib)\/[^`]+/g) ?? [])
}
