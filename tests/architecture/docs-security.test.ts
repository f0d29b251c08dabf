import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/sources.ts'

const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
const rooms = 'architecture|chaos|e2e|edge|lib|properties|rpc-proxy|scenarios|scripts'
const named = [
  ...new Set(
    [...text.matchAll(new RegExp(`\`((?:${rooms})/[a-z0-9/-]+)\``, 'g'))].flatMap(([, path]) => path ?? []),
  ),
]

test('every test that docs/security.md names is there', () => {
  expect(named.length).toBeGreaterThan(30)
  const isThere = (path: string) =>
    ['.test.ts', '.spec.ts', '.ts', ''].some((ending) => existsSync(join(root, 'tests', `${path}${ending}`)))
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

test('every row of a threat has its control, its test and its ASVS id', () => {
  const rows = text.split('\n').filter((line) => /^\| [A-Z]\d+ \|/.test(line))
  expect(rows.length).toBeGreaterThan(30)
  const isWhole = (row: string) => {
    const [, , threat, control, shown, id] = row.split(' | ').map((cell) => cell.trim())
    return threat !== '' && control !== '' && shown !== '' && id !== undefined
  }
  expect(rows.filter((row) => row.split('|').length !== 7 || !isWhole(` ${row}`))).toEqual([])
})
