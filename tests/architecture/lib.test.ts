import { expect, test } from 'vitest'
import { folderOf, foldersOf, isAllowed, type Layers, wrongWays } from './support/layers.ts'
import { within } from './support/sources.ts'

/** The folders of `lib/` in layers, the lowest first. The files of its root are the bottom: what every folder may use. */
const layers: Layers = [
  ['root'],
  ['config', 'limits', 'certificate'],
  ['transport'],
  ['observe', 'beacon'],
  ['engine'],
  ['sign-in', 'operator', 'status'],
  ['redis', 'routes', 'page'],
  ['reads', 'token', 'console'],
  ['wallet', 'host/node', 'host/edge'],
  ['host'],
]

const lib = within('lib')
const rootFilesMax = 6

test('lib has exactly the folders of this map', () => {
  expect(foldersOf(lib, layers)).toEqual(layers.flat().toSorted())
})

test('no two folders of lib import each other: imports lead down, and folders of one layer are independent', () => {
  expect(wrongWays(lib, layers)).toEqual([])
})

test('the root of lib has few files', () => {
  const files = lib.filter(({ path }) => folderOf(path, layers) === 'root').map(({ path }) => path)
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(rootFilesMax)
})

test('the rule itself refuses an import that leads up, and one beside', () => {
  expect(isAllowed('lib/limits/quota.ts', 'lib/observe/metrics.ts', layers)).toBe(false)
  expect(isAllowed('lib/page/texts/token.ts', 'lib/redis/redis.ts', layers)).toBe(false)
  expect(isAllowed('lib/wallet/plan.ts', 'lib/token/erc20.ts', layers)).toBe(true)
})
