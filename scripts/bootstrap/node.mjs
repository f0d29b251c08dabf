import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { here, nameOf, nodePackages } from './platform.mjs'
import { BootstrapError, root } from './run.mjs'

export const nodeMajor = 24
const link = join(root, 'node_modules/.bin/node')

/** Whether npm scripts of this clone run on Node 24: they find `node` in node_modules/.bin before the system's. */
export function hasNode() {
  return versionAt(link).major === nodeMajor
}

/**
 * Puts a Node 24 into node_modules/.bin; false when there is none.
 *
 * npm 11 links the one of our platform package itself. npm 9 and 10 link none as long as the lock names the packages of
 * several platforms that each bring a `node`, and no npm links one for a package that the lock holds without its `bin`.
 */
export function linkNode() {
  // The project's own first; else the one that runs us will do.
  const found = [packagedNode(), process.execPath].find((path) => path && versionAt(path).major === nodeMajor)
  if (!found) return false
  const folder = join(root, 'node_modules/.bin')
  const fresh = `${link}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  rmSync(fresh, { force: true })
  symlinkSync(found.startsWith(root) ? relative(folder, found) : found, fresh)
  // Another npm script may be running on the link that is replaced.
  renameSync(fresh, link)
  return true
}

/** Removes the platform package, so that npm fetches it again; what is there does not start. */
export function dropNode() {
  const packaged = packagedNode()
  if (packaged !== undefined) rmSync(join(packaged, '../..'), { recursive: true, force: true })
}

/** What to tell somebody whose machine got no Node 24. */
export function nodeError() {
  const packaged = packagedNode()
  const why =
    packaged === undefined
      ? `there is no package with Node ${nodeMajor} for ${nameOf(here)}`
      : existsSync(packaged)
        ? `${relative(root, packaged)} does not start (${versionAt(packaged).error})`
        : `the registry gave no ${nodePackages[nameOf(here)]}`
  return new BootstrapError(
    `Quorate runs on Node ${nodeMajor}, but ${why}, and this is Node ${process.versions.node}. Install Node ${nodeMajor} ` +
      `(https://nodejs.org, \`nvm install ${nodeMajor}\` or \`brew install node@${nodeMajor}\`) so that \`node --version\` ` +
      `says v${nodeMajor}, then run this again.`,
  )
}

function packagedNode() {
  const name = nodePackages[nameOf(here)]
  return name && join(root, 'node_modules', name, 'bin/node')
}

/** @param {string} path @returns {{ major?: number, error?: string }} */
function versionAt(path) {
  try {
    const version = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const major = Number(/^v(\d+)\./.exec(version)?.[1])
    return { major, error: `it says it is ${version.trim()}` }
  } catch (error) {
    const { code, signal, status } = /** @type {{ code?: string, signal?: string, status?: number }} */ (
      error
    )
    return { error: String(code ?? signal ?? `exit code ${status}`) }
  }
}
