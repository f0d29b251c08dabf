import type { Page, Request } from '@playwright/test'
import { type Hex, maxUint256 } from 'viem'
import { callNode } from '../../demo/json-rpc.ts'
import { deployOddToken } from '../support/odd-tokens.ts'
import { type Allowance, allowanceOf, approve, catchUp } from './support/allowances.ts'
import type { Apps } from './support/apps.ts'
import { another, chains, initial, listedTokens } from './support/chains.ts'
import { connectDemo, dialog, toConfirm } from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import {
  account,
  expect,
  expectAccessible,
  expectInBothThemes,
  giveCharacter,
  healNodes,
  nodeNames,
  other,
  test,
} from './support/test.ts'

const { chain, owned } = listedTokens(another)
const chainId = chain.id
const owner = account
/** One whose tokens are of no use, and one whose nodes are. */
const { chain: lied, broken } = listedTokens(initial)
const mute = chains.find(({ id }) => id !== lied.id) ?? initial
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const row = (page: Page, ...texts: readonly string[]) =>
  texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('main').getByRole('listitem'))
const prompt = (page: Page) => page.getByRole('dialog', { name: /^Demo wallet:/ })
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm in wallet' })
const seven = `7 ${owned.symbol}`
const empty = 'No approvals found'

type Approved = Allowance & { readonly value: bigint }

/** Without limit for a contract known by name, some for an account, and some of an unlisted token for an unknown contract. */
async function approveThree(apps: Apps): Promise<readonly [Approved, Approved, Approved]> {
  const url = apps.chainUrl(chainId)
  const token = await deployOddToken(url, 'none', account)
  const contract = await deployOddToken(url, 'none', account)
  const three = [
    { owner, token: owned.address as Hex, spender: permit2, value: maxUint256 },
    { owner, token: owned.address as Hex, spender: other, value: 7n * 10n ** BigInt(owned.decimals) },
    { owner, token, spender: contract, value: 5_000_000n },
  ] as const
  for (const each of three) await approve(url, each, each.value)
  await catchUp(url, `${await apps.url('node')}/api/rpc/${chainId}`)
  return three
}

async function open(page: Page, apps: Apps): Promise<void> {
  await page.goto(`${await apps.url('node')}/approvals`)
  await expect(page.getByText('Connect a wallet to see who may take what of it.')).toBeVisible()
  await connectDemo(page)
  await page.getByRole('combobox', { name: 'Network' }).selectOption({ label: chain.name })
}

/** Selects the three and opens their review. */
async function reviewThree(
  page: Page,
  [, , { token }]: readonly [Approved, Approved, Approved],
): Promise<void> {
  const rows = [row(page, `Unlimited ${owned.symbol}`, 'Permit2'), row(page, seven, other), row(page, token)]
  for (const each of rows) await each.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revoke 3 approvals' }).click()
  await toConfirm(page)
}

test.afterEach(async ({ demoUrl }) => {
  for (const id of [mute.id, lied.id, chainId]) await healNodes(demoUrl, id)
})

test('three approvals are listed, each with its spender, and revoked in one prompt once the visitor does not reject it', async ({
  page,
  apps,
}, testInfo) => {
  const three = await approveThree(apps)
  await open(page, apps)
  await expect(row(page, seven, other)).toContainText('An ordinary account')
  await expect(row(page, three[2].token)).toContainText('5 NO')
  await expect(row(page, three[2].token)).toContainText(/A contract that did not exist [\d,]+ blocks ago/)
  await expect(row(page, `Unlimited ${owned.symbol}`, 'Permit2')).not.toContainText('contract')
  await expect(page.getByText(/every approval of the last [\d,]+ blocks/)).toBeVisible()
  await expect(page.getByRole('main').getByText(/^Agreed by \d independent operators/)).toBeVisible()
  const desktop = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const [name, size] of [
    ['phone', { width: 390, height: 844 }],
    ['desktop', desktop],
  ] as const) {
    await page.setViewportSize(size)
    await expectInBothThemes(page, `${name}-approvals`, (theme) =>
      page.screenshot({ path: testInfo.outputPath(`${name}-${theme}.png`), fullPage: true }),
    )
  }
  for (const width of [320, 700]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.setViewportSize(desktop)

  await reviewThree(page, three)
  await expect(dialog(page)).toContainText('3 calls in one prompt')
  await expectAccessible(page)
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Reject' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Nothing was sent.')
  expect(await allowanceOf(apps.chainUrl(chainId), three[2])).toBe(three[2].value)
  await confirm(page).click()
  await prompt(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, `Unlimited ${owned.symbol}`, 'Permit2')).toHaveCount(0)
  await expect(row(page, three[2].token)).toHaveCount(0)
  for (const each of three) expect(await allowanceOf(apps.chainUrl(chainId), each)).toBe(0n)
})

test('the list does not claim to be complete while found approvals are being read', async ({
  page,
  apps,
}) => {
  const url = apps.chainUrl(chainId)
  const token = await deployOddToken(url, 'none', account)
  await approve(url, { owner, token, spender: other }, 5_000_000n)
  const isOfToken = (request: Request) => request.postData()?.includes(token.slice(2).toLowerCase()) === true
  const release = await holdRequests(page, `**/api/rpc/${chainId}`, isOfToken)
  const asked = page.waitForRequest(isOfToken)
  await open(page, apps)
  await asked
  const list = page.getByRole('region', { name: chain.name })
  const all = page.getByText(/every approval of the last [\d,]+ blocks/)
  await expect(list).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByText(empty)).toHaveCount(0)
  await expect(all).toHaveCount(0)
  release()
  await expect(row(page, token)).toBeVisible()
  await expect(all).toBeVisible()
})

test('the keyboard alone opens the review of one, and is back where it was when that is closed', async ({
  page,
  apps,
}) => {
  const three = await approveThree(apps)
  await open(page, apps)
  const revoke = page.getByRole('button', { name: `Revoke Unlimited ${owned.symbol} for Permit2` })
  await revoke.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText(permit2)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(revoke).toBeFocused()
  expect(await allowanceOf(apps.chainUrl(chainId), three[0])).toBe(maxUint256)
})

test('a node that lies changes nothing, a token that reverts is unknown, and nodes without logs are no secret', async ({
  page,
  apps,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, lied.id, 'honest-a', 'lying')
  await callNode(apps.chainUrl(lied.id), 'anvil_setCode', [broken.address, '0x60006000fd'])
  await page.goto(`${await apps.url('node')}/approvals`)
  await connectDemo(page)
  await page.getByRole('combobox', { name: 'Network' }).selectOption({ label: lied.name })
  await expect(row(page, `${broken.symbol}: unknown`)).toHaveCount(1)
  await expect(row(page, `${broken.symbol}: unknown`).getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('main').getByText(/^Agreed by \d independent operators/)).toBeVisible()
  await expectAccessible(page)

  for (const node of nodeNames)
    await giveCharacter(demoUrl, mute.id, node, { kind: 'limited', without: ['eth_getLogs'] })
  await page.getByRole('combobox', { name: 'Network' }).selectOption({ label: mute.name })
  await expect(page.getByText('The nodes did not give the logs that name others.')).toBeVisible()
  await expect(page.getByText(empty)).toBeVisible()
  await expectAccessible(page)
})
