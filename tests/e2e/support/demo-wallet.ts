import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { callNode } from '../../../demo/json-rpc.ts'
import type { TestWallet } from './test-wallet.ts'

/** The account button of the page. */
export const corner = (page: Page): Locator => page.locator('[data-phase]')
export const phase = (page: Page, name: string): Locator => page.locator(`[data-phase="${name}"]`)
/** Streamed content arrives at the end of the page and may briefly exist twice. */
export const card = (page: Page, chainId: number): Locator =>
  page.locator(`[data-chain="${chainId}"]`).filter({ visible: true })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Closes a modal with Escape. A modal is visible before it handles keys, so the key is repeated until it closes. */
export async function dismiss(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0, { timeout: 1000 })
  }).toPass()
}

/** Longer than a busy machine takes for a button that is there. */
export const pressMsMax = 30_000

/** Presses a button until a review stands, again where the page advises it: on a busy machine some nodes are late. */
export async function pressToReview(page: Page | FrameLocator, button: string): Promise<void> {
  const review = page.getByRole('button', { name: 'Confirm in wallet' })
  const again = page.getByRole('button', { name: 'Review again' })
  const notYet = page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Try again in a' })
  await expect(async () => {
    const press = (await again.isVisible()) ? again : page.getByRole('button', { name: button })
    // The review may have come late, and the button is gone then.
    if (!(await review.isVisible())) await press.click({ timeout: pressMsMax })
    await expect(review.or(notYet)).toBeVisible()
    expect(await notYet.count()).toBe(0)
  }).toPass()
}

/** Goes on to a step of several. */
export const goOnTo = (page: Page, step: number): Promise<void> =>
  pressToReview(page, `Continue to step ${step}`)

/** From a form that is filled in to its review. */
export const toReview = (page: Page): Promise<void> => pressToReview(page, 'Review')

/** Opens the connect modal and waits for its list. */
export async function openConnect(page: Page): Promise<void> {
  await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('heading', { name: 'Connect a Wallet' }).waitFor()
}

/** Opens the network switcher and picks a chain by its name. */
export async function pickChain(page: Page, id: number): Promise<void> {
  await page.getByRole('button', { name: 'Switch network' }).click()
  await chainOption(page, id).click()
}

/** RainbowKit has names of its own for some chains. */
export const chainOption = (page: Page, id: number): Locator =>
  dialog(page).getByTestId(`rk-chain-option-${id}`)

/** Connects the demo wallet, which asks for confirmation. */
export async function connectDemo(
  page: Page,
  wallet: 'Demo Wallet' | 'One Call Wallet' = 'Demo Wallet',
): Promise<void> {
  await openConnect(page)
  await page.getByRole('button', { name: wallet }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await phase(page, 'connected').waitFor()
}

/** Disconnects in the account modal. */
export async function leave(page: Page): Promise<void> {
  await corner(page).getByRole('button', { name: 'Account' }).click()
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
  await phase(page, 'none').waitFor()
}

/** Fills in the send form. */
async function fillIn(
  page: Page | FrameLocator,
  {
    to,
    amount,
    network,
  }: { readonly to: string; readonly amount: string; readonly network?: string | undefined },
): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  if (network) await page.getByRole('radio', { name: network }).check()
  await page.getByLabel('Amount').fill(amount)
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(to)
}

/** Fills in the send form and asks for the review. */
export async function draft(page: Page, to: string, amount: string, network?: string): Promise<void> {
  await fillIn(page, { to, amount, network })
  await page.getByRole('button', { name: 'Review' }).click()
}

/** The same, up to the review. */
export async function draftToReview(page: Page | FrameLocator, to: string, amount: string): Promise<void> {
  await fillIn(page, { to, amount })
  await pressToReview(page, 'Review')
}

/** Sends with the test wallet. */
export async function send(page: Page, to: string, amount: string): Promise<void> {
  await draftToReview(page, to, amount)
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
}

/** The same, and waits until a node has told its nonce. No block includes it until the returned function is called. */
export async function sendToPool(
  page: Page,
  { chainUrl, to, amount }: { readonly chainUrl: string; readonly to: string; readonly amount: string },
): Promise<() => Promise<unknown>> {
  await callNode(chainUrl, 'evm_setAutomine', [false])
  await callNode(chainUrl, 'evm_setIntervalMining', [0])
  await send(page, to, amount)
  const stored = () => page.evaluate(() => localStorage.getItem('quorate.transactions') ?? '')
  await expect.poll(stored).toMatch(/"status":"pending"[^}]*"nonce":\d/)
  return () => callNode(chainUrl, 'evm_setIntervalMining', [1])
}

/** Confirms a review, and closes it after the request to the wallet. The wallet answers when the returned function is called. */
export async function confirmAndClose(page: Page, wallet: TestWallet): Promise<() => void> {
  const prompts = () => wallet.asked.filter((method) => method === 'eth_sendTransaction')
  const before = prompts().length
  const answer = wallet.hold('eth_sendTransaction')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect.poll(prompts).toHaveLength(before + 1)
  await dismiss(page)
  return answer
}

/** Switches the network where a review asks for it, until the review can be confirmed. */
export async function toConfirm(page: Page): Promise<void> {
  const confirm = page.getByRole('button', { name: 'Confirm in wallet' })
  const toChain = page.getByRole('button', { name: /^Switch to / })
  await toChain.or(confirm).waitFor()
  if (await toChain.isVisible()) await toChain.click()
  await confirm.waitFor()
}

/** Confirms a review in the page and in the demo wallet, and waits until the chain has confirmed it. */
export async function confirmDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
}

/** The second step of a review that names a danger. */
export async function acceptDanger(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'I have checked this' }).check()
}
