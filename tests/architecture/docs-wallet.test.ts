import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/sources.ts'

const text = readFileSync(join(root, 'docs/wallet.md'), 'utf8')
const rows = text
  .slice(text.indexOf('| behaviour | tests |'))
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every behaviour in docs/wallet.md names a file of tests that is there', () => {
  expect(rows.length).toBeGreaterThan(30)
  const isWhole = ([, what = '', file = '', ...rest]: readonly string[]) =>
    what !== '' && /^`[\w\-/.]+\.(?:test|spec)\.ts`$/.test(file) && rest.length === 1
  expect(rows.filter((row) => !isWhole(row))).toEqual([])
  const files = rows.map(([, , file = '']) => file.replaceAll('`', ''))
  expect(files.filter((file) => !existsSync(join(root, 'tests', file)))).toEqual([])
  expect(files.toSorted()).toEqual([...new Set(files)].toSorted())
})
