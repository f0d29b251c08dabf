import { expect, it } from 'vitest'
import { withLateScripts } from '#lib/host/node/late-scripts.ts'

const sheet = '<link rel="stylesheet" href="/_next/static/a.css" nonce="n0"/>'
const script = (name: string, type = '') =>
  `<script ${type}src="/_next/static/${name}.js" async="" nonce="n0"></script>`
const entry = '<script src="/_next/static/entry.js" nonce="n0" async=""></script>'
const page = (inner: string) => `<!DOCTYPE html><html><head>${inner}</head><body>${entry}</body>`

it.each([
  ['a part whose head has no end', `<head>${script('a')}`],
  ['a page without scripts', page(sheet)],
  ['a script for old browsers', page('<script src="/_next/static/a.js" noModule="" nonce="n0"></script>')],
  ['a script of elsewhere', page('<script src="https://a.example/a.js" async="" nonce="n0"></script>')],
])('leaves %s alone', (_, html) => {
  expect(withLateScripts(html)).toBe(html)
})
