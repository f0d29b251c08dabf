import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { nameOf, production } from './support/lock.ts'
import { root } from './support/sources.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: string }[]
}

interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: { readonly purl: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string }[]
}

describe('the command of docs/security.md for a list of all packages', () => {
  let bom: Bom
  beforeAll(() => {
    const command = /`(npm sbom [^`]+)`/.exec(readFileSync(join(root, 'docs/security.md'), 'utf8'))?.[1]
    execSync(command as string, { cwd: root, stdio: 'pipe' })
    bom = JSON.parse(readFileSync(join(root, 'sbom.cdx.json'), 'utf8'))
  }, 60_000)

  test('writes CycloneDX of this project, into a file that git ignores', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.[5-9]$/) })
    expect(bom.metadata.component.purl).toMatch(/^pkg:npm\/quorate@/)
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toContain('sbom.cdx.json\n')
  })

  test('lists every production package in its locked version', () => {
    const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
    const missing = production
      .filter(([, { optional }]) => !optional)
      .filter(([path, { version }]) => !named.has(`${nameOf(path)}@${version}`))
    expect(named.size).toBeGreaterThan(500)
    expect(missing.map(([path]) => path)).toEqual([])
  })

  test('lists each with its url and, if locked, its hash', () => {
    expect(bom.components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([])
    const hashed = new Set(
      production.flatMap(([path, { version, integrity }]) =>
        integrity ? [`${nameOf(path)}@${version}`] : [],
      ),
    )
    const bare = bom.components.filter(
      ({ name, version, hashes }) => hashed.has(`${name}@${version}`) && !hashes,
    )
    expect(bare.map(({ name }) => name)).toEqual([])
    expect(bom.dependencies.length).toBeGreaterThan(bom.components.length)
  })
})
