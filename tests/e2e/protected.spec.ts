import type { Page } from '@playwright/test'
import { card, connectDemo, dialog, draft, pickChain, toReview } from './support/demo-wallet.ts'
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

const chainId = 42161
const liars = ['late', 'liar']
const sameLie = { kind: 'lying', lieName: 'all' } as const

/** Two voters tell one lie, and these other nodes are silent. */
async function poison(demoUrl: string, silent: readonly string[]): Promise<void> {
  for (const node of liars) await giveCharacter(demoUrl, chainId, node, sameLie)
  for (const node of silent) await giveCharacter(demoUrl, chainId, node, 'hanging')
}

/** Whether batches of reads were sent as protected, by their first method and how many they are. */
function watchReads(page: Page): Map<string, string | undefined> {
  const sent = new Map<string, string | undefined>()
  page.on('request', (request) => {
    const calls: unknown = request.url().endsWith(`/api/rpc/${chainId}`) ? request.postDataJSON() : null
    if (!Array.isArray(calls)) return
    sent.set(`${calls[0]?.method} of ${calls.length}`, request.headers()['x-quorate-protect'])
  })
  return sent
}

async function connectOnArbitrum(page: Page, origin: string): Promise<void> {
  await page.goto(origin)
  await connectDemo(page)
  await pickChain(page, 'Arbitrum')
  await expect(card(page, chainId)).toContainText('Active')
}

test.afterEach(({ demoUrl }) => healNodes(demoUrl, chainId))

test('two nodes that lie and one that is silent get no lie into the review: witnesses tell the truth', async ({
  page,
  apps,
  demoUrl,
}) => {
  test.setTimeout(120_000)
  const balance = await balanceOf(demoUrl, chainId, account)
  await poison(demoUrl, ['honest-a'])
  const sent = watchReads(page)
  await connectOnArbitrum(page, await apps.url('node'))
  // The lie is a balance above the true one.
  await draft(page, other, String(balance / 10n ** 18n + 1n))
  // Until the silent node is known as such there may be no quorum for a moment, and the visitor is told to try again.
  await expect(async () => {
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(dialog(page).getByText('Insufficient funds')).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
  await page.getByLabel('Amount').fill('0.5')
  await toReview(page)
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible({ timeout: 60_000 })
  // The review and the end of the transaction, but not the figures of the page.
  const reviews = [...sent].filter(([call]) => /^eth_getBalance of ([2-9]|\d\d)$/.test(call))
  expect(new Set(reviews.map(([, header]) => header))).toEqual(new Set(['1']))
  expect(sent.get('eth_getTransactionReceipt of 3')).toBe('1')
  expect(sent.has('eth_getBalance of 1')).toBe(true)
  expect(sent.get('eth_getBalance of 1')).toBeUndefined()
})

test('where only nodes that lie can be reached, the figure says so and nothing can be sent', async ({
  page,
  apps,
  demoUrl,
}) => {
  test.setTimeout(120_000)
  await poison(
    demoUrl,
    nodeNames.filter((name) => !liars.includes(name)),
  )
  await connectOnArbitrum(page, await apps.url('node'))
  await expect(card(page, chainId)).toContainText('2 of 7 operators confirm this; 5 could not be reached', {
    timeout: 60_000,
  })
  await expectAccessible(page)
  await draft(page, other, '0.5')
  const problem = dialog(page).getByRole('alert').filter({ hasText: 'Too few independent nodes' })
  await expect(problem).toContainText('Nothing was sent. Try again in a few minutes.', { timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
  await expectAccessible(page)

  await healNodes(demoUrl, chainId)
  await expect(async () => {
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
})
