import { matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostFolders, hostPackages } from '../../scripts/host-packages.mjs'
import { isOwn } from './support/layers.ts'
import { manifest } from './support/lock.ts'
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
const product = [...within('app'), ...within('lib'), ...within('rpc-proxy'), ...sources.filter(isEntry)]

function isEntry({ path }: Source): boolean {
  return entries.includes(path)
}

/** All imports of these files that a rule refuses, one sentence each. */
function refused(files: readonly Source[], isRefused: (seen: Import, from: Source) => boolean): string[] {
  return files.flatMap((from) =>
    from.imports
      .filter((seen) => isRefused(seen, from))
      .map(({ specifier }) => `${from.path} imports ${specifier}`),
  )
}

const leadsInto = (area: string) => (seen: Import) => seen.kind === 'file' && seen.path.startsWith(`${area}/`)

describe('app -> lib -> the entry point of rpc-proxy', () => {
  test('the app imports lib, never the engine or its configuration', () => {
    const isPast = (seen: Import) => leadsInto('rpc-proxy')(seen) || seen.specifier === '#config'
    expect(refused(within('app').filter(isOwn), isPast)).toEqual([])
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

  test('lib does not import the app', () => {
    expect(refused(within('lib'), leadsInto('app'))).toEqual([])
  })

  test('the engine is imported only through its entry point, or through that of pages', () => {
    // tests/engine is deleted in a fork that has the engine as a package.
    const outside = sources.filter(({ path }) => !/^(rpc-proxy|tests\/engine)\//.test(path))
    const isWindow = (seen: Import) =>
      leadsInto('rpc-proxy')(seen) && !Object.hasOwn(engineEntries, seen.specifier)
    expect(refused(outside, isWindow)).toEqual([])
    expect(refused(outside, (seen) => seen.specifier === '#rpc-proxy').length).toBeGreaterThan(0)
  })
})

describe('removable folders', () => {
  test('the demo: the product, its configuration and its build do not import it', () => {
    const files = sources.filter(({ path }) => !/^(demo|scripts|tests)\//.test(path))
    expect(refused(files, leadsInto('demo'))).toEqual([])
  })

  test('the tests', () => {
    const files = sources.filter(({ path }) => !path.startsWith('tests/'))
    expect(refused(files, leadsInto('tests'))).toEqual([])
  })

  test('the scripts: only toolchain configuration imports them', () => {
    const files = product.filter(({ path }) => !configs.test(path))
    expect(refused(files, leadsInto('scripts'))).toEqual([])
  })
})

describe('the Node host, which runs without a bundler', () => {
  const reached = reach('server.ts')

  test('imports no .tsx, because Node cannot strip JSX', () => {
    expect(reached.map(({ path }) => path).filter((path) => path.endsWith('.tsx'))).toEqual([])
  })

  test('imports no internal module of Next', () => {
    const isInner = ({ specifier }: Import) => /^(next\/|server-only$|client-only$)/.test(specifier)
    expect(refused(reached, isInner)).toEqual([])
  })
})

describe('the edge host, which runs without Node', () => {
  const route = 'app/api/rpc/[[...path]]/route.ts'

  test('reaches no module of Node from its route', () => {
    expect(refused(reach(route), ({ kind }) => kind === 'builtin')).toEqual([])
    expect(reach(route).map(({ path }) => path)).toContain('lib/observe/otlp.ts')
  })

  test('has no light client, which is for the Node host', () => {
    const isOfBeacon = (path: string) => path.startsWith('lib/beacon/')
    expect(
      reach(route)
        .map(({ path }) => path)
        .filter(isOfBeacon),
    ).toEqual([])
    expect(
      reach('server.ts')
        .map(({ path }) => path)
        .filter(isOfBeacon),
    ).not.toEqual([])
    const text = read('server.ts')
    expect(text, 'where it is off it is not loaded').not.toMatch(/^import .*lib\/beacon/m)
  })
})

describe('the image, whose files are listed by name', () => {
  test('contains every package that the Node host loads, except optional ones', () => {
    const names = reach('server.ts').flatMap(({ imports }) =>
      imports.flatMap((seen) => (seen.kind === 'package' ? [seen.name] : [])),
    )
    const needed = [...new Set(names)].filter((name) => name in manifest.dependencies && name !== 'next')
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

describe('the environment', () => {
  const allowed = ['lib/config/env.ts', 'instrumentation.ts', 'server.ts']
  const readers = product.filter((source) => source.readsEnvironment).map(({ path }) => path)

  test('is read in one place, except for entry points that need it first', () => {
    expect(readers.filter((path) => !allowed.includes(path) && !configs.test(path))).toEqual([])
  })
})
