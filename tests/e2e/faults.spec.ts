import { another, initial } from './support/chains.ts'
import { card } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'

const pollMs = 8000

test('the notice of a chain covers nothing, and is closed for the visit', async ({
  page,
  visitConnected,
}) => {
  let status = 'degraded'
  await page.route('**/api/rpc/health', (route) =>
    route.fulfill({ json: { chains: [{ chainId: initial.id, status }] } }),
  )
  // The page looks every few seconds.
  await page.clock.install()
  await visitConnected()
  await page.clock.runFor(pollMs)
  const notice = page.getByText(`${initial.name}: some nodes do not answer`)
  await expect(notice).toBeVisible()
  // The last one is a desktop at 400 %.
  for (const [width, height] of [
    [1280, 860],
    [390, 844],
    [320, 215],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const target of [
      page.getByRole('button', { name: 'Send', exact: true }),
      page.getByRole('link', { name: `Why? ${initial.name}` }),
      page.getByRole('link', { name: `Why? ${another.name}` }),
    ])
      await target.click({ trial: true })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const place = () =>
    card(page, initial.id).evaluate((element) => element.getBoundingClientRect().top + window.scrollY)
  const before = await place()
  await page.getByRole('button', { name: 'Close this notice' }).click()
  await expect(notice).toHaveCount(0)
  expect(await place()).toBe(before)
  const polled = page.waitForResponse('**/api/rpc/health')
  await page.reload()
  await polled
  await expect(card(page, initial.id)).toContainText('Agreed by')
  await expect(notice).toHaveCount(0)
  status = 'down'
  await page.clock.runFor(pollMs)
  await expect(page.getByText(`${initial.name}: too few nodes answer`)).toBeVisible()
})
