import { matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dependencies } from '../../package.json' with { type: 'json' }
import { hostFolders, hostPackages } from '../../scripts/host-packages.mjs'
import { isOwn } from './support/layers.ts'
import { engineEntries, type Import, read, root, type Source, sources, within } from './support/sources.ts'

const configs = /^[a-z.-]+\.config\.(ts|mjs)$/
const entries = [
  'server.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'proxy.ts',
  'quorate.config.ts',
  'site.config.ts',
]
const isEntry = ({ path }: Source) => entries.includes(path)
const product = [...within('app'), ...within('lib'), ...within('rpc-proxy'), ...sources.filter(isEntry)]
const withoutConfigs = product.filter(({ path }) => !configs.test(path))

/** All imports of these files that a rule refuses, one sentence each. */
function refused(files: readonly Source[], isRefused: (seen: Import, from: Source) => boolean): string[] {
  return files.flatMap((from) =>
    from.imports
      .filter((seen) => isRefused(seen, from))
      .map(({ specifier }) => `${from.path} imports ${specifier}`),
  )
}

const leadsInto = (area: string) => (seen: Import) => seen.kind === 'file' && seen.path.startsWith(`${area}/`)
const isEngine = (seen: Import) => leadsInto('rpc-proxy')(seen) || seen.specifier === '#config'
const isJsx = (seen: Import) => seen.kind === 'file' && seen.path.endsWith('.tsx')
const isInnerOfNext = ({ specifier }: Import) => /^(next\/|server-only$|client-only$)/.test(specifier)
const outside = (areas: RegExp) => sources.filter(({ path }) => !areas.test(path))
const isOfNode = ({ kind }: Import) => kind === 'builtin'
const withoutTools = outside(/^(demo|scripts|tests)\//)
const edgeRoute = 'app/api/rpc/[[...path]]/route.ts'

test.each<[string, readonly Source[], (seen: Import) => boolean]>([
  ['the app imports lib, never the engine or its configuration', within('app').filter(isOwn), isEngine],
  ['lib does not import the app', within('lib'), leadsInto('app')],
  ['the demo can be removed: the product does not import it', withoutTools, leadsInto('demo')],
  ['the tests can be removed', outside(/^tests\//), leadsInto('tests')],
  ['only toolchain configuration imports the scripts', withoutConfigs, leadsInto('scripts')],
  ['the Node host runs without a bundler, and Node cannot strip JSX', reach('server.ts'), isJsx],
  ['the Node host imports no internal module of Next', reach('server.ts'), isInnerOfNext],
  ['the edge host reaches no module of Node from its route', reach(edgeRoute), isOfNode],
  ['the light client is for the Node host alone', reach(edgeRoute), leadsInto('lib/beacon')],
])('%s', (_, files, isRefused) => {
  expect(refused(files, isRefused)).toEqual([])
  expect(files).not.toEqual([])
})

test('the hosts reach what they should: the light client is loaded where it is on, the exporter at the edge too', () => {
  expect(refused(reach('server.ts'), leadsInto('lib/beacon'))).not.toEqual([])
  expect(read('server.ts'), 'where it is off it is not loaded').not.toMatch(/^import .*lib\/beacon/m)
  expect(reach(edgeRoute).map(({ path }) => path)).toContain('lib/observe/otlp.ts')
})

test('RainbowKit is behind one folder and the list of wallets, so that a fork can leave it', () => {
  const isBehind = /^app\/_wallet\/(rainbow\/|connect-button\.tsx$)|^lib\/wallet\/listed\.ts$/
  const users = product.filter(({ imports }) =>
    imports.some((seen) => seen.kind === 'package' && seen.name === '@rainbow-me/rainbowkit'),
  )
  expect(users.map(({ path }) => path).filter((path) => !isBehind.test(path))).toEqual([])
  expect(users.length).toBeGreaterThan(1)
  const host = sources.filter(({ imports }) => imports.some(leadsInto('app/_wallet/rainbow')))
  expect(host.map(({ path }) => path).filter((path) => !isBehind.test(path))).toEqual([
    'app/_wallet/modals-host.tsx',
  ])
})

test('the engine is imported only through its entry point, or through that of pages', () => {
  // tests/engine is deleted in a fork that has the engine as a package.
  const files = outside(/^(rpc-proxy|tests\/engine)\//)
  const isWindow = (seen: Import) =>
    leadsInto('rpc-proxy')(seen) && !Object.hasOwn(engineEntries, seen.specifier)
  expect(refused(files, isWindow)).toEqual([])
  expect(refused(files, (seen) => seen.specifier === '#rpc-proxy').length).toBeGreaterThan(0)
})

describe('the image, whose files are listed by name', () => {
  test('contains every package that the Node host loads, except optional ones', () => {
    const names = reach('server.ts').flatMap(({ imports }) =>
      imports.flatMap((seen) => (seen.kind === 'package' ? [seen.name] : [])),
    )
    const needed = [...new Set(names)].filter((name) => name in dependencies && name !== 'next')
    // The engine's own folder is found by the import map, where it is a package.
    const listed: readonly string[] = [...hostPackages, '@quorate/engine']
    expect(needed.filter((name) => !listed.includes(name))).toEqual([])
  })

  test('and what those depend on', () => {
    expect(hostFolders(root)).toEqual(expect.arrayContaining(['node_modules/viem', 'node_modules/abitype']))
  })
})

test('the image is built from every file that it needs', () => {
  const taken = read('.dockerignore').match(/(?<=^!).+/gm) ?? []
  const isTaken = (path: string) =>
    taken.some((pattern) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`))
  const needed = ['next.config.mjs', 'server.ts', 'proxy.ts', 'demo/serve.ts', 'scripts/load.ts'].flatMap(
    reach,
  )
  expect(needed.length).toBeGreaterThan(200)
  expect(needed.map(({ path }) => path).filter((path) => !isTaken(path))).toEqual([])
})

/** All project files that this file imports, directly or not, including types. */
function reach(entry: string): readonly Source[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const seen = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    queue.push(
      ...(byPath.get(path)?.imports ?? []).flatMap((next) => (next.kind === 'file' ? [next.path] : [])),
    )
  }
  return [...seen].flatMap((path) => byPath.get(path) ?? [])
}

test('the environment is read in one place, except for entry points that need it first', () => {
  const allowed = ['lib/config/env.ts', 'instrumentation.ts', 'server.ts']
  const readers = withoutConfigs.filter(({ readsEnvironment }) => readsEnvironment).map(({ path }) => path)
  expect(readers.filter((path) => !allowed.includes(path))).toEqual([])
})
