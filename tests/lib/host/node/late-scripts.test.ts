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

it('starts what comes behind the first frame soon, and nothing of another nonce', () => {
  const [, starter = ''] =
    withLateScripts(page(script('a'))).match(/<script nonce="n0">([\s\S]*?)<\/script>/) ?? []
  const started: string[] = []
  const late = (name: string, nonce: string) => ({
    nonce,
    cloneNode: () => ({ removeAttribute: () => {} }),
    replaceWith: () => started.push(name),
  })
  const arrived = [late('a', 'n0'), late('planted', 'guessed')]
  const due: (() => void)[] = []
  const schedule = (call: () => void) => due.push(call)
  const document = {
    readyState: 'loading',
    currentScript: { nonce: 'n0' },
    querySelectorAll: () => arrived.splice(0),
  }
  new Function('document', 'requestAnimationFrame', 'setTimeout', 'addEventListener', starter)(
    document,
    schedule,
    schedule,
    () => {},
  )
  due.shift()?.()
  due.shift()?.()
  expect(started).toEqual(['a'])
  arrived.push(late('b', 'n0'))
  document.readyState = 'interactive'
  due.shift()?.()
  expect(started).toEqual(['a', 'b'])
  expect(due).toEqual([])
})
