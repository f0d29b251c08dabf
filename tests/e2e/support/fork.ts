import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { colours, site } from '#site'
import { ensureBuild } from '../../../demo/build.ts'
import type { Keeper } from '../../../demo/keeper.ts'

const root = join(import.meta.dirname, '../../..')
const copy = join(root, '.demo/fork')
const left = new Set(['tests', 'docs', 'node_modules', 'test-results', 'coverage'])

/**
 * Builds a fork: this project with the pages of docs/build, and those of tests/e2e/fork, which follow wagmi's guides. Returns its
 * folder. Its packages are hard links, because Turbopack follows no link out of the project.
 */
export async function buildFork(keeper: Keeper): Promise<string> {
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(copy))
    if (!['node_modules', '.next', '.demo'].includes(name)) rmSync(join(copy, name), { recursive: true })
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || name === '.npmrc'))
      cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true })
  cpSync(join(root, 'tests/e2e/fork/app'), join(copy, 'app'), { recursive: true, preserveTimestamps: true })
  adopt(join(copy, 'site.config.ts'))
  for (const { path, code } of guideFiles()) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), code)
  }
  if (!existsSync(join(copy, 'node_modules')))
    execFileSync('cp', [process.platform === 'linux' ? '-al' : '-Rc', join(root, 'node_modules'), copy])
  await ensureBuild(copy, keeper)
  return copy
}

/** What docs/build/identity.md says how to change. */
export const identity = { name: 'Vaultine', gold: '#7cc4ff', image: 'https://images.example' }

function adopt(path: string): void {
  const text = readFileSync(path, 'utf8')
    .replace(`name: '${site.name}'`, `name: '${identity.name}'`)
    .replace(`gold: { light: '${colours.gold.light}'`, `gold: { light: '${identity.gold}'`)
    .replace('images: []', `images: ['${identity.image}']`)
    .replace('menu: [', "menu: [\n    { href: '/tutorial', text: 'Tutorial' },")
  writeFileSync(path, text)
}

interface GuideFile {
  /** Below the project's folder. */
  readonly path: string
  readonly code: string
}

/** The code blocks with a file name of all guides. */
export function guideFiles(): readonly GuideFile[] {
  return globSync('docs/build/*.md', { cwd: root }).flatMap((guide) =>
    [...readFileSync(join(root, guide), 'utf8').matchAll(/^```tsx? title="([^"]+)"\n(.*?)^```$/gms)].map(
      ([, path = '', code = '']) => ({ path, code }),
    ),
  )
}
