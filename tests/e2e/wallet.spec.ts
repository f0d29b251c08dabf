import type { Page } from '@playwright/test'
import { another, initial } from './support/chains.ts'
import { card, connectDemo, dialog, leave, openConnect, phase } from './support/demo-wallet.ts'
import { account, expect, hosts, other, shortAccount, test } from './support/test.ts'
import { otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest, cookieOf, waitForScripts } from './support/visitor.ts'

const demoVisitor = { address: account, chainId: another.id, connectorId: 'dev.quorate.demo' }

for (const host of hosts) {
  test.describe(`a visitor on the ${host} host`, () => {
    if (host === 'node')
      test('finds the account in the HTML, before any script has run', async ({ browser, apps }) => {
        const origin = await apps.url(host)
        const context = await browser.newContext({ javaScriptEnabled: false })
        await context.addCookies([cookieOf(origin, demoVisitor)])
        const page = await context.newPage()
        await page.goto(origin)
        await expect(page.getByRole('button', { name: `Account ${shortAccount}` })).toBeVisible()
        await expect(page.getByRole('button', { name: `Network: ${another.name}` })).toBeVisible()
        await expect(card(page, another.id)).toContainText('Active')
        // The first reads of a new gateway may take longer than the page waits.
        await expect(async () => {
          await page.goto(origin)
          await expect(card(page, another.id).getByTestId('balance')).toHaveText(
            new RegExp(` ${another.symbol}$`),
            { timeout: 1 },
          )
        }).toPass()
        await context.close()
      })

    test('is never shown another’s account; the own cookie is renewed', async ({ apps, request }) => {
      const origin = await apps.url(host)
      const visitors = [account, other, undefined]
      const pages = await Promise.all(
        Array.from({ length: 12 }, async (_, turn) => {
          const who = visitors[turn % visitors.length]
          const cookie = who && `quorate-wallet=${cookieOf(origin, { ...demoVisitor, address: who }).value}`
          const headers = { accept: 'text/html', ...(cookie && { cookie }) }
          const renewed = cookie && `${cookie}; Path=/; Max-Age=2592000; SameSite=Lax`
          let html = ''
          // On a slow machine some of so many at once are told to come again in two seconds.
          await expect(async () => {
            const response = await request.get(origin, { headers })
            expect(response.status()).toBe(200)
            expect(response.headers()['set-cookie']).toBe(renewed)
            html = await response.text()
          }).toPass({ intervals: [2000] })
          return { who, html }
        }),
      )
      for (const { who, html } of pages) {
        for (const address of [account, other]) expect(html.includes(address)).toBe(address === who)
      }
    })
  })
}

test('the demo offers only its own wallet, and shows that its chains are local', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await expect(page.getByText('Local chains. Nothing here is real money.')).toBeVisible()
  await openConnect(page)
  await expect(dialog(page).getByText('Demo Wallet')).toBeVisible()
  for (const name of ['MetaMask', 'Rainbow', 'WalletConnect', 'Coinbase Wallet', 'Browser Wallet']) {
    await expect(dialog(page).getByText(name, { exact: true })).toHaveCount(0)
  }
})

test('an invalid draft is not sent, with a message for each error', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  for (const [to, amount, sentence] of [
    ['0x1234', '1', 'Enter an address: 0x followed by 40 characters.'],
    [other.replace('C7', 'c7'), '1', 'This address has a typing mistake: its checksum does not match.'],
    [other, '', 'Enter an amount.'],
    [other, 'much', 'Enter an amount as a number, such as 0.5.'],
    [other, '0', 'Enter an amount above zero.'],
    [other, '0.0000000000000000001', 'Too many decimal places.'],
    [other, '99999999', 'Insufficient funds for the amount and its fee.'],
  ] as const) {
    await page.getByLabel('Amount').fill(amount)
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(to)
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(dialog(page).getByText(sentence)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
  }
})

test('two tabs: a disconnect in one holds in the other', async ({ context, page, plain, visitConnected }) => {
  const wallet = await visitConnected()
  const cookies = async () => (await context.cookies()).map(({ name }) => name)
  const second = await context.newPage()
  await second.goto(plain)
  await phase(second, 'connected').waitFor()
  await expect.poll(cookies).toContain('quorate-wallet')
  await leave(page)
  await phase(second, 'none').waitFor()
  await wallet.setChain(1)
  await wallet.setAccounts([otherTestAccount])
  await expect(phase(second, 'none')).toBeVisible()
  expect(await cookies()).not.toContain('quorate-wallet')
  // A tab that hears nothing, because it was frozen, writes nothing either.
  await connectTest(page)
  await second.reload()
  await phase(second, 'connected').waitFor()
  await context.clearCookies({ name: 'quorate-wallet' })
  await wallet.setChain(initial.id)
  for (const tab of [page, second]) await phase(tab, 'none').waitFor()
  expect(await cookies()).not.toContain('quorate-wallet')
})

