import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { browserAdvice, browserPaths, here } from './platform.mjs'
import { BootstrapError, root, run, say } from './run.mjs'

const downloadLimitMs = 8 * 60_000
const isRoot = process.getuid?.() === 0

/** The Chromium to launch: the one CHROMIUM_PATH names, else the first that starts, Playwright's own the last; or undefined. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return named
  return [...browserPaths(here, homedir()), ...playwrightsOwn()].find(starts)
}

/** Finds a Chromium or fetches one by whatever way the machine offers; true when it had to fetch. */
export async function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named && !isExecutable(named))
    throw new BootstrapError(`CHROMIUM_PATH names ${named}, which cannot be run.`)
  if (findChromium()) return false
  const failures = []
  for (const { name, applies, fetch } of ways) {
    if (!applies()) continue
    say(`no Chromium here; ${name} (one to four minutes)`)
    const { ok, output } = await fetch()
    if (ok && findChromium()) return true
    const reason = ok ? 'it does not start, perhaps for want of a system library' : reasonIn(output)
    failures.push(`${name}: ${reason}`)
    say(`that did not work: ${reason}`)
  }
  throw new BootstrapError(
    `The browser tests need a Chromium and none could be fetched (${failures.join('; ')}). ` +
      `${browserAdvice(here)}, or set CHROMIUM_PATH to one, then run this again.`,
  )
}

/** The line that names the error; stack frames follow it. @param {string} output */
function reasonIn(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => /^(Error|E): /.test(line)) ?? lines.at(-1) ?? 'no reason given'
}

/** @type {readonly { name: string, applies: () => boolean, fetch: () => Promise<{ ok: boolean, output: string }> }[]} */
const ways = [
  { name: "fetching Playwright's", applies: () => true, fetch: fetchPlaywrights },
  { name: "installing Debian's with apt-get", applies: isRootOnDebian, fetch: installDebians },
]

/** The download comes first and the libraries after it: behind a closed network the first fails in seconds. */
async function fetchPlaywrights() {
  const download = await playwright(['install', 'chromium'])
  return download.ok && isRoot && here.platform === 'linux'
    ? playwright(['install-deps', 'chromium'])
    : download
}

/** @param {readonly string[]} args */
function playwright(args) {
  return run(join(root, 'node_modules/.bin/node'), [join(root, 'node_modules/playwright/cli.js'), ...args], {
    what: `playwright ${args.join(' ')}`,
    limitMs: downloadLimitMs,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  })
}

function isRootOnDebian() {
  return isRoot && existsSync('/usr/bin/apt-get')
}

async function installDebians() {
  const options = { limitMs: downloadLimitMs, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const lists = await run('apt-get', ['update', '-q'], { what: 'apt-get update', ...options })
  if (!lists.ok) return lists
  const args = ['install', '-qy', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation']
  return run('apt-get', args, { what: 'apt-get install chromium-headless-shell', ...options })
}

/** Playwright's own, downloaded or not. @returns {readonly string[]} */
function playwrightsOwn() {
  try {
    return [createRequire(join(root, 'package.json'))('playwright').chromium.executablePath()]
  } catch {
    return []
  }
}

/** A browser that lacks a library, and Ubuntu's stub that wants a snap, are there and still cannot be run. @param {string} path */
function starts(path) {
  if (!isExecutable(path)) return false
  return spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: 30_000 }).status === 0
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
