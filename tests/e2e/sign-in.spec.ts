import type { Page } from '@playwright/test'
import { connectDemo, leave, phase } from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import { code } from './support/lost-code.ts'
import { account, expect, expectAccessible, shortAccount, test } from './support/test.ts'
import { otherTestAccount } from './support/test-wallet.ts'
import { waitForScripts } from './support/visitor.ts'

// Sessions of both hosts: tests/edge/sign-in.test.ts.
test('a visitor signs in, sees where, and signs out; the wallet stays connected', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.goto(`${origin}/account`)
  await expect(page).toHaveURL(`${origin}/sign-in`)
  await expect(page.getByRole('heading', { name: 'Verify your account' })).toBeVisible()
  await expectAccessible(page)
  await connectDemo(page)

  // Declined: a message says so, and nothing else has changed.
  await page.getByRole('button', { name: 'Sign message' }).click()
  await expect(page.getByRole('button', { name: 'Waiting for your wallet…' })).toBeVisible()
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('You are not signed in.')).toBeVisible()
  await expect(phase(page, 'connected')).toBeVisible()

  await page.getByRole('button', { name: 'Sign message' }).click()
  await expect(page.getByText(`${new URL(origin).host} wants you to sign in`)).toBeVisible()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  await expect(page.getByText(account)).toBeVisible()
  await expect(page.getByText('This browser')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${origin}/`)
  await expect(phase(page, 'connected')).toBeVisible()
})

test('a connected visitor verifies the account over the page, until disconnected', async ({ page, apps }) => {
  const origin = await apps.url('node')
  const signedInAs = async () => (await page.request.get(`${origin}/api/auth/session`)).json()
  await page.goto(origin)
  await connectDemo(page)
  const ask = () => page.getByRole('link', { name: 'Your account' }).click()
  const step = page.getByRole('dialog', { name: 'Verify your account' })
  await ask()
  await expect(step.locator('[data-sign-in="unauthenticated"]')).toBeVisible()
  await expectAccessible(page)
  await step.getByRole('button', { name: 'Cancel' }).click()
  await expect(step).toHaveCount(0)
  await expect(phase(page, 'connected')).toBeVisible()
  await expect(page).toHaveURL(`${origin}/`)

  await ask()
  await step.getByRole('button', { name: 'Sign message' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(step.getByText('You are not signed in.')).toBeVisible()
  await step.getByRole('button', { name: 'Sign message' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  await expect(page.getByRole('button', { name: `Account ${shortAccount}` })).toBeEnabled()
  expect(await signedInAs()).toMatchObject({ address: account })
  await leave(page)
  await expect(page).toHaveURL(`${origin}/sign-in`)
  expect(await signedInAs()).toEqual({ address: null })
})

test('another account of the wallet is not signed in', async ({ page, plain, visitConnected }) => {
  const wallet = await visitConnected()
  await page.goto(`${plain}/sign-in`)
  await page.getByRole('button', { name: 'Sign message' }).click()
  await expect(page).toHaveURL(`${plain}/account`)
  await expect(phase(page, 'connected')).toBeVisible()
  await wallet.setAccounts([otherTestAccount])
  await expect(page).toHaveURL(`${plain}/sign-in`)
  expect(await (await page.request.get(`${plain}/api/auth/session`)).json()).toEqual({ address: null })
})

test('a verification that fails says so, and can be tried again', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.goto(`${origin}/sign-in`)
  await connectDemo(page)
  const answers = [
    ['**/api/auth/nonce', 503, '', 'Error preparing message, please retry!'],
    ['**/api/auth/nonce', 429, 'rate', 'Error preparing message, please retry! Too many attempts.'],
    ['**/api/auth/verify', 401, '', 'Error verifying signature, please retry!'],
    ['**/api/auth/verify', 401, 'constructor', 'Error verifying signature, please retry!'],
    ['**/api/auth/verify', 401, 'account', 'please retry! Your wallet signed with another account.'],
    ['**/api/auth/verify', 401, 'clock', 'Check the clock of your device.'],
    ['**/api/auth/verify', 503, 'store', 'Oops, something went wrong! Sign-in is not available right now.'],
  ] as const
  for (const [url, status, reason, sentence] of answers) {
    await page.route(url, (route) => route.fulfill({ status, json: { error: 'x', reason } }))
    await page.getByRole('button', { name: 'Sign message' }).click()
    if (url.endsWith('verify')) await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign message' })).toBeVisible()
    await page.unroute(url)
  }
})

test('two presses while the code loads start one sign-in', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.goto(`${origin}/sign-in`)
  await connectDemo(page)
  const nonces: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/nonce')) nonces.push(request.method())
  })
  const load = await holdRequests(page, code)
  await page.getByRole('button', { name: 'Sign message' }).dblclick()
  load()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  expect(nonces).toEqual(['POST'])
})

const come = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test('the list of sessions follows other tabs, and other browsers once it is in front', async ({
  page,
  context,
  browser,
  apps,
}) => {
  const origin = await apps.url('node')
  const elsewhere = await browser.newContext()
  const signIn = async (tab: Page) => {
    await tab.goto(`${origin}/sign-in`)
    await connectDemo(tab)
    await tab.getByRole('button', { name: 'Sign message' }).click()
    await tab.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(tab).toHaveURL(`${origin}/account`)
  }
  await signIn(page)
  const second = await context.newPage()
  await second.goto(`${origin}/account`)
  const sessions = (tab: Page) => tab.getByRole('listitem').filter({ hasText: 'last used' })
  await expect(sessions(second).first()).toBeVisible()
  await waitForScripts(sessions(second).first())
  const before = await sessions(second).count()
  await signIn(await elsewhere.newPage())
  await come(page)
  await expect(sessions(page)).toHaveCount(before + 1)
  await come(second)
  await expect(sessions(second)).toHaveCount(before + 1)
  await page.getByRole('button', { name: 'Sign out there' }).first().click()
  await expect(sessions(page)).toHaveCount(before)
  await expect(sessions(second)).toHaveCount(before)
  await elsewhere.close()
})

test('the session list keeps the focus, and redirects once this session has ended', async ({
  page,
  apps,
}) => {
  const origin = await apps.url('node')
  await page.goto(`${origin}/sign-in`)
  await connectDemo(page)
  const at = new Date().toISOString()
  const times = { chainId: 1, signedInAt: at, seenAt: at, expiresAt: at }
  const sessions = ['Laptop', 'Phone'].map((device, id) => ({
    id: `${id}`,
    device,
    isCurrent: false,
    ...times,
  }))
  await page.route('**/api/auth/sessions', (route) => route.fulfill({ json: { sessions } }))
  await page.getByRole('button', { name: 'Sign message' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const ends = page.getByRole('button', { name: 'Sign out there' })
  await ends.first().click()
  await expect(ends).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused()
  await page.request.delete(`${origin}/api/auth/session`)
  await ends.click()
  await expect(page).toHaveURL(`${origin}/sign-in`)
})

test('a clock that is twelve minutes slow keeps nobody out', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.clock.setFixedTime(Date.now() - 12 * 60_000)
  await page.goto(`${origin}/sign-in`)
  await connectDemo(page)
  await page.getByRole('button', { name: 'Sign message' }).click()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  await expect(page.getByText(account)).toBeVisible()
})

test('a browser that blocks cookies is told so, and a visitor who takes too long', async ({ page, apps }) => {
  const origin = await apps.url('node')
  await page.goto(`${origin}/sign-in`)
  await connectDemo(page)
  const expectReason = async (reason: string, whileAsked = async () => {}) => {
    await page.getByRole('button', { name: 'Sign message' }).click()
    const sign = page.getByRole('button', { name: 'Sign', exact: true })
    await expect(sign).toBeVisible()
    await whileAsked()
    await sign.click()
    const said = page.getByRole('status').filter({ hasText: 'Error verifying signature, please retry!' })
    await expect(said).toContainText(reason)
  }
  await expectReason('Allow cookies for this site.', () =>
    page.context().clearCookies({ name: 'quorate-nonce' }),
  )
  await page.route('**/api/auth/nonce', async (route) => {
    const response = await route.fetch()
    const body = { ...(await response.json()), expirationTime: new Date(Date.now() - 1000).toISOString() }
    await route.fulfill({ response, json: body })
  })
  await expectReason('The message has expired.')
})
