import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/sources.ts'

const text = readFileSync(join(root, 'docs/wallet.md'), 'utf8')
const table = text.slice(text.indexOf('| What | File | Test |'))
const rows = table
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

test('every row of docs/wallet.md names a test that is there', () => {
  expect(rows.length).toBeGreaterThan(50)
  const isThere = ([what = '', file = '', title = '', ...more]: readonly string[]) => {
    const path = join(root, 'tests', file.replaceAll('`', ''))
    if (what === '' || title === '' || more.length > 0 || !existsSync(path)) return false
    return [`'${title}'`, `\`${title}\``].some((quoted) => readFileSync(path, 'utf8').includes(quoted))
  }
  expect(rows.filter((row) => !isThere(row))).toEqual([])
})

test('every file of the code that docs/wallet.md names is there', () => {
  const named = [...text.matchAll(/`(lib\/[a-z0-9/-]+(?:\.ts)?)`/g)].flatMap(([, path]) => path ?? [])
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
