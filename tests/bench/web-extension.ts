import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { clock } from './web-page.ts'

const extension = join(import.meta.dirname, 'extension')

/**
 * Milliseconds from the start of a returning visitor's page to connected, where the wallet is a real extension whose service worker
 * sleeps: the browser stops one that has been idle for half a minute. In turn over the sites; a profile of its own.
 */
export async function wakeUps<Side extends string>(
  executablePath: string,
  sites: Readonly<Record<Side, string>>,
  turns: number,
): Promise<Readonly<Record<Side, readonly number[]>>> {
  const profile = mkdtempSync(join(tmpdir(), 'bench-extension-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // The old headless mode has no extensions.
    headless: false,
    args: [
      '--headless=new',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  const sides = Object.keys(sites) as Side[]
  const found = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, number[]>
  try {
    await context.addInitScript(clock)
    for (const side of sides) await connect(context, sites[side])
    for (let turn = 0; turn < turns; turn++)
      for (const side of sides) found[side].push(await connectedMs(context, sites[side]))
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
  return found
}

async function connect(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bench Extension' }).click()
  await page.locator('[data-phase="connected"]').waitFor()
  await page.close()
}

async function connectedMs(context: BrowserContext, url: string): Promise<number> {
  await sleep(context)
  const page = await context.newPage()
  await page.goto(url)
  const handle = await page.waitForFunction(() => window.clocked.connectedMs, null, { timeout: 60_000 })
  const ms = await handle.jsonValue()
  await page.close()
  return ms
}

/** Stops the service worker, as the browser does with an idle one. */
async function sleep(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('this browser takes no commands')
  const workers = async () =>
    (await session.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'service_worker')
  for (const { targetId } of await workers()) await session.send('Target.closeTarget', { targetId })
  while ((await workers()).length > 0);
  await session.detach()
}
