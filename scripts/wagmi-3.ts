import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.ts'

/**
 * Builds a copy of the app with the newest wagmi 3, although RainbowKit asks for wagmi 2; exits with the code of the step that failed,
 * and its output says what breaks. `npm test -- wagmi-3` reports it and never fails.
 */
const copy = join(root, '.demo/wagmi-3')
const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

rmSync(copy, { recursive: true, force: true })
mkdirSync(copy, { recursive: true })
try {
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(copy, name), { recursive: true })
  writeFileSync(join(copy, 'package.json'), JSON.stringify(withWagmi3()))
  process.exitCode =
    run('npm', 'install', '--ignore-scripts') ||
    run('npm', 'ls', 'wagmi') ||
    run('node_modules/.bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.next.json') ||
    run('node_modules/.bin/next', 'build')
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function withWagmi3(): unknown {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, wagmi: '3' },
    overrides: { ...manifest.overrides, '@rainbow-me/rainbowkit': { wagmi: '$wagmi' } },
  }
}

/** The exit code of a command in the copy. */
function run(command: string, ...args: string[]): number {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  return spawnSync(command, args, { cwd: copy, env, stdio: 'inherit' }).status ?? 1
}
