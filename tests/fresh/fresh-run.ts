import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { site } from '#site'
import type { CommandOptions, User } from '../support/run-command.ts'
import { must, network, run } from './commands.ts'
import type { Machine } from './machine.ts'

export type FreshRun = {
  readonly npm: string
  readonly node: string
  readonly user: User | null
  /** Whether to build and start the demo, which takes minutes. */
  readonly demo: boolean
}

/** Clones HEAD and runs both commands, like a new user of the project. Returns what is wrong, or null. */
export async function tryOut(trial: FreshRun, machine: Machine, root: string): Promise<string | null> {
  const { npm, node, user } = trial
  const clone = mkdtempSync(join(machine.folder, 'clone-'))
  const env = {
    ...network(),
    NODE_ENV: 'production' as const,
    PATH: `${machine.tools(npm, node)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: user?.home ?? process.env.HOME ?? '',
    PLAYWRIGHT_BROWSERS_PATH: join(clone, '.demo/browsers'),
    npm_config_prefer_offline: 'true',
  }
  const here = { cwd: clone, env, user }
  await must(['git', 'clone', '--quiet', root, clone], { ...here, cwd: root, user: null })
  if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, clone])

  const tests = await run(['npm', 'test', '--', 'nothing'], here)
  // An unknown step: everything before it has succeeded, and Node 24 runs the TypeScript.
  if (tests.code !== 2 || !tests.all.includes('There is no step nothing'))
    return `npm test: ${tests.all.slice(-2000)}`
  return faultAfter(here, trial.demo)
}

/** Problems of the clone after its first command; null if there are none. */
async function faultAfter(options: CommandOptions, withDemo: boolean): Promise<string | null> {
  const demo = await run(['npm', 'run', 'demo', '--', '--nothing'], options)
  if (!demo.all.includes('usage: npm run demo')) return `npm run demo: ${demo.all.slice(-2000)}`
  const node = await run(['node_modules/.bin/node', '--version'], options)
  if (!node.all.startsWith('v24.')) return `node_modules/.bin/node is ${node.all}`
  const second = await run(['node', 'scripts/bootstrap.mjs'], options)
  if (second.code !== 0 || second.all !== '') return `the second bootstrap: ${second.all}`
  const list = await run(['npm', 'ls'], options)
  if (list.code !== 0) return `npm ls: ${list.all.slice(-2000)}`
  const changes = await must(['git', 'status', '--porcelain'], options)
  if (changes !== '') return `changed in the clone: ${changes}`
  if (!withDemo) return null
  const port = String(20_000 + (process.pid % 10_000))
  const env = { ...options.env, PORT: port }
  const started = await run(['npm', 'run', 'demo'], { ...options, env, until: 'Ctrl-C stops all of it.' })
  return started.all.includes(`${site.name} is up: http://localhost:${port}`)
    ? null
    : `npm run demo: ${started.all.slice(-2000)}`
}
