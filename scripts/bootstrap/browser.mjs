import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Refusal, root, run, say } from './run.mjs'

const downloadLimitMs = 8 * 60_000
/** The headless shell first: the same Chromium without windows, which takes half the time on two cores. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const isRoot = process.getuid?.() === 0

/** The Chromium to launch: the one CHROMIUM_PATH names, else the system's, else Playwright's own; or undefined. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return named
  return systemPaths.find((path) => existsSync(path)) ?? playwrightsOwn()
}

/** Finds a Chromium or fetches one by whatever way the machine offers; true when it had to fetch. */
export async function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named && !isExecutable(named)) throw new Refusal(`CHROMIUM_PATH names ${named}, which cannot be run.`)
  if (findChromium()) return false
  const failures = []
  for (const { name, applies, fetch } of ways) {
    if (!applies()) continue
    say(`no Chromium here; ${name} (one to four minutes)`)
    const { ok, output } = await fetch()
    const path = findChromium()
    if (ok && path && (await answers(path))) return true
    failures.push(`${name}: ${reasonIn(output)}`)
    say(`that did not work: ${reasonIn(output)}`)
  }
  throw new Refusal(
    `The browser tests need a Chromium and none could be fetched (${failures.join('; ')}). ` +
      'Install one (on Debian: `sudo apt-get install chromium`) or set CHROMIUM_PATH, then run this again.',
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
  return download.ok && isRoot ? playwright(['install-deps', 'chromium']) : download
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
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const lists = await run('apt-get', ['update', '-q'], {
    what: 'apt-get update',
    limitMs: downloadLimitMs,
    env,
  })
  if (!lists.ok) return lists
  const args = ['install', '-qy', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation']
  return run('apt-get', args, {
    what: 'apt-get install chromium-headless-shell',
    limitMs: downloadLimitMs,
    env,
  })
}

/** A browser that lacks a library is found on the disk and still cannot be run. @param {string} path */
async function answers(path) {
  const { ok } = await run(path, ['--version', '--no-sandbox'], {
    what: 'chromium --version',
    limitMs: 30_000,
  })
  return ok
}

/** @returns {string | undefined} */
function playwrightsOwn() {
  try {
    const path = createRequire(join(root, 'package.json'))('playwright').chromium.executablePath()
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
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
