import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { forFirstFrame, readSheets } from '#lib/host/node/first-part.ts'
import { folderForOneTest } from '../../../support/folder.ts'

const sheets = new Map([
  ['/_next/static/a.css', '.a{color:red}'],
  ['/_next/static/b.css', '.b{color:blue}'],
])
const sheet = (name: string, state = '') =>
  `<link rel="stylesheet" href="/_next/static/${name}.css" nonce="n0" data-precedence="next"${state}/>`
const script = (name: string, type = '') =>
  `<script ${type}src="/_next/static/${name}.js" async="" nonce="n0"></script>`
const entry = '<script src="/_next/static/entry.js" nonce="n0" async=""></script>'
const page = (inner: string) => `<!DOCTYPE html><html><head>${inner}</head><body>${entry}</body>`

it('has the text of its sheets in their order, and loads none of them', () => {
  const hint = '<link rel="preload" href="/_next/static/b.css" as="style" nonce="n0"/>'
  const html = forFirstFrame(page(hint + sheet('a') + sheet('b') + script('a')), sheets)
  expect(html).toContain('<style nonce="n0">.a{color:red}.b{color:blue}</style>')
  expect(html).toContain(sheet('a', ' disabled=""') + sheet('b', ' disabled=""'))
  expect(html).not.toContain('rel="preload"')
})

it('keeps each byte of a sheet, and its files are found from any page', async () => {
  const file = join(folderForOneTest(), 'a.css')
  writeFileSync(file, '.a{content:"…";src:url(../media/a.woff2)}/*# sourceMappingURL=a.css.map*/')
  const read = await readSheets(new Map([['/_next/static/a.css', file]]))
  const bytes = Buffer.from(read.get('/_next/static/a.css') ?? '', 'latin1')
  expect(bytes.toString()).toBe('.a{content:"…";src:url(/_next/static/media/a.woff2)}')
})

it('loads a sheet that is not of this build', () => {
  const html = forFirstFrame(page(sheet('other') + script('a')), sheets)
  expect(html).toContain(sheet('other'))
  expect(html).not.toContain('<style')
})

it('starts the scripts of the head late, by one script before all else', () => {
  const html = forFirstFrame(page(sheet('a') + script('a') + script('b')), sheets)
  expect(html).toContain(`${script('a', 'type="late" ')}${script('b', 'type="late" ')}`)
  expect(html).toMatch(/^<!DOCTYPE html><html><head><script nonce="n0">/)
  expect(html).toContain(`<body>${entry}`)
})

it.each([
  ['a part whose head has no end', `<head>${script('a')}`],
  ['a page without scripts', page(sheet('a'))],
  ['a script for old browsers', page('<script src="/_next/static/a.js" noModule="" nonce="n0"></script>')],
  ['a script of elsewhere', page('<script src="https://a.example/a.js" async="" nonce="n0"></script>')],
])('leaves %s alone', (_, html) => {
  expect(forFirstFrame(html, sheets)).toBe(html)
})

/** Runs the starter in a document with one late script of its own and one that was planted. */
function load({ isCached = false }) {
  const [, starter = ''] =
    forFirstFrame(page(script('a')), sheets).match(/<script nonce="n0">([\s\S]*?)<\/script>/) ?? []
  const started: string[] = []
  const late = (name: string, nonce: string) => ({
    nonce,
    cloneNode: () => ({ removeAttribute: () => {} }),
    replaceWith: () => started.push(name),
  })
  const arrived = [late('a', 'n0'), late('planted', 'guessed')]
  const document = {
    readyState: 'loading',
    hidden: false,
    currentScript: { nonce: 'n0' },
    querySelectorAll: () => arrived.splice(0),
  }
  const due: (() => void)[] = []
  const schedule = (call: () => void) => due.push(call)
  const events: Record<string, () => void> = {}
  const onPaint: (() => void)[] = []
  class PerformanceObserver {
    observe: () => void
    constructor(seen: () => void) {
      this.observe = () => onPaint.push(seen)
    }
  }
  const given = {
    document,
    requestAnimationFrame: schedule,
    setTimeout: schedule,
    addEventListener: (name: string, call: () => void) => Object.assign(events, { [name]: call }),
    performance: { getEntriesByType: () => [{ transferSize: isCached ? 0 : 300 }] },
    PerformanceObserver,
  }
  new Function(...Object.keys(given), starter)(...Object.values(given))
  const next = () => due.shift()?.()
  return { started, document, events, onPaint, next, add: (name: string) => arrived.push(late(name, 'n0')) }
}

it('starts cached scripts with the first frame, what arrives later soon, and nothing of another nonce', () => {
  const { started, document, next, add } = load({ isCached: true })
  next()
  next()
  expect(started).toEqual(['a'])
  add('b')
  document.readyState = 'interactive'
  next()
  expect(started).toEqual(['a', 'b'])
})

it('starts scripts that have to be fetched when the first frame is seen', () => {
  const { started, onPaint, next } = load({})
  next()
  next()
  expect(started).toEqual([])
  onPaint[0]?.()
  expect(started).toEqual(['a'])
})

it('starts the scripts of a page that shows nothing once it has loaded', () => {
  const { started, events, next } = load({})
  next()
  events['load']?.()
  expect(started).toEqual([])
  next()
  expect(started).toEqual(['a'])
})

it.each(['DOMContentLoaded', 'visibilitychange'])('starts them in a hidden tab at %s', (event) => {
  const { started, document, events } = load({})
  events[event]?.()
  expect(started).toEqual([])
  document.hidden = true
  events[event]?.()
  expect(started).toEqual(['a'])
})
