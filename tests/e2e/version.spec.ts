import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { another, initial } from './support/chains.ts'
import { connectDemo, corner, dialog, dismiss, phase } from './support/demo-wallet.ts'
import { expect, expectAccessible, hosts, other, test } from './support/test.ts'

const buildId = () => readFileSync(join(import.meta.dirname, '../../.next/BUILD_ID'), 'utf8')

/** From now on the server is one of a newer build, which has no files of this page's build but those that its HTML names. */
async function deploy(page: Page, html = ''): Promise<void> {
  await page.route('**/_next/static/**/*.js', (route) => {
    const isNamed = html.includes(new URL(route.request().url()).pathname)
    return isNamed ? route.continue() : route.fulfill({ status: 404, body: 'not found' })
  })
  await page.route(/\/api\/rpc\/(?:ready|\d+)$/, async (route) => {
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-quorate-build': 'newer' } })
  })
}

for (const host of hosts)
  test(`pages and answers of the ${host} host name its build`, async ({ page, request, apps }) => {
    const origin = await apps.url(host)
    const ready = await request.get(`${origin}/api/rpc/ready`)
    expect(ready.headers()['x-quorate-build']).toBe(buildId())
    const response = await page.goto(origin)
    expect(response?.headers()['x-quorate-build']).toBe(buildId())
    await expect(page.locator('html')).toHaveAttribute('data-build', buildId())
  })

test('where a part does not load, an old tab is offered the new version', async ({ page, plain }) => {
  const url = `${plain}/status`
  // From the start: the list's code is loaded as soon as the page is idle.
  await deploy(page, await (await page.request.get(url)).text())
  await page.goto(url)
  await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
  const list = corner(page).getByRole('alert')
  await expect(list).toContainText('A new version is here.')
  await expect(page.getByText('Check your connection')).toHaveCount(0)
  // Once, where the visitor looks.
  await expect(page.getByText('A new version is here.').filter({ visible: true })).toHaveCount(1)
  // A pointer that comes back to the button is no press: what is shown stays.
  await list.evaluate((shown) => shown.setAttribute('data-seen', ''))
  await page.mouse.move(0, 0)
  await corner(page).getByRole('button', { name: 'Connect Wallet' }).hover()
  await expectAccessible(page)
  await expect(list).toHaveAttribute('data-seen')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await list.getByRole('button', { name: 'Reload' }).click()
  await expect(list).toHaveCount(0)
  await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
})

test('a new version is noticed by the next answer; a reload keeps the input', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('radio', { name: another.name }).check()
  await page.getByLabel('Amount').fill('0.25')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await page.getByLabel('Unit').selectOption('gwei')
  await expect(page.getByText('A new version is here.')).toHaveCount(0)
  await deploy(page)
  const notice = dialog(page).getByRole('status').filter({ hasText: 'A new version is here.' })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await notice.getByRole('button', { name: 'Reload' }).click()
  await phase(page, 'connected').waitFor()
  await expect(dialog(page)).toBeVisible()
  await expect(page.getByLabel('Amount')).toHaveValue('0.25')
  await expect(page.getByLabel('Unit')).toHaveValue('gwei')
  await expect(page.getByRole('textbox', { name: 'To', exact: true })).toHaveValue(other)
  await expect(page.getByRole('radio', { name: another.name })).toBeChecked()
  await expect(page.getByText('A new version is here.')).toHaveCount(0)
  // Once: a form that was closed is not opened by a reload.
  await dismiss(page)
  await page.reload()
  await phase(page, 'connected').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('')
})

test('the bar of the page offers the new version, too', async ({ page, plain }) => {
  const polled = page.waitForResponse(new RegExp(`/api/rpc/${initial.id}$`))
  await page.goto(plain)
  // Its figures are followed: all code that this page needs without a click is there.
  await polled
  await deploy(page)
  const bar = page.getByRole('status').filter({ hasText: 'A new version is here.' })
  await expect(bar).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await bar.getByRole('button', { name: 'Reload' }).click()
  await expect(bar).toHaveCount(0)
})

test('with KEPT_BUILDS_DIR the code of the build before is still there', async ({ apps, request }) => {
  const dir = mkdtempSync(join(tmpdir(), 'kept-'))
  mkdirSync(join(dir, 'older/chunks'), { recursive: true })
  writeFileSync(join(dir, 'older/chunks/later.js'), 'later')
  const origin = await apps.url('plain', { KEPT_BUILDS_DIR: dir })
  const kept = await request.get(`${origin}/_next/static/chunks/later.js`)
  expect([kept.status(), await kept.text(), kept.headers()['content-type']]).toEqual([
    200,
    'later',
    'application/javascript; charset=UTF-8',
  ])
  expect((await request.get(`${origin}/_next/static/chunks/never.js`)).status()).toBe(404)
  expect(readdirSync(dir).toSorted()).toEqual([buildId(), 'older'].toSorted())
  rmSync(dir, { recursive: true })
})
