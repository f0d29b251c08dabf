import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap/run.mjs'

/** After an install in a developer's own clone: the git hook. Images, CI and production installs go without. */
const hooks = join(root, 'node_modules/.bin/simple-git-hooks')
const isClone = existsSync(join(root, '.git/HEAD'))
if (isClone && existsSync(hooks) && !process.env.CI) execFileSync(hooks, { cwd: root, stdio: 'ignore' })
