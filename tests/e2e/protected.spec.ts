import type { Page } from '@playwright/test'
import { multicall3 } from '#lib/wallet/multicall3.ts'
import { another } from './support/chains.ts'
import { card, confirmDemo, connectDemo, dialog, draft, pickChain, toReview } from './support/demo-wallet.ts'
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

const chainId = another.id
const liars = ['late', 'liar']
const sameLie = { kind: 'lying', lieName: 'all' } as const

/** Two voters tell one lie, and these other nodes are silent. */
async function poison(demoUrl: string, silent: readonly string[]): Promise<void> {
  for (const node of liars) await giveCharacter(demoUrl, chainId, node, sameLie)
  for (const node of silent) await giveCharacter(demoUrl, chainId, node, 'hanging')
}

/** By method, the protection with which it was asked for: `1`, or nothing. */
function watchReads(page: Page): Map<string, Set<string | undefined>> {
  const sent = new Map<string, Set<string | undefined>>()
  page.on('request', (request) => {
    if (!request.url().endsWith(`/api/rpc/${chainId}`)) return
    const calls: readonly { readonly method: string; readonly params: readonly unknown[] }[] = [
      request.postDataJSON(),
    ].flat()
    // The visitor's tokens are figures of the page.
    const isOfTokens = ([call]: readonly unknown[]) =>
      (call as { to?: string } | undefined)?.to === multicall3
    for (const { method, params } of calls)
      if (method !== 'eth_call' || !isOfTokens(params))
        sent.set(method, new Set([...(sent.get(method) ?? []), request.headers()['x-quorate-protect']]))
  })
  return sent
}

async function connectOnAnother(page: Page, origin: string): Promise<void> {
  await page.goto(origin)
  await connectDemo(page)
  await pickChain(page, another.id)
  await expect(card(page, chainId)).toContainText('Active')
}

test.afterEach(({ demoUrl }) => healNodes(demoUrl, chainId))

test('two lying nodes and a silent one get no lie into the review', async ({ page, apps, demoUrl }) => {
  const balance = await balanceOf(demoUrl, chainId, account)
  await poison(demoUrl, ['honest-a'])
  const sent = watchReads(page)
  await connectOnAnother(page, await apps.url('node'))
  // The lie is a balance above the true one.
  await draft(page, other, String(balance / 10n ** 18n + 1n))
  await expect(dialog(page).getByText('Insufficient funds')).toBeVisible()
  await page.getByLabel('Amount').fill('0.5')
  await toReview(page)
  await confirmDemo(page)
  // The review and the end of the transaction, but not the figures of the page.
  for (const method of ['eth_call', 'eth_estimateGas', 'eth_getCode', 'eth_getBlockByNumber'])
    expect([method, [...(sent.get(method) ?? [])]]).toEqual([method, ['1']])
  expect(sent.get('eth_getTransactionReceipt')).toContain('1')
  expect(sent.get('eth_getBalance')).toEqual(new Set([undefined, '1']))
})

test.describe('where a visitor does not try again', () => {
  test.use({ isPatient: false })
  test('where only liars are reached the figure says so; nothing is sent', async ({
    page,
    apps,
    demoUrl,
  }) => {
    await poison(
      demoUrl,
      nodeNames.filter((name) => !liars.includes(name)),
    )
    await connectOnAnother(page, await apps.url('node'))
    await expect(card(page, chainId)).toContainText('2 of 7 operators confirm this; 5 could not be reached')
    await expectAccessible(page)
    await draft(page, other, '0.5')
    const problem = dialog(page).getByRole('alert').filter({ hasText: 'Too few independent nodes' })
    await expect(problem).toContainText('Nothing was sent. Try again in a few minutes.')
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
    await expectAccessible(page)

    await healNodes(demoUrl, chainId)
    await expect(async () => {
      await page.getByRole('button', { name: 'Review' }).click()
      await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeVisible({ timeout: 5000 })
    }).toPass()
  })
})
