import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './run.mjs'

/** Installs the git hook in a developer's own clone. Images, CI and production installs go without. */
export function installHooks() {
  const hooks = join(root, 'node_modules/simple-git-hooks/cli.js')
  if (process.env.CI || !existsSync(join(root, '.git/HEAD')) || !existsSync(hooks)) return
  try {
    execFileSync(process.execPath, [hooks], { cwd: root, stdio: 'ignore' })
  } catch {
    // Nothing that is built or tested needs it.
    say('the git hook could not be installed; commits go unchecked')
  }
}
