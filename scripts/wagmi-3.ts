import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAppCopy } from './app-copy.ts'
import { root } from './steps.ts'

/**
 * Builds a copy of the app with the newest wagmi 3, although RainbowKit asks for wagmi 2; exits with the code of the step that failed,
 * and its output says what breaks. `npm test -- wagmi-3` reports it and never fails.
 */
withAppCopy('wagmi-3', [], (copy) => {
  /** The exit code of a command in the copy. */
  const run = (command: string, ...args: string[]): number => {
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
    return spawnSync(command, args, { cwd: copy, env, stdio: 'inherit' }).status ?? 1
  }
  writeFileSync(join(copy, 'package.json'), JSON.stringify(withWagmi3()))
  process.exitCode =
    run('npm', 'install', '--ignore-scripts') ||
    run('npm', 'ls', 'wagmi') ||
    run('node_modules/.bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.next.json') ||
    run('node_modules/.bin/next', 'build')
})

function withWagmi3(): unknown {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, wagmi: '3' },
    overrides: { ...manifest.overrides, '@rainbow-me/rainbowkit': { wagmi: '$wagmi' } },
  }
}
