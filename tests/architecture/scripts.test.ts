import { execFileSync } from 'node:child_process'
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
  'test:all',
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

const commands = ['demo', 'dev', 'test', 'build']
const production = ['start', 'start:edge', 'rpc']

describe('npm scripts', () => {
  test.each(promised)('%s is there', (name) => {
    expect(manifest.scripts).toHaveProperty([name])
  })

  test('are at most 20', () => {
    expect(scripts.length).toBeLessThanOrEqual(20)
  })

  test.each(scripts)('%s runs files that exist: %s', (_name, line) => {
    for (const [, file = ''] of line.matchAll(/\bnode (\S+)/g))
      expect(existsSync(join(root, file))).toBe(true)
  })

  // Not `&& node`: the shell would remember the Node that it had before the packages brought theirs. `env` looks again.
  test.each(commands)('%s works in a fresh clone', (name) => {
    expect(manifest.scripts[name]).toMatch(/^node scripts\/bootstrap\.mjs( --browser)? && (?!node )/)
  })

  test('test:all is npm test with more stages', () => {
    expect(manifest.scripts['test:all']).toBe('npm test -- --all')
  })

  test.each(promised.filter((name) => ![...commands, ...production, 'test:all'].includes(name)))(
    '%s installs nothing, and a clone without packages is told what to run first',
    (name) => {
      expect(manifest.scripts[name]).toMatch(/^node scripts\/bootstrap\.mjs --check && (?!node )/)
    },
  )

  // `exec`: signals reach the host, not a shell in front of it.
  test.each(production)('%s installs nothing, and works without the packages of tests', (name) => {
    expect(manifest.scripts[name]).toMatch(/^node scripts\/bootstrap\.mjs --check-production && exec /)
  })

  test.each(['start', 'rpc'])(
    '%s limits the heap to 1 GiB, unless NODE_OPTIONS of an operator says otherwise',
    (name) => {
      const line = (manifest.scripts[name] ?? '').replace(
        /server\.ts.*/,
        `-p 'v8.getHeapStatistics().heap_size_limit / 2 ** 20'`,
      )
      const limitMb = (options: string) =>
        Number(execFileSync('sh', ['-c', line], { env: { ...process.env, NODE_OPTIONS: options } }))
      // V8 counts three semi-spaces of 16 MiB as well.
      expect(limitMb('')).toBe(1024 + 48)
      expect(limitMb('--max-old-space-size=2048')).toBe(2048 + 48)
      expect(limitMb('--max-old-space-size=2048 --max-semi-space-size=8')).toBe(2048 + 24)
    },
  )
})
