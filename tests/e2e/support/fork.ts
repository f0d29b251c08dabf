import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuild } from '../../../demo/build.ts'
import type { Keeper } from '../../../demo/keeper.ts'

const root = join(import.meta.dirname, '../../..')
const copy = join(root, '.demo/fork')
const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

/**
 * Builds a fork: this project with the pages of tests/e2e/fork, as somebody would add them who follows wagmi's guides. Returns
 * its folder. Its packages are hard links, because Turbopack follows no link out of the project.
 */
export async function buildFork(keeper: Keeper): Promise<string> {
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(copy))
    if (!['node_modules', '.next', '.demo'].includes(name)) rmSync(join(copy, name), { recursive: true })
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true })
  cpSync(join(root, 'tests/e2e/fork/app'), join(copy, 'app'), { recursive: true, preserveTimestamps: true })
  if (!existsSync(join(copy, 'node_modules')))
    execFileSync('cp', [process.platform === 'linux' ? '-al' : '-Rc', join(root, 'node_modules'), copy])
  await ensureBuild(copy, keeper)
  return copy
}
