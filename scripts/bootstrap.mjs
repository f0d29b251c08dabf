import { ensureBrowser } from './bootstrap/browser.mjs'
import { ensurePackages, missingForDevelopment, missingInProduction } from './bootstrap/packages.mjs'
import { here, machineErrorOf } from './bootstrap/platform.mjs'
import { BootstrapError, say } from './bootstrap/run.mjs'

/**
 * Brings a fresh clone to where the npm script that called us can run: packages, Node 24 among them, and with
 * `--browser` a Chromium. Plain Node built-ins only, because on a fresh clone nothing else is there, and nothing
 * newer than Node 20, because that may be what the machine has. When all is there it is silent and quick.
 *
 * `--check` and `--check-production` install nothing: they say what is missing and fail.
 */
const startedAt = Date.now()
try {
  refuse(machineErrorOf(here, process.versions.node))
  if (process.argv.includes('--check')) refuse(missingForDevelopment())
  else if (process.argv.includes('--check-production')) refuse(missingInProduction())
  else await install()
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error
  say(error.message)
  process.exitCode = 1
}

async function install() {
  const changes = [await ensurePackages(), process.argv.includes('--browser') && (await ensureBrowser())]
  if (changes.includes(true)) say(`ready after ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/** @param {string | undefined} reason */
function refuse(reason) {
  if (reason !== undefined) throw new BootstrapError(reason)
}
