import { formatEther } from 'viem'
import { card, connectDemo, dialog, draftToReview, pickChain } from './support/demo-wallet.ts'
import {
  account,
  balanceOf,
  expect,
  expectAccessible,
  giveCharacter,
  healNodes,
  nodeNames,
  other,
  test,
} from './support/test.ts'

test.afterEach(({ demoUrl }) => healNodes(demoUrl, 42161))

test('with one node lying and one hanging, balances are true and money arrives', async ({
  page,
  apps,
  demoUrl,
}) => {
  test.setTimeout(120_000)
  await giveCharacter(demoUrl, 42161, 'late', 'hanging')
  const origin = await apps.url('node')
  await page.goto(origin)
  await connectDemo(page)
  await pickChain(page, 'Arbitrum')
  await expect(card(page, 42161)).toContainText('Active')
  await expect(card(page, 42161)).toContainText(/Agreed by [45] independent operators/)

  const before = await balanceOf(origin, 42161, other)
  await draftToReview(page, other, '0.5')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible({ timeout: 60_000 })
  expect(await balanceOf(origin, 42161, other)).toBe(before + 5n * 10n ** 17n)
  await page.getByRole('button', { name: 'Done' }).click()

  const [whole] = formatEther(await balanceOf(origin, 42161, account)).split('.')
  await expect(card(page, 42161).getByTestId('balance')).toContainText(Number(whole).toLocaleString('en'))
})

test('a degraded chain is shown as such, and its figures still have a quorum', async ({
  page,
  apps,
  demoUrl,
}) => {
  test.setTimeout(120_000)
  await giveCharacter(demoUrl, 42161, 'honest-a', 'hanging')
  await page.goto(`${await apps.url('node')}/?address=${other}`)
  await expect(page.getByText('Arbitrum One: some nodes do not answer')).toBeVisible({ timeout: 60_000 })
  await expect(card(page, 42161)).toContainText(/Agreed by [45] independent operators/)
  await expectAccessible(page)
})

test('the notice that a chain is not well covers nothing, moves nothing and is closed for the visit', async ({
  page,
  visitConnected,
}) => {
  let status = 'degraded'
  await page.route('**/api/rpc/health', (route) =>
    route.fulfill({ json: { chains: [{ chainId: 137, status }] } }),
  )
  await visitConnected()
  const notice = page.getByText('Polygon: some nodes do not answer')
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
      page.getByRole('link', { name: 'Why? Polygon' }),
      page.getByRole('link', { name: 'Why? Arbitrum One' }),
    ])
      await target.click({ trial: true })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const place = () =>
    card(page, 137).evaluate((element) => element.getBoundingClientRect().top + window.scrollY)
  const before = await place()
  await page.getByRole('button', { name: 'Close this notice' }).click()
  await expect(notice).toHaveCount(0)
  expect(await place()).toBe(before)
  const polled = page.waitForResponse('**/api/rpc/health')
  await page.reload()
  await polled
  await expect(card(page, 137)).toContainText('Agreed by')
  await expect(notice).toHaveCount(0)
  status = 'down'
  await expect(page.getByText('Polygon: too few nodes answer')).toBeVisible({ timeout: 30_000 })
})

test.describe('where a visitor does not try again', () => {
  test.use({ isPatient: false })
  test('without agreement no new figure is shown, and the last known one is marked', async ({
    page,
    apps,
    demoUrl,
  }) => {
    test.setTimeout(120_000)
    await page.goto(await apps.url('node'))
    await connectDemo(page)
    const balance = card(page, 42161).getByTestId('balance')
    await expect(balance).toHaveText(/ ETH$/)
    for (const node of nodeNames.filter((name) => name !== 'liar'))
      await giveCharacter(demoUrl, 42161, node, 'down')
    await expect(card(page, 42161)).toContainText(/disagree|Too few nodes answered|do not agree/, {
      timeout: 60_000,
    })
    await expect(card(page, 42161)).toContainText('Last known, at block')
    await expect(balance).toHaveText(/ ETH$/)
    await expectAccessible(page)

    // Nothing can be sent without agreed figures.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByRole('radio', { name: 'Arbitrum One' }).check()
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: /nodes/ })).toBeVisible({
      timeout: 30_000,
    })
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
  })
})
