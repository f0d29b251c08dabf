import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { callNode } from '../../demo/json-rpc.ts'
import { become, deployOddToken, execute, type Oddity } from '../support/odd-tokens.ts'
import { allowanceOf, approve, catchUp } from './support/allowances.ts'
import type { Apps } from './support/apps.ts'
import { another, chains, initial } from './support/chains.ts'
import {
  acceptDanger,
  confirmAndClose,
  corner,
  dialog,
  dismiss,
  draftToReview,
  goOnTo,
} from './support/demo-wallet.ts'
import { expect, expectAccessible, test } from './support/test.ts'
import { otherTestAccount, type TestWallet, testAccount } from './support/test-wallet.ts'
import { connectTest, shortTest } from './support/visitor.ts'

const chainId = another.id
/** A network that is not on the page. */
const absent = Math.max(...chains.map(({ id }) => id)) + 1
/** anvil's fourth account. */
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm in wallet' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const fault = (page: Page, text: string) => dialog(page).getByRole('alert').filter({ hasText: text })

/** Deploys a token with 1,000 for the test account. */
async function deployToken(where: Pick<Origin, 'apps' | 'plain'>, oddity: Oddity): Promise<Hex> {
  const token = await deployOddToken(where.apps.chainUrl(chainId), oddity, testAccount)
  await catchUp(where.apps.chainUrl(chainId), `${where.plain}/api/rpc/${chainId}`)
  return token
}

/** An allowance of seven that has to be revoked before there is another. */
async function approveSeven(where: Pick<Origin, 'apps' | 'plain'>) {
  const token = await deployToken(where, 'answers-nothing')
  const allowance = { owner: testAccount, token, spender: other } as const
  const chainUrl = where.apps.chainUrl(chainId)
  await approve(chainUrl, allowance, 7_000_000n)
  await catchUp(chainUrl, `${where.plain}/api/rpc/${chainId}`)
  return allowance
}

interface Origin {
  readonly apps: Apps
  readonly plain: string
  readonly visit: () => Promise<TestWallet>
}

/** Opens the page of a token with a connected wallet on its chain. */
async function openToken(
  page: Page,
  token: string,
  { plain, visit }: Omit<Origin, 'apps'>,
): Promise<TestWallet> {
  const wallet = await visit()
  await page.goto(`${plain}/token?chain=${chainId}&address=${token}`)
  await connectTest(page)
  await wallet.setChain(chainId)
  return wallet
}

/** Opens a transfer or approval of a token, with its form filled in. */
async function draftOfToken(page: Page, action: 'Transfer' | 'Approve', to: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click()
  await page.getByLabel('Amount').fill('5')
  await page.getByRole('textbox', { name: action === 'Approve' ? 'Spender' : 'To', exact: true }).fill(to)
  await page.getByRole('button', { name: 'Review' }).click()
}

test('what the wallet sent instead of what was reviewed is said loudly, and kept as what it was', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected({ chainId })
  wallet.edit({ to: otherTestAccount, value: '0x2c68af0bb140000' })
  await draftToReview(page, other, '0.1')
  await confirm(page).click()
  await expect(heading(page, 'The wallet sent something else')).toBeVisible()
  await expect(dialog(page)).toContainText(`You reviewedSend 0.1 ${another.symbol} to ${other}`)
  await expect(dialog(page)).toContainText(`It sentSend 0.2 ${another.symbol} to ${otherTestAccount}`)
  await expect(dialog(page)).not.toContainText('Confirmed')
  await expectAccessible(page)
  await dismiss(page)
  const item = page
    .getByRole('listitem')
    .filter({ hasText: `It sent: Send 0.2 ${another.symbol} to 0x3C…93BC` })
  await expect(item).toContainText('The wallet sent something else')
  await page.reload()
  await expect(item).toContainText(`You reviewed: Send 0.1 ${another.symbol}`)
  await expectAccessible(page)
})

