import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifest } from './support/lock.ts'
import { root } from './support/sources.ts'

const scripts = Object.entries(manifest.scripts)

/** Scripts that people, documents and dashboards use. */
const promised = [
  'demo',
  'test',
  'test:stack',
  'stack',
  'dev',
  'build',
  'start',
  'start:edge',
  'rpc',
  'verify',
  'sim',
  'mutants',
  'soak',
  'siege',
  'load',
  'nodes',
  'bench',
  'clients',
  'fresh',
]

/** Production scripts install nothing. They run in the image. */
const bare = ['start', 'start:edge', 'rpc']

describe('npm scripts', () => {
  test.each(promised)('%s is there', (name) => {
    expect(manifest.scripts).toHaveProperty([name])
  })

  test.each(scripts.filter(([, line]) => line.startsWith('node ')))(
    '%s runs a file that exists: %s',
    (_name, line) => {
      expect(existsSync(join(root, line.split(' ')[1] ?? ''))).toBe(true)
    },
  )

  test.each(promised.filter((name) => !bare.includes(name)))('%s works in a fresh clone', (name) => {
    expect(manifest.scripts[`pre${name}`]).toMatch(/^node scripts\/bootstrap\.mjs/)
  })
})
