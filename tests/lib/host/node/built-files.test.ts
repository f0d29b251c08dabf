import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { withBuiltFiles } from '#lib/host/node/built-files.ts'
import { saveBuild } from '#lib/host/node/saved-builds.ts'
import { folderForOneTest } from '../../../support/folder.ts'
import { serveForOneTest } from '../../../support/serve.ts'

/** A machine on which builds are deployed one after another. */
function machine() {
  const root = folderForOneTest()
  const dir = join(root, 'kept')
  const staticDir = join(root, 'static')
  let turn = 0
  return {
    dir,
    staticDir,
    async deploy(buildId: string, files: Readonly<Record<string, string | Buffer>>) {
      rmSync(staticDir, { recursive: true, force: true })
      mkdirSync(join(staticDir, 'chunks'), { recursive: true })
      for (const [name, text] of Object.entries(files)) writeFileSync(join(staticDir, 'chunks', name), text)
      const kept = await saveBuild({ dir, staticDir, buildId })
      // Deployments are minutes apart.
      utimesSync(join(dir, buildId), turn, turn++)
      return kept
    },
  }
}

const namesIn = (files: ReadonlyMap<string, string>) =>
  [...files.keys()].map((path) => path.slice('/_next/static/chunks/'.length)).toSorted()

describe('a tab from before a deployment', () => {
  test('still gets the code that it loads later; what the new build has too comes from that', async () => {
    const { dir, deploy } = machine()
    await deploy('one', { 'send-1.js': 'send 1', 'shared.js': 'shared' })
    const files = await deploy('two', { 'send-2.js': 'send 2', 'shared.js': 'shared' })
    expect(namesIn(files)).toEqual(['send-1.js', 'send-2.js', 'shared.js'])
    expect(readFileSync(files.get('/_next/static/chunks/send-1.js') ?? '', 'utf8')).toBe('send 1')
    expect(files.get('/_next/static/chunks/shared.js')?.startsWith(dir)).toBe(false)
  })

  test('is served for three deployments, and no longer', async () => {
    const { dir, deploy } = machine()
    for (const name of ['a', 'b', 'c', 'd']) await deploy(name, { [`${name}.js`]: name })
    expect(namesIn(await deploy('e', { 'e.js': 'e' }))).toEqual(['b.js', 'c.js', 'd.js', 'e.js'])
    expect(readdirSync(dir).toSorted()).toEqual(['b', 'c', 'd', 'e'])
  })

  test('a second process of the same build changes nothing', async () => {
    const { dir, deploy } = machine()
    await deploy('one', { 'a.js': 'a' })
    await deploy('two', { 'b.js': 'b' })
    expect(namesIn(await deploy('two', { 'b.js': 'b' }))).toEqual(['a.js', 'b.js'])
    expect(readdirSync(dir).toSorted()).toEqual(['one', 'two'])
  })
})

test('processes that start together on one volume save the whole build, and remove old unfinished copies', async () => {
  const { dir, staticDir, deploy } = machine()
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.js`, `${index}`]))
  await deploy('one', files)
  for (const [name, atS] of Object.entries({ 'old.unfinished': 0, 'new.unfinished': Date.now() / 1000 })) {
    mkdirSync(join(dir, name))
    utimesSync(join(dir, name), atS, atS)
  }
  await Promise.all(Array.from({ length: 8 }, () => saveBuild({ dir, staticDir, buildId: 'two' })))
  expect(readdirSync(join(dir, 'two/chunks'))).toHaveLength(40)
  expect(readdirSync(dir).toSorted()).toEqual(['new.unfinished', 'one', 'two'])
})

describe('the files of a build', () => {
  async function serve() {
    const { dir, deploy } = machine()
    await deploy('one', { 'a.js': 'alert(1)', 'a.js.map': '{}', 'page.html': '<script>' })
    writeFileSync(join(dir, 'secret.js'), 'secret')
    const files = await deploy('two', { 'b.js': 'alert(2)', 'b.js.br': brotliCompressSync('alert(2)') })
    const listener = withBuiltFiles(async (_, response) => void response.writeHead(404).end('next'), files)
    const origin = await serveForOneTest((request, response) => void listener(request, response))
    const get = (path: string, init?: RequestInit) => fetch(origin + path, init)
    return { files, get, textOf: async (path: string) => (await get(path)).text() }
  }
  const a = '/_next/static/chunks/a.js'
  const b = '/_next/static/chunks/b.js'

  test('come with their type, for ever, and may not be framed', async () => {
    const { get } = await serve()
    const response = await get(`${a}?v=1`)
    expect(await response.text()).toBe('alert(1)')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/javascript; charset=UTF-8',
      'content-length': '8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.has('strict-transport-security')).toBe(false)
    const head = await get(a, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const secure = await get(a, { headers: { 'x-forwarded-proto': 'https' } })
    expect(secure.headers.get('strict-transport-security')).toContain('max-age=')
  })

  test.each([
    [b, 'gzip, deflate, br, zstd', 'br', 'alert(2)'],
    [b, 'gzip', 'gzip', 'alert(2)'],
    [b, 'br;q=0, gzip', 'gzip', 'alert(2)'],
    [b, 'identity', null, 'alert(2)'],
    // Of this one the build has no compressed copy.
    [a, 'br, gzip', null, 'alert(1)'],
  ])('%s for a browser that accepts %s: %s', async (path, accepted, encoding, text) => {
    const { get } = await serve()
    const response = await get(path, { headers: { 'accept-encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(await response.text()).toBe(text)
  })

  test('that cannot be read, as after a build in the same folder, are Next’s to answer, until they can', async () => {
    const { files, textOf } = await serve()
    const file = files.get(a) ?? ''
    rmSync(file)
    expect(await textOf(a)).toBe('next')
    writeFileSync(file, 'alert(1)')
    expect(await textOf(a)).toBe('alert(1)')
  })

  test('are read once: those that were asked for stay when the folder is built again', async () => {
    const { files, textOf } = await serve()
    await textOf(b)
    for (const file of files.values()) rmSync(file)
    expect(await textOf(b)).toBe('alert(2)')
  })

  test.each([
    '/_next/static/chunks/none.js',
    '/_next/static/chunks/page.html',
    '/_next/static/chunks/a.js.map',
    '/_next/static/chunks/b.js.br',
    '/_next/static/../secret.js',
    '/_next/static/..%2fsecret.js',
    '/_next/static/one/chunks/a.js',
    '/chunks/a.js',
    '/',
  ])('%s is Next’s to answer', async (path) => {
    expect(await (await serve()).textOf(path)).toBe('next')
  })
})
