import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, root, run, say } from './run.mjs'

const nodeMajor = 24
const installLimitMs = 15 * 60_000
/** npm's own patience with a registry that does not answer adds up to more than ten minutes of silence. */
const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ dependencies?: object, devDependencies?: object, optionalDependencies?: object }} Wants
 * @typedef {{ packages: Record<string, Entry & Wants> }} Lock
 */

/**
 * Installs what the lock names and node_modules lacks; true when it had to.
 *
 * `npm install --no-save` and not `npm ci`: it repairs instead of starting over, and where a registry mirrors the
 * binaries of one platform only, it still finds the lock acceptable.
 */
export async function ensurePackages() {
  if (isInstalled()) return false
  const count = Object.keys(read('package-lock.json')?.packages ?? {}).length
  say(`installing the packages of package-lock.json (${count} entries, one to three minutes the first time)`)
  const { ok, output } = await npm([
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...patience,
  ])
  if (!ok) throw new Refusal(`npm could not install the packages:\n${reasonIn(output)}`)
  const found = projectNode()
  if (majorOf(found) !== nodeMajor)
    throw new Refusal(
      `node_modules/.bin/node is ${found ?? 'missing'}, not Node ${nodeMajor}: the registry has no such binary for ` +
        `${process.platform}-${process.arch}. Install Node ${nodeMajor} and link it there, or use another machine.`,
    )
  return true
}

/** npm writes node_modules/.package-lock.json last, so an interrupted install never looks finished. */
function isInstalled() {
  const wanted = read('package-lock.json')
  const present = read('node_modules/.package-lock.json')
  const manifest = read('package.json')
  if (wanted === undefined || present === undefined || manifest === undefined) return false
  return (
    agrees(manifest, wanted.packages['']) && holds(present, wanted) && majorOf(projectNode()) === nodeMajor
  )
}

/** @param {Lock} present @param {Lock} wanted */
function holds(present, wanted) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '') return true
    const found = present.packages[path]
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && (!entry.integrity || found.integrity === entry.integrity)
  })
}

/** A manifest edited by hand, or by a merge, wants what its lock does not know yet. @param {Wants} manifest @param {Wants | undefined} locked */
function agrees(manifest, locked) {
  const lists = /** @type {const} */ (['dependencies', 'devDependencies', 'optionalDependencies'])
  return lists.every(
    (list) => JSON.stringify(sorted(manifest[list])) === JSON.stringify(sorted(locked?.[list])),
  )
}

/** @param {object | undefined} list */
function sorted(list) {
  return Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** @param {readonly string[]} args */
function npm(args) {
  const options = { what: 'npm install', limitMs: installLimitMs }
  const self = process.env.npm_execpath
  // The npm that runs the script is also the one to install with; it may be the only one there is.
  return self?.endsWith('.js') ? run(process.execPath, [self, ...args], options) : run('npm', args, options)
}

/** npm says what went wrong first and where it happened after that, at length. @param {string} output */
function reasonIn(output) {
  const lines = output.split('\n')
  const errors = lines.filter((line) => /^npm (error|ERR!) /.test(line))
  return (errors.length > 0 ? errors.slice(0, 4) : lines.slice(-4)).join('\n')
}

/** @returns {string | undefined} */
function projectNode() {
  try {
    return execFileSync(join(root, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/** @param {string | undefined} version */
function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version ?? '')?.[1])
}

/** @param {string} path @returns {any} */
function read(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return undefined
  }
}
