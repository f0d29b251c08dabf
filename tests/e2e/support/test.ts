import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { toHex } from 'viem'
import { openMark } from '../../../app/_ui/use-back-to-close.ts'
import { defaultNodes } from '../../../demo/default-nodes.ts'
import { callNode } from '../../../demo/json-rpc.ts'
import { type Apps, createApps } from './apps.ts'
import { pressMsMax } from './demo-wallet.ts'
import { watchPolicies } from './policy.ts'
import {
  addTestWallet,
  otherTestAccount,
  type TestWallet,
  type TestWalletOptions,
  testAccount,
} from './test-wallet.ts'
import { connectTest } from './visitor.ts'

/** What `#testing` has, beside `test`. */
export { addTestWallet, connectTest, expect, otherTestAccount, testAccount }

type Arrive = (wallet?: Omit<TestWalletOptions, 'origin'>) => Promise<TestWallet>

interface Steps {
  /** Where too few nodes reply in time, it does what a visitor is told, and reviews again. */
  readonly isPatient: boolean
  /** CSP violations in this test. The test fails if any are left. */
  readonly refused: string[]
  /** Base url of the app without a demo. */
  readonly plain: string
  /** Opens that app in a browser with the test wallet. */
  readonly visit: Arrive
  /** The same, and connects the wallet. */
  readonly visitConnected: Arrive
}

/** Playwright's test with the apps of the suite and common first steps. */
export const test = base.extend<Steps, { apps: Apps; demoUrl: string }>({
  apps: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern here.
    async ({}, use) => {
      const apps = await createApps()
      await use(apps)
      await apps.stop()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  demoUrl: [async ({ apps }, use) => use(await apps.url('node')), { scope: 'worker', timeout: 900_000 }],
  isPatient: [true, { option: true }],
  page: async ({ page, isPatient }, use) => {
    for (const name of ['goto', 'reload'] as const) afterBack(page, name)
    // Once more each time: a busy machine may miss that the words were gone for a moment.
    if (isPatient)
      await page.addLocatorHandler(
        toldToWait(page),
        () => reviewButton(page).click({ timeout: pressMsMax }).catch(notThere),
        { noWaitAfter: true },
      )
    await use(page)
    // A route that waits for its server would fail the next test of this worker.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  refused: [
    async ({ context }, use) => {
      const refused = await watchPolicies(context)
      await use(refused)
      expect(refused).toEqual([])
    },
    { auto: true },
  ],
  plain: async ({ apps }, use) => use(await apps.url('plain')),
  visit: async ({ page, context, plain }, use) =>
    use(async (options = {}) => {
      const wallet = await addTestWallet(context, { ...options, origin: plain })
      await page.goto(plain)
      return wallet
    }),
  visitConnected: async ({ page, visit }, use) =>
    use(async (options) => {
      const wallet = await visit(options)
      await connectTest(page)
      return wallet
    }),
})

const notThere = () => undefined

const reviewButton = (page: Page) => page.getByRole('button', { name: 'Review' })

const toldToWait = (page: Page) =>
  page
    .getByRole('dialog')
    .filter({ has: reviewButton(page) })
    .getByRole('alert')
    .filter({ hasText: /Try again( in a (moment|few minutes)|, or enter the address)/ })
    .first()

/** A window that closes takes its entry of the history away a moment later, which would end a navigation that begins meanwhile. */
function afterBack(page: Page, name: 'goto' | 'reload'): void {
  const navigate = page[name].bind(page) as (...args: unknown[]) => Promise<never>
  page[name] = async (...args: unknown[]) => {
    await page
      .waitForFunction(
        (mark) => !history.state?.[mark] || document.querySelector('dialog[open], [role=dialog]') !== null,
        openMark,
        { polling: 50 },
      )
      // A page that has not opened has nothing to take away.
      .catch(() => undefined)
    return navigate(...args)
  }
}

/** For what the hosts have code of their own for. Where Next serves the same on both, a test takes the Node host. */
export const hosts = ['node', 'edge'] as const

/** The account of the demo wallet. */
export const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const shortAccount = '0xf3…2266'
export const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Sets the fault profile of a demo node, e.g. a fault. Shapes are in demo/nodes/fault-profile.ts. */
export async function giveCharacter(
  demoUrl: string,
  chainId: number,
  node: string,
  faultProfile: object | string,
) {
  const response = await fetch(`${demoUrl}/api/rpc/nodes/${chainId}/${node}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'fault', faultProfile }),
  })
  expect(response.status, await response.text()).toBe(200)
}

/** The names of the nodes of each chain: four voters, then witnesses. */
export const nodeNames = defaultNodes.map(({ name }) => name)

/** Gives the nodes of a chain what they began with, and reads until the gateway asks the honest ones again: it leaves out a while those that failed. */
export async function healNodes(demoUrl: string, chainId: number): Promise<void> {
  for (const { name, faultProfile } of defaultNodes) await giveCharacter(demoUrl, chainId, name, faultProfile)
  const url = `${demoUrl}/api/rpc/${chainId}`
  const leftOut = new RegExp(`_node_state{chain="${chainId}",node="(honest|witness)-.",state="usable"} 0`)
  await expect(async () => {
    const account = toHex(Date.now(), { size: 20 })
    await callNode(url, 'eth_getBalance', [account, 'latest'], { 'x-quorate-protect': '1' })
    const metrics = await (await fetch(`${demoUrl}/api/rpc/metrics`)).text()
    expect(metrics).not.toMatch(leftOut)
  }).toPass()
}

/** Reads from the chain directly. */
export async function balanceOf(origin: string, chainId: number, address: string): Promise<bigint> {
  const response = await fetch(`${origin}/api/rpc/${chainId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }),
  })
  return BigInt(((await response.json()) as { result: string }).result)
}

