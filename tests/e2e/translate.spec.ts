import { createFigures } from '#lib/page/format.ts'
import { localTokens } from '#site'
import { deployOddToken } from '../support/odd-tokens.ts'
import { approve, catchUp } from './support/allowances.ts'
import { another, initial } from './support/chains.ts'
import {
  card,
  confirmDemo,
  connectDemo,
  dialog,
  draft,
  pickChain,
  toConfirm,
  toReview,
} from './support/demo-wallet.ts'
import { account, balanceOf, expect, other, test } from './support/test.ts'
import { expectNoLostText, translate } from './support/translate.ts'
import { waitForScripts } from './support/visitor.ts'

const [token = { chainId: 0, address: '' }] = localTokens
const pages = [
  '/',
  `/?address=${other}`,
  '/?address=0x12',
  '/token',
  '/approvals',
  `/token?chain=${token.chainId}&address=${token.address}`,
  '/status',
  '/status/scorecard',
  '/console',
  '/sign-in',
  '/nope',
]

test('a translated page keeps every text that it may change', async ({ page, apps, request }) => {
  const origin = await apps.url('node')
  const read = await request.post(`${origin}/api/rpc/${initial.id}`, {
    data: { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [account, 'latest'] },
  })
  const certificate = String(read.headers()['x-quorate-answer'])
  const faults: string[] = []
  for (const path of [...pages, `/answers/${certificate}`, `/status/answers/${certificate}`]) {
    await page.goto(origin + path)
    await expect(page.locator('[data-streamed]')).toHaveCount(0)
    await waitForScripts(page.locator('main').locator('h1, a, button').last())
    await translate(page)
    await expectNoLostText(page, path).catch((error: Error) => faults.push(error.message))
  }
  expect(faults.join('\n')).toBe('')
})

test('on a translated page a visitor changes the chain, sends, sees true figures', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(origin)
  await expect(card(page, initial.id)).toContainText('Agreed by')
  await translate(page)
  await connectDemo(page)
  await pickChain(page, another.id)
  await expect(card(page, another.id)).toContainText('Active')
  await expectNoLostText(page, 'after the chain has changed')

  await draft(page, '0x12', '1.5')
  await expect(dialog(page)).toContainText('Enter an address')
  const recipient = page.getByRole('textbox', { name: 'To', exact: true })
  await recipient.fill(`ethereum:${other}@999999`)
  await expect(dialog(page)).toContainText('This is for network 999999')
  await expectNoLostText(page, 'a request of another network')
  await recipient.fill(`ethereum:${other}@${another.id}?value=1.5e18`)
  await expect(dialog(page)).toContainText(`Taken from what you pasted: ${another.name}, 1.5`)
  await expectNoLostText(page, 'a request that fills the form')
  await toReview(page)
  await page.getByRole('button', { name: 'Back' }).click()
  await toReview(page)
  await expect(dialog(page)).toContainText(`1.5 ${another.symbol}`)
  await expectNoLostText(page, 'review')
  await confirmDemo(page)
  await expect(dialog(page)).toContainText(/Included in block [\d,]+\.$|Included in block [\d,]+\.T/)
  await expectNoLostText(page, 'confirmed')
  await page.getByRole('button', { name: 'Done' }).click()

  const balance = card(page, another.id).getByTestId('balance')
  await expect(async () => {
    const units = await balanceOf(origin, another.id, account)
    await expect(balance).toHaveText(`${createFigures().amount(units, 18)} ${another.symbol}`, {
      timeout: 2000,
    })
  }).toPass()
  const label = () => balance.locator('+ p').textContent()
  const before = await label()
  await expect.poll(label).not.toBe(before)
  expect(await label()).toMatch(/^at block [\d,]+$/)
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `Send 1.5 ${another.symbol}` })
      .first(),
  ).toContainText(/^.*Confirmed · /)
  await expectNoLostText(page, 'sent')
})

test('translated windows and lists of an account keep every figure', async ({ page, apps }) => {
  const origin = await apps.url('node')
  const url = apps.chainUrl(another.id)
  const odd = await deployOddToken(url, 'none', account)
  for (const spender of [other, odd] as const)
    await approve(url, { owner: account, token: odd, spender }, 7_000_000n)
  await catchUp(url, `${origin}/api/rpc/${another.id}`)
  await page.goto(origin)
  await translate(page)
  await connectDemo(page)
  await page.getByRole('button', { name: 'Receive' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Ask for an amount' }).check()
  await dialog(page)
    .getByLabel(/^Amount/)
    .fill('1,000')
  await expect(dialog(page)).toContainText('can be read in two ways')
  await expectNoLostText(page, 'receiving')

  await page.goto(`${origin}/approvals`)
  await page.getByRole('combobox', { name: 'Network' }).selectOption({ label: another.name })
  await translate(page)
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: odd })
  await expect(rows).toHaveCount(2)
  await expect(page.getByText(/every approval of the last [\d,]+ blocks/)).toBeVisible()
  await expectNoLostText(page, 'approvals')
  for (const row of await rows.all()) await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revoke 2 approvals' }).click()
  await toConfirm(page)
  await expect(dialog(page)).toContainText('2 calls in one prompt')
  await expectNoLostText(page, 'several calls')
  await confirmDemo(page)
  await expectNoLostText(page, 'several calls, confirmed')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(rows).toHaveCount(0)

  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign message' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  await expect(page.getByText('This browser')).toBeVisible()
  await expectNoLostText(page, 'account')
})
