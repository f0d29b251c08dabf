import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lock, production } from './support/lock.ts'
import { root } from './support/sources.ts'

/**
 * Limits for dependencies. A change that needs more raises a number here in the same commit; one that needs fewer lowers
 * it.
 */
const packagesMax = 833
const productionPackagesMax = 550
const productionMegabytesMax = 900

const present = (paths: readonly string[]) => paths.filter((path) => existsSync(join(root, path)))

/** Size of a package folder in bytes, without nested packages. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size)
  }, 0)
}

describe('the dependency budget', () => {
  test(`at most ${packagesMax} packages are locked, other platforms' binaries included`, () => {
    const others = Object.keys(lock).filter((path) => path !== 'node_modules/@quorate/engine')
    expect(others.length).toBeLessThanOrEqual(packagesMax)
  })

  const paths = present(production.map(([path]) => path))

  test(`at most ${productionPackagesMax} of them are installed with the product`, () => {
    expect(paths.length).toBeGreaterThan(300)
    expect(paths.length).toBeLessThanOrEqual(productionPackagesMax)
  })

  test(`which weigh at most ${productionMegabytesMax} MB`, () => {
    const megabytes = paths.reduce((sum, path) => sum + bytesOf(join(root, path)), 0) / 1e6
    expect(megabytes).toBeGreaterThan(100)
    expect(megabytes).toBeLessThanOrEqual(productionMegabytesMax)
  })
})
