import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The packages that `server.ts` loads on its own, past the bundler; Next cannot see them when it gathers the files of
 * an image. `tests/architecture` compares this list with the imports. Next and React are not in it: Next brings them.
 */
export const hostPackages = [
  '@noble/curves',
  '@noble/hashes',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@redis/client',
  '@spruceid/siwe-parser',
  'ipaddr.js',
  'iron-session',
  'pino',
  'quick-lru',
  'sonic-boom',
  'undici',
  'viem',
  'ws',
  'zod',
]

/** Where the engine is a package (`npm run use-engine-package`), Next cannot see it either. @param {string} root */
function enginePackage(root) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return imports['#rpc-proxy'].startsWith('.') ? [] : [imports['#rpc-proxy']]
}

/** The folders of these packages and of all they depend on, as Node would find them. @param {string} root */
export function hostFolders(root) {
  /** @type {Set<string>} */
  const found = new Set()
  const queue = [...hostPackages, ...enginePackage(root)].map((name) => folderOf(root, '', name))
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (found.has(folder)) continue
    found.add(folder)
    const { dependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies ?? {})) queue.push(folderOf(root, folder, name))
  }
  return [...found].sort()
}

/**
 * Node's own lookup: beside the dependent first, then in every folder above.
 *
 * @param {string} root
 * @param {string} from
 * @param {string} name
 * @returns {string}
 */
function folderOf(root, from, name) {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const folder = join(above, 'node_modules', name)
    if (existsSync(join(root, folder, 'package.json'))) return folder
    if (above === '') throw new Error(`${name}, which ${from || 'server.ts'} needs, is not installed`)
  }
}
