import { expect, test } from 'vitest'
import { folderOf, foldersOf, isOwn, libLayers as layers, wrongWays } from './support/layers.ts'
import { within } from './support/sources.ts'

const lib = within('lib').filter(isOwn)
const rootFilesMax = 6

test('lib has exactly the folders of the map, beside those of a fork', () => {
  expect(foldersOf(lib, layers)).toEqual(layers.flat().toSorted())
})

test('no two folders of lib import each other: imports lead down, and folders of one layer are independent', () => {
  expect(wrongWays(lib, layers)).toEqual([])
})

test('the root of lib has few files', () => {
  const files = lib.filter(({ path }) => folderOf(path, layers) === 'root').map(({ path }) => path)
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(rootFilesMax)
})