test('the hash of somebody else’s transaction is not taken for the visitor’s', async ({
  page,
  apps,
  visitConnected,
}) => {
  const wallet = await visitConnected({ chainId })
  const { transactionHash } = await execute(apps.chainUrl(chainId), {
    from: otherTestAccount,
    to: other,
    value: '0x16345785d8a0000',
  })
  wallet.answer('eth_sendTransaction', transactionHash)
  await draftToReview(page, other, '0.1')
  await confirm(page).click()
  await expect(heading(page, 'Not your transaction')).toBeVisible()
  await expect(dialog(page)).toContainText('Whether yours was sent is not known')
})

test('a token that answers false is neither simulated as a success nor confirmed', async ({
  page,
  apps,
  plain,
  visit,
}) => {
  const chainUrl = apps.chainUrl(chainId)
  const token = await deployToken({ apps, plain }, 'answers-false')
  await openToken(page, token, { plain, visit })
  await draftOfToken(page, 'Transfer', other)
  await expect(fault(page, 'the token answers that it does not do it')).toBeVisible()

  // As it was simulated it was honest, and it is not any more when it is included.
  await become(chainUrl, token, 'none')
  await catchUp(chainUrl, `${plain}/api/rpc/${chainId}`)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(dialog(page)).toContainText('You will have995 NO, now 1,000 NO')
  await become(chainUrl, token, 'answers-false')
  await confirm(page).click()
  await expect(heading(page, 'Nothing was moved')).toBeVisible()
  await expect(dialog(page)).toContainText('You reviewedSend 5 NO to')
  await expect(dialog(page)).toContainText('Arrived0 NO')
  await expectAccessible(page)
})

