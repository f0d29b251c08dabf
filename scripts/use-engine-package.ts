import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsWithoutEngine, engineFolders } from './use-engine-package/docs-without-engine.ts'

/**
 * `npm run use-engine-package [-- package]`: the engine becomes a dependency. `rpc-proxy/` and all that proves it are deleted, and the import
 * map leads to `@quorate/engine`, of the version that was here, or to the given package, such as a tarball of `npm pack ./rpc-proxy`. So do
 * the documents.
 */
type Manifest = {
  imports: Record<string, string>
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** Packages that only the engine and its suites import. */
const engineOnly = ['quick-lru', 'ethers-v5']

const root = process.cwd()
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
if (!existsSync(join(root, 'rpc-proxy'))) {
  console.error('There is no rpc-proxy/ here: the engine is a package already.')
  process.exit(1)
}
const engine = read('rpc-proxy/package.json') as Manifest & { name: string; version: string }
const manifest = read('package.json')
const before = ['package.json', 'knip.json'].map((path) => [path, readFileSync(join(root, path))] as const)
for (const alias of Object.keys(manifest.imports).filter((name) => name.startsWith('#rpc-proxy')))
  manifest.imports[alias] = alias.replace('#rpc-proxy', engine.name).replace(/\.ts$/, '.js')
const scripts = Object.keys(manifest.scripts).filter((name) =>
  manifest.scripts[name]?.includes('tests/engine/'),
)
for (const name of scripts) delete manifest.scripts[name]
for (const name of engineOnly) {
  delete manifest.dependencies[name]
  delete manifest.devDependencies[name]
}
writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

// What the suites of the engine alone used of the others is no fault of a fork.
const knip = read('knip.json') as unknown as Record<'entry' | 'ignore' | 'ignoreDependencies', string[]>
const stays = (pattern: string) => !/^(tests\/engine|rpc-proxy)\//.test(pattern)
knip.entry = knip.entry.filter(stays)
knip.ignore = [...knip.ignore.filter(stays), 'demo/**', 'tests/support/**']
knip.ignoreDependencies = knip.ignoreDependencies.filter((name) => /^@(foundry-rs|metamask\/test)/.test(name))
writeFileSync(join(root, 'knip.json'), `${JSON.stringify(knip, null, 2)}\n`)

const wanted = process.argv[2] ?? `${engine.name}@${engine.version}`
const npm = ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', wanted]
const { status } = spawnSync('npm', npm, { cwd: root, stdio: 'inherit' })
if (status !== 0) {
  for (const [path, text] of before) writeFileSync(join(root, path), text)
  console.error(
    `npm could not install ${wanted}: say which package it is, or where its tarball lies. Nothing was changed.`,
  )
  process.exit(1)
}
for (const folder of engineFolders) rmSync(join(root, folder), { recursive: true })
for (const path of globSync(['*.md', 'docs/**/*.md', 'tests/README.md'], { cwd: root })) {
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), docsWithoutEngine(path, text, { name: engine.name, scripts }))
}
// npm and JSON.stringify have another format.
spawnSync('node_modules/.bin/biome', ['format', '--write', 'knip.json', 'package.json'], { cwd: root })
console.log(`The engine is ${wanted} now. npm run verify shows that all holds; git diff shows what changed.`)
