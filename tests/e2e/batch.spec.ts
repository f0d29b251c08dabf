import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { deployOddToken, type Oddity } from '../support/odd-tokens.ts'
import { allowanceOf, approve, catchUp } from './support/allowances.ts'
import type { Apps } from './support/apps.ts'
import { another } from './support/chains.ts'
import { acceptDanger, connectDemo, dialog, goOnTo } from './support/demo-wallet.ts'
import { account, expect, expectAccessible, expectInBothThemes, other, test } from './support/test.ts'

const chainId = another.id
/** anvil's fourth account. */
const friend = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm in wallet' })
/** The dialog of the demo wallets, which the page cannot style. */
const prompt = (page: Page) => page.getByRole('dialog', { name: /^Demo wallet:/ })

interface Origin {
  readonly apps: Apps
  readonly oddity: Oddity
  readonly wallet: 'Demo Wallet' | 'One Call Wallet'
  /** What the account has approved before. */
  readonly approved: readonly Hex[]
}

/** Opens the page of a new token with one of the demo's wallets connected. */
async function openToken(page: Page, { apps, oddity, wallet, approved }: Origin): Promise<Hex> {
  const chainUrl = apps.chainUrl(chainId)
  const token = await deployOddToken(chainUrl, oddity, account)
  for (const spender of approved) await approve(chainUrl, { owner: account, token, spender }, 7_000_000n)
  await catchUp(chainUrl, `${await apps.url('node')}/api/rpc/${chainId}`)
  await page.goto(`${await apps.url('node')}/token?chain=${chainId}&address=${token}`)
  await connectDemo(page, wallet)
  return token
}

async function switchAndConfirm(page: Page): Promise<void> {
  const toChain = page.getByRole('button', { name: `Switch to ${another.name}` })
  await toChain.or(confirm(page)).waitFor()
  if (await toChain.isVisible()) await toChain.click()
  await confirm(page).waitFor()
}

test('an old allowance is revoked and the new one approved in one prompt, and followed as what was reviewed', async ({
  page,
  apps,
}) => {
  const token = await openToken(page, {
    apps,
    oddity: 'answers-nothing',
    wallet: 'Demo Wallet',
    approved: [other],
  })
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByLabel('Amount').fill('5')
  await page.getByRole('textbox', { name: 'Spender', exact: true }).fill(other)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(dialog(page)).toContainText('2 calls in one prompt')
  await expect(dialog(page)).toContainText('the old one, 7 NO, has to be revoked first')
  await expect(dialog(page)).toContainText('May be taken5 NO, until now 7 NO')
  await switchAndConfirm(page)
  await expectAccessible(page)
  await acceptDanger(page)
  await confirm(page).click()
  await expect(prompt(page)).toContainText('Send 2 calls as one')
  await prompt(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(heading(page, 'Confirmed')).toBeVisible()
  expect(await allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender: other })).toBe(
    5_000_000n,
  )
})

test('several approvals are revoked in one prompt, and left alone where the visitor rejects it', async ({
  page,
  apps,
}, testInfo) => {
  const token = await openToken(page, {
    apps,
    oddity: 'none',
    wallet: 'Demo Wallet',
    approved: [other, friend],
  })
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await switchAndConfirm(page)
  await expect(dialog(page).getByRole('listitem')).toHaveCount(2)
  const desktop = page.viewportSize()
  for (const [name, size] of [
    ['phone', { width: 390, height: 844 }],
    ['desktop', desktop ?? { width: 1280, height: 720 }],
  ] as const) {
    await page.setViewportSize(size)
    await expectInBothThemes(page, `${name}-batch`, (theme) =>
      page.screenshot({ path: testInfo.outputPath(`${name}-${theme}.png`) }),
    )
  }
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Reject' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Nothing was sent.')
  expect(await allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender: other })).toBe(
    7_000_000n,
  )

  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(heading(page, 'Confirmed')).toBeVisible()
  expect(await allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender: other })).toBe(0n)
  expect(await allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender: friend })).toBe(0n)
  await page.goto(await apps.url('node'))
  await expect(
    page.getByRole('listitem').filter({ hasText: /Approve 0 NO for .*, then approve 0 NO/ }),
  ).toContainText('Confirmed')
})

test('a wallet without batches is asked for one call after the other, and for no more once one is rejected', async ({
  page,
  apps,
}) => {
  const token = await openToken(page, {
    apps,
    oddity: 'none',
    wallet: 'One Call Wallet',
    approved: [other, friend],
  })
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await switchAndConfirm(page)
  const steps = dialog(page).getByRole('region', { name: 'Two steps' })
  await expect(steps.locator('[aria-current="step"]')).toContainText('Revoke')
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Confirm' }).click()
  await goOnTo(page, 2)
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Reject' }).click()
  await expect(dialog(page).getByRole('alert').first()).toContainText('Nothing was sent.')
  await expect(prompt(page)).toHaveCount(0)
  const left = await Promise.all(
    [other, friend].map((spender) =>
      allowanceOf(apps.chainUrl(chainId), { owner: account, token, spender: spender as Hex }),
    ),
  )
  expect(left.toSorted()).toEqual([0n, 7_000_000n])
})

test('calls that the wallet was asked for are not forgotten when the page is left before it answers', async ({
  page,
  apps,
}) => {
  await openToken(page, { apps, oddity: 'none', wallet: 'Demo Wallet', approved: [other, friend] })
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await switchAndConfirm(page)
  await confirm(page).click()
  await expect(prompt(page)).toBeVisible()
  await page.goto(await apps.url('node'))
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: /Your wallet was asked to approve 0 NO for .*, then approve/ }),
  ).toBeVisible()
})