/** What takes longer shows that something is awaited. */
const animationMsMax = 3000

const axePath = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')
const axe = readFileSync(axePath, 'utf8')
/** What depends on colours: all that the other theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

interface Accessible {
  readonly without?: readonly string[]
  /** The theme alone differs from a state that was checked. */
  readonly only?: 'colours'
  readonly state?: string
}

/** Fails on every accessibility violation that axe finds, except for the rules `without`. */
export async function expectAccessible(
  page: Page,
  { without = [], only, state = '' }: Accessible = {},
): Promise<void> {
  // During a navigation there is a moment without a title.
  await expect(page, state).toHaveTitle(/\S/)
  // Content that is fading in has no contrast yet. An animation of a page that is not painted never ends.
  await page.evaluate((msMax) => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= msMax)
      .map(({ finished }) => finished)
    return Promise.race([Promise.allSettled(ends), new Promise((resolve) => setTimeout(resolve, msMax))])
  }, animationMsMax)
  // Once for each document: AxeBuilder would have half a megabyte compiled twice for each check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const { violations } = await new AxeBuilder({ page, axeSource: '0' })
    .options({
      rules: { 'label-content-name-mismatch': { enabled: true }, ...rules },
      resultTypes: ['violations'],
      ...(only === 'colours' && { runOnly: colourRules }),
    })
    // Enough, because the pages have no frames to merge results from.
    .setLegacyMode()
    .analyze()
  const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(faults, state).toEqual([])
}

type Theme = 'light' | 'dark'

/**
 * Fails on every accessibility violation in either theme; on a phone, which has the colours of the desktop, in one. With PICTURES=1 a
 * person gets each to look at.
 */
export async function expectInBothThemes(
  page: Page,
  name: string,
  takePicture: (theme: Theme) => Promise<unknown>,
): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  const hasPictures = process.env.PICTURES === '1'
  for (const theme of ['light', 'dark'] as const) {
    const isDark = theme === 'dark'
    if (isDark && name.startsWith('phone') && !hasPictures) continue
    await page.emulateMedia({ colorScheme: theme })
    if (hasPictures) await takePicture(theme)
    await expectAccessible(page, { state: `${name}, ${theme}`, ...(isDark && { only: 'colours' }) })
  }
}