test('what is typed on the page of a token is there when the wallet switches accounts, and no more once it is sent', async ({
  page,
  apps,
  plain,
  visit,
}) => {
  const token = await deployToken({ apps, plain }, 'none')
  const wallet = await openToken(page, token, { plain, visit })
  wallet.answer('wallet_watchAsset', true)
  await page.getByRole('button', { name: 'Add to wallet' }).click()
  const watched = page.getByText('Your wallet shows the token now.')
  await expect(watched).toBeVisible()
  await draftOfToken(page, 'Transfer', other)
  await confirm(page).waitFor()
  await wallet.setAccounts([otherTestAccount, testAccount])
  await expect(fault(page, 'switched to another account')).toBeVisible()
  await expect(page.getByLabel('Amount')).toHaveValue('5')
  await expect(watched).toHaveCount(0)
  await wallet.setAccounts([testAccount, otherTestAccount])
  await expect(corner(page)).toContainText(shortTest)
  await page.getByRole('button', { name: 'Review' }).click()
  const answer = await confirmAndClose(page, wallet)
  answer()
  await expect(page.getByRole('listitem').filter({ hasText: 'Sent 5 NO to' })).toBeVisible()
  await page.getByRole('button', { name: 'Transfer', exact: true }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('')
})

test('an allowance that has to be revoked first is revoked and approved in two steps', async ({
  page,
  apps,
  plain,
  visit,
}) => {
  const { token } = await approveSeven({ apps, plain })
  const wallet = await openToken(page, token, { plain, visit })
  const capabilities = () => wallet.asked.filter((method) => method === 'wallet_getCapabilities')
  await draftOfToken(page, 'Transfer', other)
  await confirm(page).waitFor()
  await dismiss(page)
  // The question may open a phone: only for what takes several calls.
  expect(capabilities()).toHaveLength(0)
  await draftOfToken(page, 'Approve', other)
  const steps = dialog(page).getByRole('region', { name: 'Two steps' })
  await expect(steps).toContainText('the old one, 7 NO, has to be revoked first')
  await expect(steps.locator('[aria-current="step"]')).toHaveText('Revoke the old allowance')
  await expect(dialog(page)).toContainText('May be taken0 NO, until now 7 NO')
  await expectAccessible(page)
  await confirm(page).click()
  await goOnTo(page, 2)
  await expect(steps.locator('[aria-current="step"]')).toContainText('Approve 5 NO for')
  await expect(dialog(page)).toContainText('May be taken5 NO, until now 0 NO')
  await acceptDanger(page)
  await confirm(page).click()
  await expect(heading(page, 'Confirmed')).toBeVisible()
  await expect(dialog(page)).toContainText('Approve 5 NO for')
  expect(capabilities()).toHaveLength(1)
})

test('of two calls one after the other, the first is not sent again when the wallet switches accounts and back', async ({
  page,
  apps,
  plain,
  visit,
}) => {
  const { token, owner } = await approveSeven({ apps, plain })
  await approve(apps.chainUrl(chainId), { owner, token, spender: otherTestAccount }, 7_000_000n)
  await catchUp(apps.chainUrl(chainId), `${plain}/api/rpc/${chainId}`)
  const wallet = await openToken(page, token, { plain, visit })
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await confirm(page).click()
  await goOnTo(page, 2)
  await wallet.setAccounts([otherTestAccount, testAccount])
  const elsewhere = fault(page, 'Connect the account that sent the previous step.')
  await expect(elsewhere).toBeVisible()
  await page.getByRole('button', { name: 'Continue to step 2' }).click()
  await expect(page.getByRole('button', { name: 'Continue to step 2' })).toBeEnabled()
  await expect(elsewhere).toBeVisible()
  await wallet.setAccounts([testAccount, otherTestAccount])
  await expect(corner(page)).toContainText(shortTest)
  await goOnTo(page, 2)
  await confirm(page).click()
  await expect(heading(page, 'Confirmed')).toBeVisible()
  const sent = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
  const calls = sent.map(({ params: [call] }) => (call as { readonly data: string }).data)
  expect([sent.length, new Set(calls).size]).toEqual([2, 2])
})

test('a wallet that takes several calls as one is asked once, and what it sent is confirmed', async ({
  page,
  apps,
  plain,
  visit,
}) => {
  const allowance = await approveSeven({ apps, plain })
  const wallet = await openToken(page, allowance.token, { plain, visit: () => visit({ isAtomic: true }) })
  await draftOfToken(page, 'Approve', other)
  await expect(dialog(page)).toContainText('2 calls in one prompt')
  await expect(dialog(page)).toContainText('the old one, 7 NO, has to be revoked first')
  await expect(dialog(page)).toContainText('May be taken5 NO, until now 7 NO')
  await expectAccessible(page)
  await acceptDanger(page)
  await confirm(page).click()
  await expect(heading(page, 'Confirmed')).toBeVisible()
  expect(wallet.asked.filter((method) => method.includes('send'))).toEqual(['wallet_sendCalls'])
  const chainUrl = apps.chainUrl(chainId)
  expect(await allowanceOf(chainUrl, allowance)).toBe(5_000_000n)
  // For the next test the account is no contract.
  await callNode(chainUrl, 'anvil_setCode', [testAccount, '0x'])
})

// What else is understood or refused: tests/lib/page/typed-address.test.ts.
test('a pasted payment request fills in what it says, or is refused', async ({ page, visitConnected }) => {
  await visitConnected({ chainId })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const to = page.getByRole('textbox', { name: 'To', exact: true })
  await to.fill(`ethereum:${other}@${initial.id}?value=1.5e18`)
  await expect(to).toHaveValue(other)
  await expect(page.getByLabel('Amount')).toHaveValue('1.5')
  await expect(dialog(page).getByRole('radio', { name: initial.name })).toBeChecked()
  await expect(dialog(page)).toContainText(
    `Taken from what you pasted: ${initial.name}, 1.5 ${initial.symbol}`,
  )
  await to.fill(`ethereum:${other}@${absent}`)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(fault(page, `This is for network ${absent}, which is not available here.`)).toBeVisible()
})
