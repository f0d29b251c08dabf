import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForOneTest } from '../support/folder.ts'
import { linkPackages } from '../support/link-packages.ts'

test('npm installs in a copy without a word about it in this checkout, which would install again', () => {
  const folder = folderForOneTest()
  const [checkout, copy] = [join(folder, 'checkout'), join(folder, 'copy')]
  for (const path of ['.package-lock.json', '.cache/built', '.bin/next', 'next/package.json']) {
    mkdirSync(dirname(join(checkout, 'node_modules', path)), { recursive: true })
    writeFileSync(join(checkout, 'node_modules', path), '{}')
  }
  linkPackages(copy, checkout)
  const inodes = (path: string) =>
    [checkout, copy].map((root) => statSync(join(root, 'node_modules', path)).ino)
  const isShared = (path: string) => new Set(inodes(path)).size === 1
  expect(isShared('.package-lock.json')).toBe(false)
  for (const path of ['.bin/next', 'next/package.json'])
    expect(isShared(path)).toBe(process.platform === 'linux')
  expect(existsSync(join(copy, 'node_modules/.cache'))).toBe(false)
})
