import { devices } from '@playwright/test'
import { openMenu } from '#lib/config/features.ts'
import { connectDemo, dialog, draftToReview, openConnect, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'

const { defaultBrowserType: _, ...pixel } = devices['Pixel 7']
test.use(pixel)

/** What a keyboard leaves of the screen, where the browser takes it from the page (`interactive-widget`). */
const aboveKeyboard = { width: 412, height: 400 }

test('a form keeps its field and its button in reach above a keyboard', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await expect(page.locator('meta[name="viewport"]')).toHaveAttribute(
    'content',
    /interactive-widget=resizes-content/,
  )
  await connectDemo(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const to = page.getByRole('textbox', { name: 'To', exact: true })
  await page.setViewportSize(aboveKeyboard)
  await to.focus()
  await expect(to).toBeInViewport({ ratio: 1 })
  const review = page.getByRole('button', { name: 'Review' })
  await review.scrollIntoViewIfNeeded()
  await expect(review).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Close' }).scrollIntoViewIfNeeded()
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
})

test('a page that the phone ends while it is hidden has its form again', async ({ page, apps }) => {
  await page.addInitScript(() => {
    for (const event of ['pagehide', 'visibilitychange'])
      addEventListener(
        event,
        (told) => Reflect.has(window, 'isEnded') && told.stopImmediatePropagation(),
        true,
      )
  })
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByLabel('Amount').fill('0.25')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.set(window, 'isEnded', true)
  })
  await page.reload()
  await phase(page, 'connected').waitFor()
  await expect(page.getByLabel('Amount')).toHaveValue('0.25')
  await expect(page.getByRole('textbox', { name: 'To', exact: true })).toHaveValue(other)
})

test('in a wallet’s own browser its wallet connects, by no link to an app', async ({
  page,
  context,
  apps,
}) => {
  const origin = await apps.url('plain')
  // Such a browser has its wallet in the page, where older ones look for it, and announces nothing.
  await context.addInitScript(() =>
    window.addEventListener('eip6963:announceProvider', (event) => {
      event.stopImmediatePropagation()
      Reflect.set(window, 'ethereum', (event as CustomEvent<{ provider: object }>).detail.provider)
    }),
  )
  const wallet = await addTestWallet(context, { origin })
  await page.goto(origin)
  await openConnect(page)
  await dialog(page).getByRole('button', { name: 'Browser Wallet' }).click()
  await phase(page, 'connected').waitFor()
  await draftToReview(page, other, '0.4')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(page.getByRole('heading', { name: /On its way|Confirmed/ })).toBeVisible()
  expect(wallet.asked).toContain('eth_sendTransaction')
  await page.reload()
  await phase(page, 'connected').waitFor()
  expect(context.pages()).toHaveLength(1)
  await expect(page).toHaveURL(origin)
})

test('at 320 pixels every page of the menu is one tap away, and none is wider', async ({ page, apps }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  for (const { href, text } of openMenu()) {
    const link = page.getByRole('banner').getByRole('link', { name: text, exact: true })
    await expect(link).toBeInViewport({ ratio: 1 })
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(40)
    await link.tap()
    await expect(page).toHaveURL(new RegExp(`${href}$`))
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), href).toBe(320)
  }
})