test('two tabs: one that declines leaves the other connected', async ({ context, page, plain, visit }) => {
  const wallet = await visit()
  const cookies = async () => (await context.cookies()).map(({ name }) => name)
  const second = await context.newPage()
  await second.goto(plain)
  await connectTest(second)
  await expect.poll(cookies).toContain('quorate-wallet')
  wallet.refuse('wallet_requestPermissions', { code: 4001, message: 'User rejected the request.' })
  const answer = wallet.hold('wallet_requestPermissions')
  await openConnect(page)
  const option = dialog(page).getByRole('button', { name: 'Test Wallet' })
  await option.click()
  await expect(dialog(page)).toContainText('Opening Test Wallet')
  answer()
  await expect(dialog(page)).not.toContainText('Opening')
  expect(await cookies()).toContain('quorate-wallet')

  // As a tab hears it that was frozen, when another connection has the cookie.
  const third = await context.newPage()
  await third.goto(`${plain}/api/auth/session`)
  await third.evaluate(() => new BroadcastChannel('quorate.tabs').postMessage('disconnected'))
  await phase(second, 'none').waitFor()
  expect(await cookies()).toContain('quorate-wallet')
})

test('two tabs: a sign-out in one holds in the other', async ({ context, page, plain, visitConnected }) => {
  await visitConnected()
  const second = await context.newPage()
  for (const isHeard of [true, false]) {
    await signIn(page, plain)
    await second.goto(`${plain}/account`)
    await expect(second.getByText('This browser')).toBeVisible()
    if (isHeard) await page.getByRole('button', { name: 'Sign out' }).click()
    else {
      await waitForScripts(second.getByText('This browser'))
      await page.request.delete(`${plain}/api/auth/session`, { headers: { origin: plain } })
      await second.evaluate(() => dispatchEvent(new Event('pageshow')))
    }
    await expect(second).toHaveURL(/\/sign-in/)
  }
})

test('two tabs: both sign in at the same moment', async ({ context, page, plain, visitConnected }) => {
  const wallet = await visitConnected()
  const tabs = [page, await context.newPage()]
  for (const tab of tabs) {
    await tab.goto(`${plain}/sign-in`)
    await phase(tab, 'connected').waitFor()
  }
  const sign = wallet.hold('personal_sign')
  const verified = Promise.all(tabs.map((tab) => tab.waitForResponse('**/api/auth/verify')))
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Sign message' }).click()))
  await expect.poll(() => wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(2)
  sign()
  expect((await verified).map((response) => response.status())).toEqual([200, 200])
  for (const tab of tabs) await expect(tab).toHaveURL(`${plain}/account`)
})

test('two tabs: an older account signs no newer one out', async ({
  context,
  page,
  plain,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await signIn(page, plain)
  const second = await context.newPage()
  await second.goto(`${plain}/account`)
  await phase(second, 'connected').waitFor()
  await wallet.setAccounts([otherTestAccount])
  for (const tab of [page, second]) await expect(tab).toHaveURL(`${plain}/sign-in`)
  await signIn(second, plain)
  const looked = page.waitForResponse('**/api/auth/session?of=*')
  await wallet.setChain(another.id)
  await looked
  const session = await page.request.get(`${plain}/api/auth/session`)
  expect(await session.json()).toMatchObject({ address: otherTestAccount })
})

test('an old build’s tab ends only its own account’s session', async ({ page, plain, visitConnected }) => {
  const wallet = await visitConnected()
  await signIn(page, plain)
  let isGone = false
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    const response = await route.fetch()
    const isSession = (await response.text()).includes('/api/auth/${')
    isGone ||= isSession
    await (isSession ? route.abort() : route.fulfill({ response }))
  })
  await page.goto(plain)
  await phase(page, 'connected').waitFor()
  const ended = page.waitForResponse('**/api/auth/session*')
  await wallet.setAccounts([otherTestAccount])
  const request = (await ended).request()
  expect([request.method(), new URL(request.url()).search]).toEqual(['DELETE', `?of=${testAccount}`])
  const session = await page.request.get(`${plain}/api/auth/session`)
  expect(await session.json()).toEqual({ address: null })
  expect(isGone).toBe(true)
})

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/sign-in`)
  await phase(page, 'connected').waitFor()
  await page.getByRole('button', { name: 'Sign message' }).click()
  await expect(page).toHaveURL(`${origin}/account`)
}
