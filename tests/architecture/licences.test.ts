import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nameOf, production } from './support/lock.ts'
import { root } from './support/sources.ts'

/** Licences that an MIT product may be shipped with. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']

/** Each exception is a decision. A new one needs a reason. */
const decided: readonly { readonly name: string; readonly licence?: string }[] = [
  // Unmodified files of their own, under the MetaMask SDK.
  { name: '@ethereumjs/', licence: 'MPL-2.0' },
  { name: 'webextension-polyfill', licence: 'MPL-2.0' },
  // Data of the build, not shipped.
  { name: 'caniuse-lite', licence: 'CC-BY-4.0' },
  // Optional of Next, never loaded: images are unoptimized.
  { name: '@img/sharp', licence: 'LGPL-3.0-or-later' },
  // MIT, said in its LICENSE file only.
  { name: 'xmlhttprequest-ssl' },
  // Declares none; comes with the MetaMask SDK.
  { name: '@metamask/eth-json-rpc-provider' },
  // MetaMask's own: free below 10,000 monthly users, see SECURITY.md.
  { name: '@metamask/sdk' },
]

/** Every licence of an SPDX expression must be allowed; one side of an OR is enough. */
function isPermissive(licence: string): boolean {
  const text = licence.replace(/^\(|\)$/g, '')
  if (text.includes(' OR ')) return text.split(' OR ').some(isPermissive)
  return text.split(' AND ').every((word) => permissive.includes(word))
}

function isDecided(name: string, licence: string | undefined): boolean {
  return decided.some(
    (row) => name.startsWith(row.name) && (licence === row.licence || licence?.includes(row.licence ?? '\n')),
  )
}

const installed = production.filter(([path]) => existsSync(join(root, path)))

describe('licences of production packages', () => {
  test('are permissive, or single decisions', () => {
    expect(installed.length).toBeGreaterThan(300)
    const wrong = installed
      .map(([path, { license }]) => ({ name: nameOf(path), license }))
      .filter(({ name, license }) => !(license && isPermissive(license)) && !isDecided(name, license))
    expect(wrong).toEqual([])
  })

  test('all exceptions are still needed', () => {
    const names = installed.map(([path]) => nameOf(path))
    expect(decided.filter(({ name }) => !names.some((found) => found.startsWith(name)))).toEqual([])
  })
})
