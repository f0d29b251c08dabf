import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/steps.ts'

const manifest = { dependencies: { a: '1.0.0' } }
const lock = { packages: { '': manifest, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }

/** An npm that notes that it was asked, and installs what the lock names, with a Node of the given version. */
const npmThatInstalls = (version: string) => `
  const { appendFileSync, chmodSync, cpSync, mkdirSync, writeFileSync } = require('node:fs')
  appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n')
  mkdirSync('node_modules/.bin', { recursive: true })
  cpSync('package-lock.json', 'node_modules/.package-lock.json')
  writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho ${version}\\n')
  chmodSync('node_modules/.bin/node', 0o755)`

let clone: string

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'quorate-bootstrap-'))
  mkdirSync(join(clone, 'scripts'))
  cpSync(join(root, 'scripts/bootstrap'), join(clone, 'scripts/bootstrap'), { recursive: true })
  cpSync(join(root, 'scripts/bootstrap.mjs'), join(clone, 'scripts/bootstrap.mjs'))
  put('package.json', manifest)
  put('package-lock.json', lock)
  put('npm.js', npmThatInstalls('v24.1.0'))
})

afterEach(() => rmSync(clone, { recursive: true }))

function put(path: string, content: object | string): void {
  writeFileSync(join(clone, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function bootstrap(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { NODE_ENV: 'test', PATH: '/usr/bin:/bin', npm_execpath: join(clone, 'npm.js'), ...env },
  })
  return { status, said: stderr }
}

function asked(): readonly string[] {
  return readFileSync(join(clone, 'asked'), 'utf8').trim().split('\n')
}

describe('the bootstrap', () => {
  test('installs a fresh clone without touching its lock, and says so', () => {
    const { status, said } = bootstrap()
    expect(status).toBe(0)
    expect(said).toContain('installing the packages of package-lock.json')
    expect(asked()).toEqual([expect.stringMatching(/^install --no-save /)])
  })

  test('finds a finished install finished, and is silent', () => {
    bootstrap()
    expect(bootstrap()).toEqual({ status: 0, said: '' })
    expect(asked()).toHaveLength(1)
  })

  test.each([
    ['an install that was interrupted', 'node_modules/.package-lock.json', { packages: {} }],
    [
      'a lock that moved on',
      'package-lock.json',
      { packages: { '': manifest, 'node_modules/a': { version: '1.0.1' } } },
    ],
    ['a manifest edited by hand', 'package.json', { dependencies: { a: '1.0.1' } }],
  ])('repairs %s', (_name, path, content) => {
    bootstrap()
    put(path, content)
    bootstrap()
    expect(asked()).toHaveLength(2)
  })

  test('repairs a Node of its own that does not start', () => {
    bootstrap()
    put('node_modules/.bin/node', 'no program')
    chmodSync(join(clone, 'node_modules/.bin/node'), 0o755)
    expect(bootstrap().status).toBe(0)
    expect(asked()).toHaveLength(2)
  })

  test('does not miss what only other platforms have', () => {
    const other = { 'node_modules/b-darwin': { version: '1.0.0', optional: true } }
    bootstrap()
    put('package-lock.json', { packages: { ...lock.packages, ...other } })
    bootstrap()
    expect(asked()).toHaveLength(1)
  })

  test('refuses a platform that gets no Node 24, in one sentence', () => {
    put('npm.js', npmThatInstalls('v20.1.0'))
    const { status, said } = bootstrap()
    expect(status).toBe(1)
    expect(said).toMatch(/node_modules\/\.bin\/node is v20\.1\.0, not Node 24/)
  })

  test("ends with npm's last words when npm fails", () => {
    put('npm.js', "console.error('npm error network unreachable'); process.exit(1)")
    const { status, said } = bootstrap()
    expect(status).toBe(1)
    expect(said).toMatch(/npm could not install the packages.*\n.*network unreachable/)
  })

  test('refuses a CHROMIUM_PATH that cannot be run', () => {
    const { status, said } = bootstrap(['--browser'], { CHROMIUM_PATH: '/nowhere/chromium' })
    expect(status).toBe(1)
    expect(said).toContain('CHROMIUM_PATH names /nowhere/chromium, which cannot be run.')
  })

  test('takes the browser that CHROMIUM_PATH names', () => {
    const { status } = bootstrap(['--browser'], { CHROMIUM_PATH: process.execPath })
    expect(status).toBe(0)
  })
})
