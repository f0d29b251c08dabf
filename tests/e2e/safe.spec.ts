import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const safe = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A page at Safe's own address that frames the app and answers its questions after a while, as Safe's does. */
function hostPage(app: string, answerAfterMs: number): string {
  return `<!doctype html><iframe src="${app}" allow="local-network-access *; loopback-network *" width="1200" height="800"></iframe><script>
    addEventListener('message', ({ data, source, origin }) => {
      const info = { safeAddress: '${safe}', chainId: 137, owners: [], threshold: 1, isReadOnly: false }
      const known = { getSafeInfo: info, getEnvironmentInfo: { origin: location.origin }, getChainInfo: {} }
      if (!(data?.method in known)) return
      setTimeout(() => source.postMessage({ id: data.id, success: true, version: '9.1.0', data: known[data.method] }, origin), ${answerAfterMs})
    })
  </script>`
}

async function openInSafe(context: BrowserContext, page: Page, app: string, answerAfterMs: number) {
  await context.grantPermissions(['local-network-access'], { origin: 'https://app.safe.global' })
  await page.route('https://app.safe.global/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: hostPage(app, answerAfterMs) }),
  )
  await page.goto('https://app.safe.global/')
  return page.frameLocator('iframe')
}

test('inside Safe the visitor is connected by itself, though Safe takes a second to answer', async ({
  page,
  context,
  apps,
}) => {
  const frame = await openInSafe(context, page, await apps.url('plain'), 1000)
  await expect(frame.locator('[data-phase="connected"]')).toContainText(safe.slice(-4), { timeout: 10_000 })
  // Safe cannot be told to switch, and that is said before anybody tries.
  await frame.getByRole('button', { name: 'Switch network' }).click()
  await expect(frame.getByRole('alert').filter({ hasText: 'does not support switching' })).toBeVisible()
})

test('inside a frame that is not Safe there is a page for a stranger', async ({ page, apps }) => {
  const app = await apps.url('plain')
  await page.route(`${app}/frame`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${app}" width="1200" height="800"></iframe>`,
    }),
  )
  await page.goto(`${app}/frame`)
  const frame = page.frameLocator('iframe')
  await expect(frame.locator('[data-phase="none"]')).toContainText('Connect Wallet')
  await frame.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await frame.getByRole('dialog').getByRole('button', { name: 'Safe' }).click()
  await expect(frame.getByRole('alert').filter({ hasText: 'Could not load Safe information' })).toBeVisible({
    timeout: 15_000,
  })
})
