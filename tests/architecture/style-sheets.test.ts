import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from './support/sources.ts'

/** Without comments and addresses of pictures. */
const bare = (sheet: string) => sheet.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, '')
const classesIn = (sheet: string) =>
  new Set([...bare(sheet).matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))

/** What components name of style sheets, by sheet and class, and the component. */
const named = new Map<string, string>()
for (const path of globSync('app/**/*.tsx', { cwd: root })) {
  const text = read(path)
  const code = text.replace(/'[^'\n]*'/g, '')
  for (const [, sheet, from = ''] of text.matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm))
    for (const [, name] of code.matchAll(new RegExp(`\\b${sheet}\\.(\\w+)`, 'g')))
      named.set(`${join(dirname(path), from)} ${name}`, path)
}
const sheets = new Map(globSync('app/**/*.module.css', { cwd: root }).map((path) => [path, read(path)]))
const composed = [...sheets.values()].flatMap((sheet) => sheet.match(/composes:[^;]+/g) ?? []).join(' ')

test('no part of a page is without its style: each class that a component names is in its style sheet', () => {
  const missing = [...named].filter(([place]) => {
    const [path = '', name = ''] = place.split(' ')
    return !classesIn(sheets.get(path) ?? '').has(name)
  })
  expect(missing).toEqual([])
  expect(named.size).toBeGreaterThan(100)
})

test('no style is sent for nothing: each class of a style sheet is named by a component, or composed', () => {
  const unused = [...sheets].flatMap(([path, sheet]) =>
    [...classesIn(sheet)]
      .filter((name) => !named.has(`${path} ${name}`) && !new RegExp(`\\b${name}\\b`).test(composed))
      .map((name) => `${path} ${name}`),
  )
  expect(unused).toEqual([])
})

test('nothing on a page moves for ever: only what waits for a press or a reply turns until it is there', () => {
  const endless = globSync('app/**/*.css', { cwd: root }).filter((path) =>
    /\binfinite\b/.test(bare(read(path))),
  )
  expect(endless.sort()).toEqual(['app/_ui/button.module.css', 'app/_ui/spinner.module.css'])
})
