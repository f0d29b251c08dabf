import type { Page } from '@playwright/test'
import { site } from '#site'
import { breakable, breakLayout, breakPage, brokenAddress } from './support/break.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'

const title = 'This page could not be shown'

/** The id that the page names. */
async function idOn(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  return (await page.locator('main code').textContent()) ?? ''
}

/** Says what happened in the site's own looks, and offers two ways out. */
async function expectWaysOut(page: Page, origin: string): Promise<void> {
  await expect(page).toHaveTitle(title)
  await expect(page.getByText('Reload it, or try again.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: site.name })).toBeVisible()
  const font = (level: 'h1' | 'p') =>
    page
      .locator(`main ${level}`)
      .first()
      .evaluate((element) => getComputedStyle(element).fontFamily)
  expect(await font('h1')).toMatch(/^"?display/)
  expect(await font('p')).toMatch(/^"?ui/)
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(`${origin}/`)
}

test.describe('a page that fails', () => {
  test('on the server: 500, plain words, and the id that the log has', async ({ page, apps }) => {
    const origin = await apps.url('node', breakable)
    const response = await page.goto(`${origin}/?address=${encodeURIComponent(brokenAddress)}`)
    expect(response?.status()).toBe(500)
    const id = await idOn(page)
    expect(id).toMatch(/^\d+/)
    const line = new RegExp(`"event":"page-error".*"id":"${id}","side":"server","route":"/"`)
    await expect.poll(() => apps.printed(origin)).toMatch(line)
    await expectWaysOut(page, origin)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(site.claim)
  })

  test('in the browser: the same, and what was broken is shown after a reload', async ({ page, apps }) => {
    const origin = await apps.url('node')
    await page.goto(`${origin}/?address=${other}`)
    await expect(page.getByTestId('head').or(page.getByTestId('balance')).first()).toHaveText(/\d/)
    await breakPage(page)
    const id = await idOn(page)
    const line = new RegExp(`"event":"page-error".*"id":"${id}","side":"browser","route":"/","error":"Error"`)
    await expect.poll(() => apps.printed(origin)).toMatch(line)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('0x70…79C8')
  })

  test('with its layout: the same, in a document of its own', async ({ page, context, apps }) => {
    const origin = await apps.url('node')
    await breakLayout(context)
    // The layout deletes a cookie that it cannot read, which throws.
    await context.addCookies([{ name: 'quorate-wallet', value: 'junk', url: origin }])
    await page.goto(origin)
    const id = await idOn(page)
    await expect.poll(() => apps.printed(origin)).toMatch(new RegExp(`"id":"${id}","side":"browser"`))
    await expectWaysOut(page, origin)
  })
})
