import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { formatAddress } from '#lib/page/format.ts'
import { deployOddToken } from '../support/odd-tokens.ts'
import { allowanceOf, approve, catchUp } from './support/allowances.ts'
import type { Apps } from './support/apps.ts'
import { another } from './support/chains.ts'
import { connectDemo, dialog, goOnTo, toConfirm } from './support/demo-wallet.ts'
import { account, expect, other, test } from './support/test.ts'

const chainId = another.id
/** The second and the fourth account of anvil. */
const spenders = [other, '0x90F79bf6EB2c4f870365E785982E1f101E93b906'] as const
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm in wallet' })
/** The dialog of the demo wallets, which the page cannot style. */
const prompt = (page: Page) => page.getByRole('dialog', { name: /^Demo wallet:/ })

/** Opens the page of a new token, of which the account has approved some for two, with one of the demo's wallets connected. */
async function openToken(page: Page, apps: Apps, wallet: 'Demo Wallet' | 'One Call Wallet'): Promise<Hex> {
  const chainUrl = apps.chainUrl(chainId)
  const token = await deployOddToken(chainUrl, 'none', account)
  for (const spender of spenders) await approve(chainUrl, { owner: account, token, spender }, 7_000_000n)
  await catchUp(chainUrl, `${await apps.url('node')}/api/rpc/${chainId}`)
  await page.goto(`${await apps.url('node')}/token?chain=${chainId}&address=${token}`)
  await connectDemo(page, wallet)
  return token
}

test('a wallet without batches gets one call after the other, until one is rejected', async ({
  page,
  apps,
}) => {
  const token = await openToken(page, apps, 'One Call Wallet')
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await toConfirm(page)
  const steps = dialog(page).getByRole('region', { name: 'Two steps' })
  for (const spender of spenders)
    await expect(steps).toContainText(`Approve 0 NO for ${formatAddress(spender)}`)
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Confirm' }).click()
  await goOnTo(page, 2)
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Reject' }).click()
  await expect(dialog(page).getByRole('alert').first()).toContainText('Nothing was sent.')
  await expect(prompt(page)).toHaveCount(0)
  const left = await Promise.all(
    spenders.map((spender) => allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender })),
  )
  expect(left.toSorted()).toEqual([0n, 7_000_000n])
})

test('calls in the wallet’s prompt are not forgotten when the page is left', async ({ page, apps }) => {
  await openToken(page, apps, 'Demo Wallet')
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await toConfirm(page)
  await confirm(page).click()
  await expect(prompt(page)).toBeVisible()
  await page.goto(await apps.url('node'))
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: /Your wallet was asked to approve 0 NO for .*, then approve/ }),
  ).toBeVisible()
})
