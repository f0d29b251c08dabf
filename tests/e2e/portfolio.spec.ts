import type { Page, Request } from '@playwright/test'
import { localTokens } from '#site'
import { callNode } from '../../demo/json-rpc.ts'
import { initial, listedTokens } from './support/chains.ts'
import { connectDemo, dialog } from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import {
  account,
  expect,
  expectAccessible,
  giveCharacter,
  healNodes,
  nodeNames,
  test,
} from './support/test.ts'
import { hasStored } from './support/visitor.ts'

const { chain, owned, empty, broken } = listedTokens(initial)
const table = (page: Page) => page.getByRole('table', { name: 'Tokens' })
const row = (page: Page, symbol: string) =>
  table(page).getByRole('row').filter({ hasText: chain.name }).filter({ hasText: symbol })
const showAll = (page: Page) => page.getByRole('button', { name: /^Show all \d+$/ }).click()

test.afterEach(({ demoUrl }) => healNodes(demoUrl, chain.id))

test('a visitor sees what tokens there are while a node lies and a token reverts, and that the nodes agree', async ({
  page,
  apps,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, chain.id, 'honest-a', 'lying')
  const reverting = '0x60006000fd'
  await callNode(apps.chainUrl(chain.id), 'anvil_setCode', [broken.address, reverting])
  await page.goto(await apps.url('node'))
  await expect(table(page)).toHaveCount(0)
  await connectDemo(page)
  await expect(row(page, owned.symbol)).toContainText('1,250')
  await expect(page.getByText(/^Agreed by \d independent operators/).last()).toBeVisible()
  await showAll(page)
  await expect(row(page, broken.symbol)).toContainText('Unknown')
  await expect(row(page, broken.symbol)).not.toContainText('0')
  await expect(row(page, empty.symbol)).toHaveCount(0)
  await expectAccessible(page)
  const why = page.getByRole('link', { name: `Why? tokens on ${chain.name}` })
  const [answer] = await Promise.all([page.context().waitForEvent('page'), why.click()])
  await expect(answer.getByText('eth_call').first()).toBeVisible()
  await answer.close()

  const part = page.locator('section').filter({ has: table(page) })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const ring = await part.locator('svg').last().boundingBox()
    const text = await part.getByText(/^Agreed by \d independent operators/).boundingBox()
    if (ring === null || text === null) throw new Error('the ring and its text are on the page')
    expect(text.x, `beside the ring at ${width}`).toBeGreaterThanOrEqual(ring.x + ring.width)
    expect(text.y).toBeLessThan(ring.y + ring.height)
  }
})

test('a visitor adds a token by its address, finds it the next time, and removes it', async ({
  page,
  apps,
}) => {
  const [{ address, symbol }] = localTokens
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect(row(page, owned.symbol)).toBeVisible()
  await page.getByRole('button', { name: 'Add a token' }).click()
  await expectAccessible(page)
  const field = page.getByLabel('Token address')
  const add = dialog(page).getByRole('button', { name: 'Add', exact: true })
  for (const [typed, reason] of [
    ['0x12', 'Enter an address'],
    [owned.address, 'in the list already'],
    [`0x${'ab'.repeat(20)}`, 'There is no ERC-20 token'],
  ] as const) {
    await field.fill(typed)
    await add.click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: reason })).toBeVisible()
  }
  await field.fill(address)
  await add.click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, symbol)).toContainText(/[\d,]{4,}/)
  await page.reload()
  await expect(row(page, symbol)).toContainText(/[\d,]{4,}/)
  await row(page, symbol)
    .getByRole('button', { name: `Remove ${symbol}` })
    .click()
  await expect(row(page, symbol)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add a token' })).toBeFocused()
})

test('a token is not added if its address changes before the replies arrive', async ({ page, apps }) => {
  const [{ address, symbol }] = localTokens
  const isOfToken = (request: Request) =>
    request.postData()?.toLowerCase().includes(address.toLowerCase()) === true
  const release = await holdRequests(page, `**/api/rpc/${chain.id}`, isOfToken)
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect(row(page, owned.symbol)).toBeVisible()
  await page.getByRole('button', { name: 'Add a token' }).click()
  const add = dialog(page).getByRole('button', { name: 'Add', exact: true })
  await page.getByLabel('Token address').fill(address)
  const asked = page.waitForRequest(isOfToken)
  await add.click()
  await asked
  await page.getByLabel('Token address').fill('0x12')
  release()
  await expect(add).toBeVisible()
  await expect(row(page, symbol)).toHaveCount(0)
  await add.click()
  await expect(dialog(page).getByRole('alert')).toContainText('Enter an address')
})

test('a returning visitor sees the last balances at once, with their age, when no node can be asked', async ({
  page,
  apps,
  demoUrl,
}) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect(row(page, owned.symbol)).toContainText('1,250')
  await expect.poll(() => hasStored(page, ['chain', chain.id, account, 'tokens'])).toBe(true)
  for (const node of nodeNames) await giveCharacter(demoUrl, chain.id, node, 'down')
  await page.route(`**/api/rpc/${chain.id}`, (route) => route.abort())
  await page.reload()
  await expect(row(page, owned.symbol)).toContainText('1,250')
  await expect(
    page.getByText(
      new RegExp(`^${chain.name}: This site cannot be reached\\..* Last known \\d+ (s|min) ago\\.$`),
    ),
  ).toBeVisible()
  await expectAccessible(page)
})
