import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  fileBytesMax,
  filesMax,
  includesMax,
  integrityOf,
  updateRegistry,
} from '../../scripts/describe/update.ts'
import { folderForOneFile } from '../support/folder.ts'
import { listen } from '../support/listen.ts'

const commit = 'ab'.repeat(20)
const address = `0x${'12'.repeat(20)}`
const path = 'registry/swap/calldata-swap.json'
const included = 'ercs/calldata-common.json'
const swap = 'swap(uint256 amount)'
const folder = folderForOneFile()
/** What the registry serves, by path below the commit. */
let tree: Record<string, unknown> = {}
/** A file that the registry redirects. */
const elsewhere = Symbol('elsewhere')
const asked: string[] = []
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  const found = tree[url.replace(`/${commit}/`, '')]
  if (found === undefined) return void response.writeHead(404).end()
  if (found === elsewhere) return void response.writeHead(302, { location: '/elsewhere' }).end()
  response.end(typeof found === 'string' ? found : JSON.stringify(found))
})

let from = ''
beforeAll(async () => {
  from = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => void server.close())
beforeEach(() => {
  asked.length = 0
  tree = {
    LICENSE: 'To whom it may concern',
    'index.calldata.json': {
      [`eip155:137:${address}`]: path,
      [`eip155:5:${address}`]: 'registry/other/calldata-other.json',
    },
    [path]: {
      includes: `../../${included}`,
      context: { contract: { deployments: [{ chainId: 137, address }] } },
      metadata: { owner: 'Swap', constants: { least: '1' } },
      display: { formats: { [swap]: { intent: 'Swap' } } },
    },
    [included]: { display: { formats: { [swap]: { fields: [{ path: 'amount' }] } } } },
  }
})
const update = (change: { readonly commit?: string; readonly integrity?: string } = {}) =>
  updateRegistry({ from, commit, chainIds: [137], folder, ...change })
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

test('the registry’s descriptors for our chains are brought with what they include and their licence, pinned by hash', async () => {
  const pinned = await update()
  expect(pinned).toEqual({ commit, files: 1, hasLicence: true, integrity: integrityOf(read('index.json')) })
  expect(JSON.parse(read('index.json'))).toEqual({
    contracts: { [`eip155:137:${address}`]: path },
    files: { [path]: integrityOf(read(path)) },
  })
  expect(JSON.parse(read(path))).toEqual({
    metadata: { constants: { least: '1' } },
    display: { formats: { [swap]: { intent: 'Swap', fields: [{ path: 'amount' }] } } },
  })
  expect(read('LICENSE')).toBe('To whom it may concern')
  expect(asked.join()).not.toContain('other')
  expect(await update({ integrity: pinned.integrity })).toEqual(pinned)
  tree[included] = {}
  await expect(update({ integrity: pinned.integrity })).rejects.toThrow('pins')
  expect(integrityOf(read('index.json'))).toBe(pinned.integrity)
})

test('what the registry no longer has is gone, and nothing is lost where it cannot be read', async () => {
  await update()
  delete tree[included]
  await expect(update()).rejects.toThrow('HTTP 404')
  expect(existsSync(join(folder, path))).toBe(true)
  tree = { 'index.calldata.json': {} }
  expect(await update()).toMatchObject({ files: 0, hasLicence: false })
  expect(existsSync(join(folder, 'registry'))).toBe(false)
})

test.each(['../../etc/passwd', '/etc/passwd', 'registry/%2e%2e/x.json', 'registry//x.json', 7])(
  'no file is written outside of the folder: %s',
  async (path) => {
    tree['index.calldata.json'] = { [`eip155:137:${address}`]: path }
    await expect(update()).rejects.toThrow('not a path of the registry')
  },
)

test('as many files as there may be are brought, and of one more none', async () => {
  const paths = Array.from({ length: filesMax + 1 }, (_, place) => `registry/file-${place}.json`)
  const indexOf = (some: readonly string[]) =>
    some.map((path, place) => [`eip155:137:0x${place.toString(16).padStart(40, '0')}`, path])
  tree = { ...tree, ...Object.fromEntries(paths.map((path) => [path, {}])) }
  tree['index.calldata.json'] = Object.fromEntries(indexOf(paths))
  await expect(update()).rejects.toThrow(`more than ${filesMax}`)
  tree['index.calldata.json'] = Object.fromEntries(indexOf(paths.slice(1)))
  expect(await update()).toMatchObject({ files: filesMax })
})

test('a file that the registry redirects is refused', async () => {
  tree[path] = elsewhere
  tree['/elsewhere'] = {}
  await expect(update()).rejects.toThrow('no answer')
})

test('a branch, a file that is too large and includes without an end are refused', async () => {
  await expect(update({ commit: 'master' })).rejects.toThrow('not a commit')
  tree[path] = `${' '.repeat(fileBytesMax - 2)}{}`
  expect(await update()).toMatchObject({ files: 1 })
  tree[path] = `${' '.repeat(fileBytesMax - 1)}{}`
  await expect(update()).rejects.toThrow('bytes')
  tree[path] = { includes: 'calldata-swap.json' }
  await expect(update()).rejects.toThrow(`more than ${includesMax} deep`)
})
