import { ensureBrowser } from './bootstrap/browser.mjs'
import { ensurePackages } from './bootstrap/packages.mjs'
import { here, machineErrorOf } from './bootstrap/platform.mjs'
import { BootstrapError, say } from './bootstrap/run.mjs'

/**
 * Brings a fresh clone to where the npm script that called us can run: packages, Node 24 among them, and with
 * `--browser` a Chromium. Plain Node built-ins only, because on a fresh clone nothing else is there, and nothing
 * newer than Node 20, because that may be what the machine has. When all is there it is silent and quick.
 */
const startedAt = Date.now()
try {
  refuseMachine()
  const changes = [await ensurePackages(), process.argv.includes('--browser') && (await ensureBrowser())]
  if (changes.includes(true)) say(`ready after ${Math.round((Date.now() - startedAt) / 1000)} s.`)
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error
  say(error.message)
  process.exitCode = 1
}

function refuseMachine() {
  const machineError = machineErrorOf(here, process.versions.node)
  if (machineError !== undefined) throw new BootstrapError(machineError)
}
