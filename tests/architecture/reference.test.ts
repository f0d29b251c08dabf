import { expect, test } from 'vitest'
import { documents } from '../../scripts/reference.ts'
import { read } from './support/sources.ts'

test.each([...documents])(
  '%s says of settings, routes and metrics what the code says: npm run docs',
  (path, text) => {
    expect(read(path)).toBe(text)
  },
)

test('each setting, route and metric has a text', () => {
  const rows = [...documents.values()].flatMap((text) => text.match(/^\| .*`.*\|$/gm) ?? [])
  expect(rows.length).toBeGreaterThan(90)
  expect(rows.filter((row) => /^\| `(.+?)` \|.* As `\1`/.test(row))).toEqual([])
  expect(rows.filter((row) => /\| \|$/.test(row) && !row.startsWith('| route'))).toEqual([])
})
