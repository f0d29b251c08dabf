import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { breakPage } from './support/break.ts'
import { another, degraded, initial } from './support/chains.ts'
import { card, connectDemo, dismiss, draftToReview, openConnect, pickChain } from './support/demo-wallet.ts'
import { small, write } from './support/pictures.ts'
import {
  balanceOf,
  expect,
  expectInBothThemes,
  giveCharacter,
  healNodes,
  nodeNames,
  other,
  test,
} from './support/test.ts'

/**
 * Visits every state that a visitor can see, and checks its accessibility in both themes. With PICTURES=1 it takes screenshots: under
 * test-results, and those of the README under docs/images.
 */
const root = join(import.meta.dirname, '../..')
const inReadme = new Set([
  'desktop-signed-out',
  'desktop-connected',
  'desktop-review',
  'desktop-confirmed',
  'desktop-nodes',
  'phone-connected',
])

const screens = [
  { name: 'desktop', viewport: { width: 1280, height: 860 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const

// The longest of all tests: one per browser.
test.describe.configure({ mode: 'parallel' })

for (const screen of screens) {
  test(`every state on a ${screen.name}`, async ({ page, apps, demoUrl }) => {
    await page.setViewportSize(screen.viewport)
    const see = (state: string) => keep(page, `${screen.name}-${state}`)
    await page.goto(await apps.url('node'))
    await expect(card(page, initial.id)).toContainText('Agreed by')
    await see('signed-out')
    await openConnect(page)
    await see('modal')
    await dismiss(page)
    await connectDemo(page)
    await pickChain(page, another.id)
    await expect(card(page, another.id)).toContainText('Active')
    await draftToReview(page, other, '1.5')
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeVisible()
    await see('review')
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toBeVisible()
    await see('in-wallet')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
    await see('sending')
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    await see('confirmed')
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(`Send 1.5 ${another.symbol}`).first()).toBeVisible()
    await see('connected')
    await page.getByRole('button', { name: /^Account/ }).click()
    await expect(page.getByRole('dialog').getByText(`Send 1.5 ${another.symbol}`).first()).toBeVisible()
    await see('account')
    await dismiss(page)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByLabel('Amount').fill('99999999')
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('0x1234')
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByText('Enter an address')).toBeVisible()
    await see('draft-held-back')
    await dismiss(page)

    await giveCharacter(demoUrl, another.id, 'honest-a', 'hanging')
    await expect(page.getByText(degraded(another))).toBeVisible()
    await see('degraded')
    for (const node of nodeNames) await giveCharacter(demoUrl, another.id, node, 'down')
    await expect(card(page, another.id)).toContainText('Last known')
    await see('no-quorum')
    await heal(demoUrl)

    await page.goto(`${await apps.url('node')}/status`)
    if (screen.name === 'phone')
      await page
        .getByText(/standing by$/)
        .first()
        .click()
    await expect(page.getByRole('rowheader', { name: 'liar' }).first()).toBeVisible()
    await see('nodes')
    await giveCharacter(demoUrl, initial.id, 'honest-a', 'down')
    const faults = page.getByRole('row').filter({ hasText: 'honest-a' }).first().getByRole('cell').nth(-2)
    await expect(async () => {
      // Calls that this node fails.
      await balanceOf(await apps.url('node'), initial.id, other).catch(() => null)
      await expect(faults).toHaveAttribute('data-alarm', 'true', { timeout: 500 })
    }).toPass()
    await see('faulty-node')
    await heal(demoUrl)
    await page.goto(`${await apps.url('node')}/nope`)
    await see('not-found')
    await page.goto(`${await apps.url('node')}/?address=${other}`)
    await see('looked-up')
    await breakPage(page)
    await expect(page.getByText('This page could not be shown')).toBeVisible()
    await see('error')
  })
}

test.afterEach(({ demoUrl }) => heal(demoUrl))

async function heal(demoUrl: string): Promise<void> {
  for (const chainId of [initial.id, another.id]) await healNodes(demoUrl, chainId)
}

/** No content may be wider than the screen, at this width and on the narrowest phones. */
async function expectNoOverflow(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  for (const width of size.width < 400 ? [360, size.width] : [size.width]) {
    await page.setViewportSize({ width, height: size.height })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, `${name} at ${width}`).toBeLessThanOrEqual(width)
  }
}

async function keep(page: Page, name: string): Promise<void> {
  await expectInBothThemes(page, name, async (colorScheme) => {
    const picture = await page.screenshot({ animations: 'disabled' })
    write(join(root, 'test-results/pictures', `${name}-${colorScheme}.png`), picture)
    if (inReadme.has(name) && colorScheme === 'dark') {
      write(join(root, 'docs/images', `${name}.png`), await small(picture))
    }
  })
  await expectNoOverflow(page, name)
}
