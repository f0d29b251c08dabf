import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { here, nameOf, nodePackages } from '../../scripts/bootstrap/platform.mjs'
import type { User } from '../support/run-command.ts'
import { must, network } from './commands.ts'

export type Machine = {
  /** A world-readable folder for this run. */
  readonly folder: string
  /** A folder with `node` and `npm` in these versions. */
  readonly tools: (npm: string, node: string) => string
  /** A non-root user, or the reason why there is none. */
  readonly stranger: User | string
  readonly leave: () => void
}

/** Installs these versions of the tools from the registry and adds a user if allowed; `leave` removes both. */
export async function prepareMachine(
  root: string,
  versions: readonly { readonly npm: string; readonly node: string }[],
): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-fresh-'))
  chmodSync(folder, 0o755)
  const installed = join(folder, 'tools')
  mkdirSync(installed)
  const nodePackage = (nodePackages as Readonly<Record<string, string>>)[nameOf(here)]
  if (nodePackage === undefined) throw new Error(`There is no Node in the registry for ${nameOf(here)}.`)
  const wanted = versions.flatMap(({ npm, node }) => [
    `npm-${npm}@npm:npm@${npm}`,
    `node-${node}@npm:${nodePackage}@${node}`,
  ])
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { PATH, HOME } = process.env
  const env = { ...network(), NODE_ENV: 'production' as const, PATH, HOME }
  const options = { cwd: root, env, user: null }
  await must(['npm', 'install', '--prefix', installed, ...flags, ...wanted], options)
  const stranger = addUser()
  return {
    folder,
    tools: (npm, node) => linkTools(folder, npm, node),
    stranger,
    leave() {
      if (typeof stranger === 'object') spawnSync('userdel', ['--remove', stranger.name], { stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function linkTools(folder: string, npm: string, node: string): string {
  const bin = join(folder, 'bin', `${npm}-${node}`)
  mkdirSync(bin, { recursive: true })
  const packages = join(folder, 'tools/node_modules')
  symlinkSync(join(packages, `node-${node}/bin/node`), join(bin, 'node'))
  symlinkSync(join(packages, `npm-${npm}/bin/npm-cli.js`), join(bin, 'npm'))
  symlinkSync(join(packages, `npm-${npm}/bin/npx-cli.js`), join(bin, 'npx'))
  return bin
}

function addUser(): User | string {
  if (process.getuid?.() !== 0) return 'only root can add a user'
  const name = `quorate-${process.pid}`
  const home = `/home/${name}`
  const added = spawnSync('useradd', ['--create-home', '--home-dir', home, name], { encoding: 'utf8' })
  if (added.status !== 0) return `useradd: ${added.error?.message ?? added.stderr.trim()}`
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  return { name, home, uid: id('-u'), gid: id('-g') }
}
