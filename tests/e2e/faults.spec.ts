import { formatEther } from 'viem'
import { another, initial } from './support/chains.ts'
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

test.afterEach(({ demoUrl }) => healNodes(demoUrl, another.id))

test('with one node lying and one hanging, balances are true and money arrives', async ({
  page,
  apps,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, another.id, 'late', 'hanging')
  const origin = await apps.url('node')
  await page.goto(origin)
  await connectDemo(page)
  await pickChain(page, another.id)
  await expect(card(page, another.id)).toContainText('Active')
  await expect(card(page, another.id)).toContainText(/Agreed by [45] independent operators/)

  const before = await balanceOf(origin, another.id, other)
  await draftToReview(page, other, '0.5')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  expect(await balanceOf(origin, another.id, other)).toBe(before + 5n * 10n ** 17n)
  await page.getByRole('button', { name: 'Done' }).click()

  const [whole] = formatEther(await balanceOf(origin, another.id, account)).split('.')
  await expect(card(page, another.id).getByTestId('balance')).toContainText(
    Number(whole).toLocaleString('en'),
  )
})

test('a degraded chain is shown as such, and its figures still have a quorum', async ({
  page,
  apps,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, another.id, 'honest-a', 'hanging')
  await page.goto(`${await apps.url('node')}/?address=${other}`)
  await expect(page.getByText(`${another.name}: some nodes do not answer`)).toBeVisible()
  await expect(card(page, another.id)).toContainText(/Agreed by [45] independent operators/)
  await expectAccessible(page)
})

test('the notice that a chain is not well covers nothing, moves nothing and is closed for the visit', async ({
  page,
  visitConnected,
}) => {
  let status = 'degraded'
  await page.route('**/api/rpc/health', (route) =>
    route.fulfill({ json: { chains: [{ chainId: initial.id, status }] } }),
  )
  await visitConnected()
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
  await expect(page.getByText(`${initial.name}: too few nodes answer`)).toBeVisible()
})

test.describe('where a visitor does not try again', () => {
  test.use({ isPatient: false })
  test('without agreement no new figure is shown, and the last known one is marked', async ({
    page,
    apps,
    demoUrl,
  }) => {
    await page.goto(await apps.url('node'))
    await connectDemo(page)
    const balance = card(page, another.id).getByTestId('balance')
    await expect(balance).toHaveText(new RegExp(` ${another.symbol}$`))
    for (const node of nodeNames.filter((name) => name !== 'liar'))
      await giveCharacter(demoUrl, another.id, node, 'down')
    await expect(card(page, another.id)).toContainText(/disagree|Too few nodes answered|do not agree/)
    await expect(card(page, another.id)).toContainText('Last known, at block')
    await expect(balance).toHaveText(new RegExp(` ${another.symbol}$`))
    await expectAccessible(page)

    // Nothing can be sent without agreed figures.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByRole('radio', { name: another.name }).check()
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: /nodes/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
  })
})
