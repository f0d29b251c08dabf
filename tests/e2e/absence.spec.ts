import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/test.ts'

const root = join(import.meta.dirname, '../..')

test('a production build contains nothing of the demo wallet', () => {
  // anvil's first key, texts of the demo wallet, and its bundler.
  const traces = [
    'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    'isDemoWallet',
    'It may see',
  ]
  const files = textFiles(join(root, '.next'), ['cache', 'dev', 'trace', 'trace-build', 'turbopack'])
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) {
    const text = readFileSync(file, 'latin1')
    for (const trace of traces) expect(text.includes(trace), `${trace} in ${file}`).toBe(false)
  }
})

test('under DEMO the wallet is one script of this site’s own', async ({ request, apps }) => {
  const response = await request.get(`${await apps.url('node')}/demo-wallet.js`)
  expect(response.headers()['content-type']).toContain('text/javascript')
  expect(await response.text()).toContain('isDemoWallet')
})

function textFiles(folder: string, without: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (without.includes(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return textFiles(path, without)
    // Unbundled packages are symlinks, not our code.
    if (entry.isSymbolicLink()) return []
    // Source maps include comments of libraries, and one of viem contains anvil's first key.
    return /\.(woff2|ico|png|map)$/.test(entry.name) ? [] : [path]
  })
}
