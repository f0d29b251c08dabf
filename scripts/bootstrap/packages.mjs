import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { installHooks } from './hooks.mjs'
import { dropNode, hasNode, linkNode, nodeError, nodeMajor } from './node.mjs'
import { BootstrapError, root, run, say } from './run.mjs'

const installLimitMs = 15 * 60_000
/** npm's own patience with a registry that does not answer adds up to more than ten minutes of silence. */
const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
/** Errors of npm's cache and of connections that another try usually mends; what has been fetched is not fetched again. */
const passing = /^npm (error|ERR!) code (EEXIST|ENOTEMPTY|EBUSY|EINTEGRITY|ECONNRESET)$/m

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ dependencies?: object, devDependencies?: object, optionalDependencies?: object }} Wants
 * @typedef {{ packages: Record<string, Entry & Wants> }} Lock
 */

/**
 * Installs what the lock names and node_modules lacks, and a Node 24 for npm scripts; true when it had to install.
 *
 * `npm install --no-save` and not `npm ci`: it repairs instead of starting over, and where a registry mirrors the
 * binaries of one platform only, it still finds the lock acceptable. `--ignore-scripts`, because only npm 11 reads
 * `allowScripts`: 9 and 10 would run the install scripts of every package. None of ours needs one. `--include`, because
 * under NODE_ENV=production npm leaves out what builds and tests need, and some people's npm leaves out optional packages.
 */
export async function ensurePackages() {
  const isComplete = isInstalled()
  if (isComplete && (hasNode() || linkNode())) return false
  if (isComplete) dropNode()
  const count = Object.keys(read('package-lock.json')?.packages ?? {}).length
  say(`installing the packages of package-lock.json (${count} entries, one to three minutes the first time)`)
  const flags = [
    '--no-save',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const install = () => npm(['install', ...flags, ...patience])
  let { ok, output } = await install()
  if (!ok && passing.test(output)) {
    say(`npm tries once more after this:\n${reasonIn(output)}`)
    ;({ ok, output } = await install())
  }
  if (!ok) throw new BootstrapError(`npm could not install the packages:\n${reasonIn(output)}`)
  if (!hasNode() && !linkNode()) throw nodeError()
  installHooks()
  return true
}

/** What to run first where tests and tools cannot run; undefined where they can. */
export function missingForDevelopment() {
  if (isInstalled() && (hasNode() || linkNode())) return undefined
  const state = existsSync(join(root, 'node_modules')) ? 'are not those of package-lock.json' : 'are missing'
  return `The packages ${state}. Run this first: node scripts/bootstrap.mjs`
}

/** The same for a host, which may have been installed without the packages of tests, and not by npm. */
export function missingInProduction() {
  const isThere = existsSync(join(root, 'node_modules/next/package.json'))
  if (isThere && Number.parseInt(process.versions.node, 10) >= nodeMajor) return undefined
  const state = isThere
    ? `This is Node ${process.versions.node}, not ${nodeMajor}`
    : 'The packages are missing'
  return `${state}. Run this first: node scripts/bootstrap.mjs (or npm install --omit=dev, on Node ${nodeMajor})`
}

/** npm writes node_modules/.package-lock.json last, so an interrupted install never looks finished. */
function isInstalled() {
  const wanted = read('package-lock.json')
  const present = read('node_modules/.package-lock.json')
  const manifest = read('package.json')
  if (wanted === undefined || present === undefined || manifest === undefined) return false
  return agrees(manifest, wanted.packages['']) && holds(present, wanted)
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
  const self = process.env.npm_execpath ?? ''
  // The npm that runs the script is also the one to install with; it may be the only one there is. Under other package
  // managers the same variable names theirs.
  return basename(self) === 'npm-cli.js'
    ? run(process.execPath, [self, ...args], options)
    : run('npm', args, options)
}

/** npm says what went wrong first and where it happened after that, at length. @param {string} output */
function reasonIn(output) {
  const lines = output.split('\n')
  const errors = lines.filter((line) => /^npm (error|ERR!) /.test(line))
  return (errors.length > 0 ? errors.slice(0, 4) : lines.slice(-4)).join('\n')
}

/** @param {string} path @returns {any} */
function read(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return undefined
  }
}
