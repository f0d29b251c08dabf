import { expect, it } from 'vitest'
import { withLateScripts } from '#lib/host/node/late-scripts.ts'

const sheet = '<link rel="stylesheet" href="/_next/static/a.css" nonce="n0"/>'
const script = (name: string, type = '') =>
  `<script ${type}src="/_next/static/${name}.js" async="" nonce="n0"></script>`
const entry = '<script src="/_next/static/entry.js" nonce="n0" async=""></script>'
const page = (inner: string) => `<!DOCTYPE html><html><head>${inner}</head><body>${entry}</body>`

it('loads the scripts of the head at once, and starts them late', () => {
  const html = withLateScripts(page(sheet + script('a') + script('b')))
  expect(html).toContain(`${sheet}${script('a', 'type="late" ')}${script('b', 'type="late" ')}`)
  for (const name of ['a', 'b'])
    expect(html).toContain(
      `<link rel="preload" as="script" href="/_next/static/${name}.js" nonce="n0" fetchpriority="low"/>`,
    )
  expect(html).toContain(`<body>${entry}`)
})

it('starts them by one script before the style sheets, for which the parser would wait', () => {
  expect(withLateScripts(page(sheet + script('a')))).toMatch(
    /^<!DOCTYPE html><html><head><script nonce="n0">/,
  )
})

it.each([
  ['a part whose head has no end', `<head>${script('a')}`],
  ['a page without scripts', page(sheet)],
  ['a script for old browsers', page('<script src="/_next/static/a.js" noModule="" nonce="n0"></script>')],
  ['a script of elsewhere', page('<script src="https://a.example/a.js" async="" nonce="n0"></script>')],
])('leaves %s alone', (_, html) => {
  expect(withLateScripts(html)).toBe(html)
})
