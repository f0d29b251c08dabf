import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './support/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const textOf = (patterns: readonly string[]) => globSync(patterns, { cwd: root }).map(read).join('\n')

/** What a document may say is held against these; tests count too, because documents name their settings. */
const code = textOf([
  '*.{ts,mjs}',
  '{app,demo,lib,rpc-proxy,scripts,tests}/**/*.{ts,tsx,mjs}',
  'deploy/**/*.{yml,json,conf,env}',
  '{docker-compose.yml,Dockerfile,.env.example,package.json}',
])
const documents = globSync(['*.md', 'docs/**/*.md', 'rpc-proxy/*.md', 'deploy/**/*.md'], { cwd: root })
  // The log of changes names what was.
  .filter((path) => path !== 'CHANGELOG.md')
  .map((path) => ({ path, text: read(path) }))

/** The files of our own that declare something, wherever they are. */
const declaring = (declaration: string) =>
  globSync('{lib,rpc-proxy}/**/*.ts', { cwd: root })
    .map(read)
    .filter((text) => text.includes(`export ${declaration}`))
    .join('\n')

/** Everything that a pattern finds in the documents, with its document; the first group where it has one. */
function named(pattern: RegExp): readonly (readonly [path: string, name: string])[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, name]) => [path, name ?? whole] as const),
  )
}

/** The names that are wrong, each with its document. */
function missing(pattern: RegExp, isThere: (name: string) => boolean): readonly string[] {
  const found = named(pattern)
  expect(found.length).toBeGreaterThan(0)
  return [...new Set(found.filter(([, name]) => !isThere(name)).map((pair) => pair.join(': ')))]
}

/** Whether a path, which may have `*`, is there. Brackets are Next's and mean themselves. */
const matches = (path: string) =>
  existsSync(join(root, path)) || globSync(path.replaceAll(/[[\]()]/g, '\\$&'), { cwd: root }).length > 0

const occurs = (name: string) =>
  new RegExp(`(?<![\\w-])${name.replaceAll(/[.$]/g, '\\$&')}(?![\\w-])`).test(code)

describe('what documents name is there', () => {
  test('npm scripts', () => {
    expect(
      missing(/npm run ([a-z]+(?:[:-][a-z]+)*)/g, (name) => Object.hasOwn(manifest.scripts, name)),
    ).toEqual([])
  })

  test('routes of the gateway', () => {
    const views = declaring('function createViews')
    const isView = (name: string) => new RegExp(`^ {4}'?${name}'?: `, 'm').test(views)
    expect(missing(/\/api\/rpc\/([a-z][a-z-]+)/g, isView)).toEqual([])
  })

  test('routes of sign-in and of the operator', () => {
    const routes = textOf(['lib/**/*.ts'])
    const isRoute = (name: string) => routes.includes(`'${name}'`) || routes.includes(`/${name}`)
    expect(missing(/\/api\/(?:auth|operator)\/([a-z]+)/g, isRoute)).toEqual([])
  })

  test('metrics', () => {
    const table = declaring('function metricsText')
    const isMetric = (name: string) => {
      const family = name.replace(/_(?:bucket|count|sum)$/, '').replace(/^quorate/, '')
      return table.includes(family) || table.includes(`'${family.slice(1)}'`)
    }
    expect(missing(/\b(?:quorate|rpc_server|rpc_client)_[a-z_]*[a-z]\b/g, isMetric)).toEqual([])
  })

  test('headers', () => {
    const names = declaring('const header = {') + declaring('const buildHeader')
    expect(missing(/\bx-quorate(-[a-z]+)/g, (name) => names.includes(`${name}\``))).toEqual([])
  })

  test('environment variables', () => {
    // Of Node, libuv, a platform and a client, which read them; and an example.
    const others = [
      'NODE_EXTRA_CA_CERTS',
      'UV_THREADPOOL_SIZE',
      'VERCEL_URL',
      'ETH_RPC_URL',
      'MY_KEY',
      'MY_KEY_FILE',
    ]
    const isVariable = (name: string) => others.includes(name) || occurs(name)
    expect(missing(/(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w-])/g, isVariable)).toEqual([])
  })

  test('settings, limits and other names of the code', () => {
    // Of clients, which we do not call ourselves, and examples of the form of a name.
    const others = ['ethGetLogsBlockRange', 'useWriteContract', 'getHead', 'xOf', 'onX']
    const isName = (name: string) => others.includes(name) || name.split('.').every((part) => occurs(part))
    expect(missing(/`([a-z]+[A-Z][A-Za-z0-9]*(?:\.[a-zA-Z]+)*)`/g, isName)).toEqual([])
  })

  test('files', () => {
    const endings = ['', '.ts', '.tsx', '.test.ts', '.spec.ts']
    const places = ['', 'tests/']
    const isFile = (path: string) =>
      places.some((place) => endings.some((ending) => matches(`${place}${path}${ending}`)))
    const folders = 'app|demo|deploy|docs|lib|rpc-proxy|scripts|tests'
    expect(missing(new RegExp(`\`((?:${folders})/[\\w\\-./*()[\\]]+)\``, 'g'), isFile)).toEqual([])
  })

  test('modules', () => {
    expect(missing(/'#(lib\/[\w\-./]+)'/g, (path) => existsSync(join(root, path)))).toEqual([])
  })

  test('events of the log', () => {
    const rows = read('docs/operate.md')
      .split('\n')
      .slice(read('docs/operate.md').split('\n').indexOf('| `event` | level | fields besides `chain` |') + 2)
    const events = rows
      .slice(0, rows.indexOf(''))
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name ?? ''))
    expect(events.length).toBeGreaterThan(20)
    expect(events.filter((event) => !code.includes(`'${event}'`))).toEqual([])
  })
})

const firstParagraph = /^# .+\n\n(?<text>(?:.+\n)+)/
const audience = /\bfor (?:those|people|engineers|developers|operators|teams|whoever|an engineer)\b/i

test('every document says in its first paragraph for whom it is', () => {
  const silent = globSync('docs/**/*.md', { cwd: root }).filter(
    (path) => !audience.test(firstParagraph.exec(read(path))?.groups?.text ?? ''),
  )
  expect(silent).toEqual([])
})

test('the README is the index of all documents', () => {
  const index = read('README.md')
  const paths = globSync('docs/**/*.md', { cwd: root })
  expect(paths.length).toBeGreaterThan(15)
  expect(paths.filter((path) => !index.includes(`](${path}`))).toEqual([])
})

test('docs/dependencies.md has a reason for every package that is installed with the product, and for no other', () => {
  const cells = [...read('docs/dependencies.md').matchAll(/^\| ([@a-z][^|]*) \| [^|]+ \|$/gm)]
  const reasons = cells.flatMap(([, names = '']) => names.split(', ')).filter((name) => name !== 'package')
  const hasReason = (name: string) => reasons.some((reason) => name.startsWith(reason.replace('*', '')))
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const platforms = /^node-(?:bin-)?(?:linux|darwin)-/
  expect(installed.filter((name) => !platforms.test(name) && !hasReason(name))).toEqual([])
  const isInstalled = (reason: string) =>
    installed.some((name) => name.startsWith(reason.replace(/\*| .*/, '')))
  expect(reasons.filter((reason) => !isInstalled(reason))).toEqual([])
})
