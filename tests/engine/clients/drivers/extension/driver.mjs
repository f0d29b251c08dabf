import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { manyBalances, plainSteps, refusedSteps } from '../support/plain-steps.mjs'
import { senderBy } from '../support/sender.mjs'
import { describedPlain, does, url } from '../support/steps.mjs'

// The headless shell that browser tests may use has no extensions.
const browser = process.env.PATH?.split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path))
const extension = join(import.meta.dirname, 'extension')
const profile = mkdtempSync(join(tmpdir(), 'extension-'))
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browser,
  headless: true,
  ignoreDefaultArgs: ['--disable-extensions'],
  args: [
    `--disable-extensions-except=${extension}`,
    `--load-extension=${extension}`,
    '--disable-features=DisableLoadExtensionCommandLineSwitch',
  ],
})
const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
const post = (body) => worker.evaluate(([to, asked]) => globalThis.post(to, asked), [url, body])
const call = (id, method, params) => ({ jsonrpc: '2.0', id, method, params })
const step = (name, act) => does(name, act, describedPlain)

async function ask(method, params) {
  const { status, body } = await post(call(1, method, params))
  if (body.error === undefined) return body.result
  throw Object.assign(new Error(body.error.message), { name: `HTTP ${status}`, code: body.error.code })
}

for (const [name, method, params] of plainSteps) await step(name, () => ask(method, params))
await step('batch', async () => {
  const { body } = await post(manyBalances.map(([method, params], id) => call(id, method, params)))
  return body.filter(({ result }) => result !== undefined).length
})
await step('sendAndWait', senderBy(ask).send)
for (const [name, method, params] of refusedSteps) await step(name, () => ask(method, params))
await context.close()
rmSync(profile, { recursive: true, force: true })
