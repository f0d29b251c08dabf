import { describe, expect, test } from 'vitest'
import { anvilPackage } from '../../demo/anvil.ts'
import { nodePackages } from '../../scripts/bootstrap/platform.mjs'
import { type Locked, lock, nameOf } from './support/lock.ts'

/** The `os`, `cpu` and `libc` fields by which npm installs an optional package: allowed or excluded values. */
function fits({ os, cpu, libc }: Locked, platform: string, arch: string, c = 'glibc'): boolean {
  return admits(os, platform) && admits(cpu, arch) && (platform !== 'linux' || admits(libc, c))
}

function admits(words: readonly string[] | string | undefined, value: string): boolean {
  const list = words === undefined ? [] : [words].flat()
  if (list.some((word) => word === `!${value}`)) return false
  const wanted = list.filter((word) => !word.startsWith('!'))
  return wanted.length === 0 || wanted.includes(value)
}

/** Required native packages: what the lock must have of each for every platform. */
const families = [
  '@biomejs/cli-',
  '@next/swc-',
  '@rolldown/binding-',
  '@oxc-parser/binding-',
  'lightningcss-',
]

describe.each([
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
  ['linux', 'arm64'],
  ['linux', 'x64'],
])('for %s-%s the lock has', (platform, arch) => {
  const installed = Object.entries(lock)
    .filter(([, entry]) => entry.os !== undefined && fits(entry, platform, arch))
    .map(([path]) => nameOf(path))

  test('Node 24, and no other platform’s', () => {
    const all: readonly string[] = Object.values(nodePackages)
    const own = (nodePackages as Readonly<Record<string, string>>)[`${platform}-${arch}`]
    expect(installed.filter((name) => all.includes(name))).toEqual([own])
  })

  test('anvil, which the local chains run on', () => {
    expect(installed).toContain(anvilPackage(platform, arch))
  })

  test.each(families)('one %s*', (family) => {
    expect(installed.filter((name) => name.startsWith(family))).toHaveLength(1)
  })
})
