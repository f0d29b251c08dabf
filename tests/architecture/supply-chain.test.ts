import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anvilPackage } from '../../demo/anvil.ts'
import manifest from '../../package.json' with { type: 'json' }
import { nodePackages } from '../../scripts/bootstrap/platform.mjs'
import { missingOptionals } from '../../scripts/complete-lock.ts'
import { lock, locked, lockText, nameOf, versionsOf } from './support/lock.ts'
import { root } from './support/sources.ts'

const { dependencies, devDependencies, optionalDependencies, allowScripts } = manifest
const exact = /^(npm:[a-z@/-]+@)?\d+\.\d+\.\d+$/

/** The newest fixes of known vulnerabilities. Locked versions must not be older. */
const advisories = [
  { name: 'next', fixedIn: '16.3.3', hole: 'GHSA-2xp9-vwfh-vxw4, code in an image; CVE-2026-75604' },
  { name: 'react', fixedIn: '19.2.6', hole: 'CVE-2025-55182, CVE-2026-23870' },
  { name: 'react-dom', fixedIn: '19.2.6', hole: 'CVE-2025-55182, CVE-2026-23870' },
  // Below 10.4.0 its browser build has no `bindings()`, and the rows of the WalletConnect modal fail silently.
  { name: 'pino', fixedIn: '10.4.0', hole: 'no bindings() in browsers' },
]

/** Packages with exactly one copy. Two copies would be two caches, two contexts or two sets of spans. */
const single = [
  ...'next react react-dom viem wagmi @wagmi/core @tanstack/react-query @tanstack/query-core pino'.split(' '),
  ...['@opentelemetry/api', '@opentelemetry/core', '@opentelemetry/resources', '@opentelemetry/sdk-trace'],
  ...['@walletconnect/core', '@walletconnect/utils'],
  // `npm ci` of npm 10 misses a second copy that only peer dependencies need.
  'typescript',
]

function isAtLeast(version: string, floor: string): boolean {
  return version.localeCompare(floor, 'en', { numeric: true }) >= 0
}

describe('versions', () => {
  test('are pinned exactly', () => {
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(versions.length).toBeGreaterThan(30)
    const isPinned = (version: string) => exact.test(version) || version.startsWith('file:')
    expect(versions.filter(([, version]) => !isPinned(version))).toEqual([])
  })

  test('are locked at the pinned versions', () => {
    expect(locked).toMatchObject({ dependencies, devDependencies, optionalDependencies })
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
      expect(locked[kind]).toEqual(manifest[kind])
  })

  test('of Node are the same on every platform', () => {
    expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
  })

  test.each(advisories)('$name is at least $fixedIn: $hole', ({ name, fixedIn }) => {
    expect(versionsOf(name).length).toBeGreaterThan(0)
    expect(versionsOf(name).filter((version) => !isAtLeast(version, fixedIn))).toEqual([])
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
})

describe('the lock', () => {
  test("has a hash for every package, except for other platforms' binaries", () => {
    // The registry of the lock serves the binaries of one platform only, so the hashes of the others are unknown. When such
    // a package is installed, npm accepts what its own registry serves.
    const unhashed = Object.entries(lock).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(unhashed.length).toBeLessThanOrEqual(33)
    expect(Object.keys(lock).length).toBeGreaterThan(500 + unhashed.length)
    const ofOthers = unhashed.filter(([, { optional, os, cpu }]) => optional && os && cpu)
    expect(ofOthers).toEqual(unhashed)
    expect(unhashed.filter(([path]) => existsSync(join(root, path)))).toEqual([])
  })

  test('names no registry, so that any mirror serves it', () => {
    expect(lockText).not.toContain('"resolved": "http')
  })

  test('has every optional package, so that npm ci accepts it and other platforms find theirs', () => {
    expect(missingOptionals({ ...lock, '': locked } as never)).toEqual([])
  })

  test.each(Object.entries(nodePackages))('has Node and anvil for %s', (platform, node) => {
    const [system = '', processor = ''] = platform.split('-')
    for (const name of [node, anvilPackage(system, processor)]) {
      const { os, cpu } = lock[`node_modules/${name}`] ?? {}
      expect([os, cpu].flat(), String(name)).toEqual([system, processor])
    }
  })
})

describe('install scripts', () => {
  const asking = new Set(
    Object.entries(lock).flatMap(([path, entry]) => (entry.hasInstallScript ? [nameOf(path)] : [])),
  )

  test('all have a decision', () => {
    expect(asking.size).toBeGreaterThan(0)
    expect(Object.keys(allowScripts).sort()).toEqual([...asking].sort())
  })

  test('are all refused: no package needs one', () => {
    expect(Object.entries(allowScripts).filter(([, isAllowed]) => isAllowed)).toEqual([])
  })
})
