import type { Page } from '@playwright/test'
import { localTokens } from '#site'
import list from '#tokens' with { type: 'json' }
import { callNode } from '../../demo/json-rpc.ts'
import { connectDemo, dialog } from './support/demo-wallet.ts'
import { expect, expectAccessible, giveCharacter, healNodes, nodeNames, test } from './support/test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Tokens' })
const row = (page: Page, symbol: string, chain = 'Polygon') =>
  table(page).getByRole('row').filter({ hasText: chain }).filter({ hasText: symbol })
const addressOf = (symbol: string) =>
  list.tokens.find((token) => token.chainId === 137 && token.symbol === symbol)?.address ?? ''
const showAll = (page: Page) => page.getByRole('button', { name: /^Show all \d+$/ }).click()

test.afterEach(({ demoUrl }) => healNodes(demoUrl, 137))

test('a visitor sees what tokens there are while a node lies and a token reverts, and that the nodes agree', async ({
  page,
  apps,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, 137, 'honest-a', 'lying')
  const reverting = '0x60006000fd'
  await callNode(apps.chainUrl(137), 'anvil_setCode', [addressOf('AAVE'), reverting])
  await page.goto(await apps.url('node'))
  await expect(table(page)).toHaveCount(0)
  await connectDemo(page)
  await expect(row(page, 'USDC')).toContainText('1,250')
  await expect(page.getByText(/^Agreed by \d independent operators/).last()).toBeVisible()
  await showAll(page)
  await expect(row(page, 'AAVE')).toContainText('Unknown')
  await expect(row(page, 'AAVE')).not.toContainText('0')
  await expect(row(page, 'WETH')).toHaveCount(0)
  await expectAccessible(page)
  const why = page.getByRole('link', { name: 'Why? tokens on Polygon' })
  const [answer] = await Promise.all([page.context().waitForEvent('page'), why.click()])
  await expect(answer.getByText('eth_call').first()).toBeVisible()
  await answer.close()
})

test('a visitor adds a token by its address, finds it the next time, and removes it', async ({
  page,
  apps,
}) => {
  const [{ address, symbol }] = localTokens
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect(row(page, 'USDC')).toBeVisible()
  await page.getByRole('button', { name: 'Add a token' }).click()
  await expectAccessible(page)
  const field = page.getByLabel('Token address')
  const add = dialog(page).getByRole('button', { name: 'Add', exact: true })
  for (const [typed, reason] of [
    ['0x12', 'Enter an address'],
    [addressOf('USDC'), 'in the list already'],
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
})

test('a returning visitor sees the last balances at once, with their age, when no node can be asked', async ({
  page,
  apps,
  demoUrl,
}) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect(row(page, 'USDC')).toContainText('1,250')
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('quorate.cache') ?? ''))
    .toContain('"tokens"]')
  for (const node of nodeNames) await giveCharacter(demoUrl, 137, node, 'down')
  await page.route('**/api/rpc/137', (route) => route.abort())
  await page.reload()
  await expect(row(page, 'USDC')).toContainText('1,250')
  await expect(
    page.getByText(/^Polygon: This site cannot be reached\..* Last known \d+ (s|min) ago\.$/),
  ).toBeVisible()
  await expectAccessible(page)
})
