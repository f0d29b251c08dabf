import type { Page } from '@playwright/test'
import { localTokens } from '#site'
import { callNode } from '../../demo/json-rpc.ts'
import { another, initial } from './support/chains.ts'
import { confirmDemo, connectDemo, dismiss, send } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { otherTestAccount, testAccount } from './support/test-wallet.ts'

const item = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('a confirmed transaction says what it moved, and leads to why that is believed', async ({
  page,
  apps,
}) => {
  const [{ address, symbol }] = localTokens
  await page.goto(`${await apps.url('node')}/token?chain=${initial.id}&address=${address}`)
  await connectDemo(page)
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await page.getByLabel('Amount').fill('12.5')
  await page.getByRole('button', { name: 'Review' }).click()
  await confirmDemo(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  const sent = item(page, `Send 12.5 ${symbol}`)
  await expect(sent).toContainText(`Sent 12.5 ${symbol}`)
  await expectAccessible(page)
  const [answer] = await Promise.all([
    page.context().waitForEvent('page'),
    sent.getByRole('link', { name: /^Why\?/ }).click(),
  ])
  await expect(answer.getByText('eth_getTransactionReceipt').first()).toBeVisible()

  // The state after a reorg, while no node is reachable.
  await page.route('**/api/rpc/**', (route) => route.abort())
  await page.evaluate(() => {
    const stored = localStorage.getItem('quorate.transactions') ?? ''
    localStorage.setItem('quorate.transactions', stored.replaceAll('"confirmed"', '"pending"'))
  })
  await page.reload()
  await expect(sent).toContainText('Pending')
  await expect(sent).not.toContainText(`Sent 12.5 ${symbol}`)
})

test('a transaction that waits for an earlier one says so, until that is included', async ({
  page,
  visitConnected,
  apps,
}) => {
  const wallet = await visitConnected({ chainId: another.id })
  const chainUrl = apps.chainUrl(another.id)
  const next = Number(await callNode<string>(chainUrl, 'eth_getTransactionCount', [testAccount, 'latest']))
  wallet.edit({ nonce: `0x${(next + 1).toString(16)}` })
  await send(page, otherTestAccount, '0.013')
  await page.getByRole('heading', { name: 'On its way' }).waitFor()
  await dismiss(page)
  const waiting = item(page, `Send 0.013 ${another.symbol}`)
  await expect(waiting).toContainText(
    `An earlier transaction of yours blocks this one: no node knows number ${next}.`,
  )
  await expectAccessible(page)
  await callNode(chainUrl, 'eth_sendTransaction', [
    { from: testAccount, to: other, value: '0x1', nonce: `0x${next.toString(16)}` },
  ])
  await expect(waiting).toContainText(`Sent 0.013 ${another.symbol}`)
  await expect(waiting).not.toContainText('blocks this one')
})
