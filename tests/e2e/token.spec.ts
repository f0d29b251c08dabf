import type { Page } from '@playwright/test'
import { localTokens } from '#site'
import { chains } from './support/chains.ts'
import { acceptDanger, confirmDemo, connectDemo, dialog } from './support/demo-wallet.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'

const [token = { chainId: 0, address: '' }] = localTokens
const chain = chains.find(({ id }) => id === token.chainId)
const path = `/token?chain=${token.chainId}&address=${token.address}`
const noToken = `/token?chain=${token.chainId}&address=${other}`

const toAccount = 'This spender is an ordinary account'

/** Completes a transaction from its form to its last confirmation. */
async function carryOut(page: Page, warnings: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('heading', { name: 'Review transaction' }).waitFor()
  for (const warning of warnings) await expect(dialog(page)).toContainText(warning)
  await expectAccessible(page)
  if (warnings.includes(toAccount)) await acceptDanger(page)
  await confirmDemo(page)
  await page.getByRole('button', { name: 'Done' }).click()
}

test('the facts of a token are in the HTML with their quorum, and an invalid token is reported', async ({
  apps,
  request,
}) => {
  const origin = await apps.url('node')
  const html = async (where: string) => (await request.get(origin + where)).text()
  expect(await html('/token')).toContain(token.address)
  const found = await html(path)
  for (const text of ['Demo Dollar', 'DUSD']) expect(found).toContain(text)
  expect(found).toMatch(/Agreed by \d independent operators/)
  expect(await html(noToken)).toContain('There is no ERC-20 token at this address on this network.')
  expect(await html('/token?address=0x12')).toContain('Enter an address: 0x followed by 40 characters.')
})

test('a visitor looks a token up, adds it to the wallet, transfers, approves and revokes', async ({
  page,
  apps,
}) => {
  await page.goto(`${await apps.url('node')}/token`)
  await expectAccessible(page)
  await page.getByRole('link', { name: `DUSD, ${chain?.name}` }).click()
  await expect(page.getByRole('heading', { name: 'Demo Dollar' })).toBeVisible()
  await expect(page.getByText('Connect a wallet to see your balance')).toBeVisible()
  await connectDemo(page)
  const balance = page.getByTestId('token-balance')
  await expect(balance).toContainText('DUSD')
  const before = Number.parseFloat(((await balance.textContent()) ?? '').replaceAll(',', ''))
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add to wallet' }).click()
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByText('Your wallet shows the token now.')).toBeVisible()

  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await page.getByLabel('Amount').fill('99999999999')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(dialog(page)).toContainText('Your balance of this token is lower than that.')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(page.getByLabel('Amount')).toHaveValue(String(before))
  await page.getByLabel('Amount').fill('25.5')
  await carryOut(page, ['Token contract'])
  const list = page.getByRole('listitem')
  await expect(list.filter({ hasText: 'Sent 25.5 DUSD to' })).toBeVisible()
  await expect
    .poll(async () => Number.parseFloat(((await balance.textContent()) ?? '').replaceAll(',', '')))
    .toBeCloseTo(before - 25.5, 6)

  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('checkbox', { name: 'Without limit' }).check()
  await page.getByRole('textbox', { name: 'Spender' }).fill(other)
  await carryOut(page, ['take every token that you have now or ever receive', toAccount])
  await list
    .filter({ hasText: 'Approved Unlimited DUSD for' })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await carryOut(page, ['will no longer be able to take your tokens'])
  await expect(list.filter({ hasText: 'Approved 0 DUSD for' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Revoke' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  const activity = page.getByRole('listitem').filter({ hasText: 'Confirmed ·' })
  await expect(activity.filter({ hasText: 'Send 25.5 DUSD to' })).toBeVisible()
  const finished = await activity.count()
  // The pressed button is removed. The remaining button takes the focus.
  const forget = page.getByRole('button', { name: 'Disconnect and forget' })
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await expect(forget).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(activity).toHaveCount(finished)
  await expect(forget).toBeFocused()
  await forget.click()
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(forget).toBeFocused()
  await forget.click()
  await expect(page.getByText('Nothing changes on any chain.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Disconnect and forget' }).click()
  await page.locator('[data-phase="none"]').waitFor()
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).not.toContain('25.5 DUSD')
})

test('a token that calls itself like a listed one, and names a web page, is no headline', async ({
  page,
  apps,
}) => {
  const origin = await apps.url('node')
  const fake = '0x00000000000000000000000000000000000fa4e1'
  const ask = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(apps.chainUrl(token.chainId), { method: 'POST', headers, body })
    return ((await response.json()) as { result: string }).result
  }
  // How Solidity stores a short text: the text, and twice its length.
  const stored = (text: string) => {
    const digits = Buffer.from(text).toString('hex').padEnd(62, '0')
    return `0x${digits}${(2 * text.length).toString(16).padStart(2, '0')}`
  }
  const slot = (index: number) => `0x${index.toString(16).padStart(64, '0')}`
  await ask('anvil_setCode', fake, await ask('eth_getCode', token.address, 'latest'))
  await ask('anvil_setStorageAt', fake, slot(0), stored('Visit https://claim.example'))
  await ask('anvil_setStorageAt', fake, slot(1), stored('GMX'))
  await expect(async () => {
    await page.goto(`${origin}/token?chain=${token.chainId}&address=${fake}`)
    await expect(page.getByText('The contract calls itself')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(page.getByText('This is not the token of that name that this site lists.')).toBeVisible()
  await expect(page.getByText('Its name contains a web address.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(origin + path)
  await expect(page.getByRole('heading', { name: 'Demo Dollar' })).toBeVisible()
  await expect(page.getByText('The contract calls itself')).toHaveCount(0)

  await page.goto(origin)
  await connectDemo(page)
  await page.getByRole('button', { name: 'Add a token' }).click()
  await dialog(page).getByLabel('Network').selectOption(String(token.chainId))
  await page.getByLabel('Token address').fill(fake)
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Add it all the same' }).click()
  const row = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'GMX' })
  await expect(row).toContainText('This is not the token of that name that this site lists.')
  await expect(row).toContainText('Its name contains a web address.')
  await expectAccessible(page)
})
