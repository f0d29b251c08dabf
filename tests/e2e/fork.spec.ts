import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { notFoundTexts } from '#lib/page/texts/notice.ts'
import { bodyBytesMax, colours, site } from '#site'
import {
  acceptDanger,
  card,
  confirmAndClose,
  connectDemo,
  corner,
  dialog,
  goOnTo,
  leave,
  phase,
  toConfirm,
} from './support/demo-wallet.ts'
import { forkChains, identity, looks } from './support/fork.ts'
import { small, write } from './support/pictures.ts'
import { test as base, expect, expectAccessible, expectInBothThemes } from './support/test.ts'
import { addTestWallet, otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest, cookieOf, shortTest } from './support/visitor.ts'

type Visit = (path: string) => ReturnType<typeof addTestWallet>

const test = base.extend<{ visitFork: Visit; connectFork: Visit }, { fork: string }>({
  /** Built before the first test. */
  fork: [async ({ apps }, use) => use(await apps.url('fork')), { scope: 'worker', timeout: 900_000 }],
  visitFork: ({ page, context, fork }, use) =>
    use(async (path) => {
      const wallet = await addTestWallet(context, { origin: fork })
      await page.goto(`${fork}${path}`)
      return wallet
    }),
  connectFork: ({ page, visitFork }, use) =>
    use(async (path) => {
      const wallet = await visitFork(path)
      await connectTest(page)
      return wallet
    }),
})

test('the pages of wagmi’s guides work until a disconnect', async ({ page, visitFork }) => {
  await visitFork('/tutorial')
  await expect(page.getByTestId('status')).toHaveText('disconnected')
  await expect(page.getByTestId('query')).toHaveText('my own query')

  await page.getByRole('button', { name: 'Connect modal' }).click()
  await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page.getByTestId('status')).toHaveText('connected')
  await expect(page.locator('main')).toContainText(testAccount)
  await expect(page.getByTestId('balance')).toHaveText(/^\d+/)
  await expect(page.getByTestId('token')).toHaveText(/^\d+$/)
  // `useQuorumRead` of the parameters of `useReadContract`.
  await expect(page.getByTestId('agreed')).toHaveText((await page.getByTestId('token').textContent()) ?? '')

  await page.reload()
  await expect(page.getByTestId('status')).toHaveText('connected')
  await page.getByRole('button', { name: 'Ethereum' }).click()
  await expect(page.getByTestId('chain')).toHaveText('1')

  await page.locator('main').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByTestId('status')).toHaveText('disconnected')
  await expect(page.locator('main')).not.toContainText(testAccount)
})

test('useAccount has a returning visitor’s address in the HTML, and connects', async ({
  page,
  context,
  fork,
}) => {
  await context.addCookies([cookieOf(fork)])
  await addTestWallet(context, { origin: fork, allowed: true })
  const html = (await (await page.goto(`${fork}/tutorial`))?.text()) ?? ''
  expect(html).toContain(`<div>${testAccount}</div>`)
  expect(html).toMatch(/data-testid="status">reconnecting</)
  await expect(page.getByTestId('status')).toHaveText('connected')
})

test('a transaction is sent and confirmed by wagmi’s hooks', async ({ page, connectFork }) => {
  await connectFork('/tutorial')
  await page.getByPlaceholder('0xA0Cf…251e').fill(otherTestAccount)
  await page.getByPlaceholder('0.05').fill('0.05')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Transaction Hash:')).toContainText(/0x[0-9a-f]{64}$/)
  await expect(page.locator('main')).toContainText('Transaction confirmed.')
})

test('a fork’s name, home, icon, menu and hosts come from site.config.ts alone', async ({ page, fork }) => {
  const response = await page.goto(fork)
  await expect(page).toHaveTitle(new RegExp(`^${identity.name}: `))
  await expect(page.getByRole('banner')).toContainText(identity.name)
  expect(response?.headers()['content-security-policy']).toContain(identity.image)
  expect(await (await fetch(`${fork}/manifest.json`)).json()).toMatchObject({ name: identity.name })
  await expect(page.getByRole('heading', { name: 'Tutorial' })).toBeVisible()
  expect(await (await fetch(`${fork}${site.logo}`)).text()).toContain(identity.accent.dark)
  const stock = await page.locator('html').innerHTML()
  expect(stock).not.toContain(site.name)
  await page.getByRole('banner').getByRole('link', { name: 'Tutorial' }).click()
  await expect(page).toHaveURL(`${fork}/tutorial`)
})

test('a fork’s colours follow the device, on pages and in the list of wallets', async ({ page, fork }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${fork}/wallet`)
    expect(await colourOf(page.locator('body'), 'background-color')).toBe(rgb(colours.ground[colorScheme]))
    expect(await colourOf(page.locator('[class$="_lit"]').first(), 'stroke')).toBe(
      rgb(identity.accent[colorScheme]),
    )
    await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
    const heading = dialog(page).getByRole('heading', { name: 'Connect a Wallet' })
    expect(await colourOf(heading, 'color')).toBe(rgb(colours.text[colorScheme]))
    await expectAccessible(page)
  }
})

test('a fork’s list has the wallets of site.config.ts and its own', async ({ page, fork }) => {
  await page.goto(fork)
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await expect(dialog(page).getByRole('button', { name: 'Rabby' })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Brave' })).toHaveCount(0)
})

test('a page that is off is not found, in no menu, and loads no code', async ({ page, fork }) => {
  const scriptsAt = async (path: string) => {
    const response = await page.request.get(`${fork}${path}`)
    expect(response.status()).toBe(404)
    return new Set((await response.text()).match(/\/_next\/static\/[^"\\]+\.js/g))
  }
  const none = await scriptsAt('/nope')
  for (const path of ['/token', '/console']) expect(await scriptsAt(path)).toEqual(none)
  await page.goto(`${fork}/token?chain=137`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(notFoundTexts.title)
  await expect(page.getByRole('link', { name: 'Token' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Status' })).not.toHaveCount(0)
})

test('a chain of quorate.config.ts alone is on the page and in the demo', async ({ page, fork }) => {
  expect((await forkChains()).map(({ facts, label }) => [facts.id, label])).toEqual([[10, 'OP Mainnet']])
  await page.goto(`${fork}/wallet`)
  await expect(card(page, identity.chainId)).toContainText('OP Mainnet')
  await expect(card(page, identity.chainId)).toContainText('Agreed by')
  await expect(card(page, identity.chainId).locator('svg text').first()).toHaveText('O')
})

/** A computed colour. */
function colourOf(locator: Locator, property: string): Promise<string> {
  return locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
}

/** As browsers write `#rrggbb`. */
function rgb(hex: string): string {
  const parts = hex.match(/[0-9a-f]{2}/gi)?.map((part) => Number.parseInt(part, 16))
  return `rgb(${parts?.join(', ')})`
}

for (const kind of ['fork', 'fork-edge'] as const) {
  test.describe(`all of Next works, ${kind}`, () => {
    test('greet: a Server Action answers a form, and no other site', async ({
      page,
      browser,
      apps,
      fork: _built,
    }) => {
      const url = await apps.url(kind)
      const plain = await browser.newContext({ javaScriptEnabled: false })
      await greet(await plain.newPage(), url)
      await plain.close()
      const [request] = await Promise.all([
        page.waitForRequest((sent) => sent.method() === 'POST' && sent.url() === `${url}/greet`),
        greet(page, url),
      ])
      const action = request.headers()['next-action'] ?? ''
      const ask = (headers: Readonly<Record<string, string>>, data = '["",{}]') =>
        page.request.post(`${url}/greet`, { headers, data })
      expect((await ask({ 'next-action': action, origin: 'https://evil.example' })).status()).toBe(500)
      expect(apps.printed(url)).toContain('Aborting the action')
      expect((await ask({ 'next-action': action }, 'x'.repeat(bodyBytesMax + 1))).status()).toBe(413)
      const old = await ask({ 'next-action': action.replace(/.$/, 'x') })
      expect([old.status(), old.headers()['x-nextjs-action-not-found']]).toEqual([404, '1'])
    })

    test('routes take POST and stream, draft mode stays, proxy.ts redirects', async ({
      page,
      apps,
      fork: _built,
    }) => {
      const url = await apps.url(kind)
      const hook = await page.request.post(`${url}/hooks`, { data: 'paid' })
      expect([hook.status(), await hook.text()]).toEqual([202, 'taken: paid'])

      await page.goto(`${url}/draft`)
      await expect(page.locator('main')).toContainText('Published')
      const parts = await page.evaluate(async () => {
        const reader = (await fetch('/ticks')).body?.pipeThrough(new TextDecoderStream()).getReader()
        const first = (await reader?.read())?.value
        await fetch('/ticks', { method: 'PUT' })
        return [first, (await reader?.read())?.value]
      })
      expect(parts).toEqual(['data: one\n\n', 'data: two\n\n'])

      await page.goto(`${url}/draft/on`)
      await expect(page).toHaveURL(`${url}/draft`)
      await page.reload()
      await expect(page.locator('main')).toContainText('Draft')

      await page.goto(`${url}/hi`)
      await expect(page).toHaveURL(`${url}/greet`)
      await page.goto(`${url}/welcome`)
      await expect(page).toHaveURL(`${url}/welcome`)
      await expect(page.getByRole('heading', { name: 'Greet' })).toBeVisible()
    })
  })
}

test('the edge route answers on the Node runtime of next start', async ({ page, apps, fork: _built }) => {
  const url = await apps.url('fork-edge')
  const data = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  expect(await (await page.request.post(`${url}/api/rpc/137`, { data })).json()).toMatchObject({
    result: '0x89',
  })
  await page.goto(`${url}/supply`)
  await expect(page.getByTestId('server')).toHaveText(/agreed by [24] operators$/)
  await expect(page.getByTestId('supply')).toHaveText(/^\d+ by [24] operators$/)
})

/** Fills in the form of the guide. */
async function greet(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/greet`)
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Greet' }).click()
  await expect(page.locator('main').getByRole('status')).toHaveText('Hello Ada')
}

test('the three modal hooks open RainbowKit’s modals on any page', async ({ page, connectFork }) => {
  await connectFork('/tutorial')
  await page.getByRole('button', { name: 'Account modal' }).click()
  await expect(dialog(page)).toContainText(shortTest)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Chain modal' }).click()
  await expect(page.getByRole('heading', { name: 'Switch Networks' })).toBeVisible()
})

test('RainbowKit’s ConnectButton works after a client navigation', async ({ page, visitFork }) => {
  await visitFork('/tutorial')
  await page.getByRole('link', { name: 'Rainbow' }).click()
  await page.getByRole('button', { name: 'Come in' }).click()
  await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
  await phase(page, 'connected').waitFor()
  await expect(page.locator('main').getByTestId('rk-account-button')).toBeVisible()
})

test.describe('the guides of docs/build, as written', () => {
  test('looks: what is listed is there, in both themes', async ({ page, context, fork }) => {
    const pictures: Buffer[] = []
    const see = (part: Locator, state: string) =>
      expectInBothThemes(page, state, async () => pictures.push(await part.screenshot()))
    await page.setViewportSize({ width: 440, height: 640 })
    await page.goto(`${fork}/looks`)
    await see(page.locator('main'), 'looks')
    await page.getByRole('button', { name: 'primary' }).click()
    await see(dialog(page), 'looks, a dialog')
    for (const name of looks()) {
      const one = /^[A-Z]/.test(name)
        ? page.getByText(name, { exact: true })
        : page.locator(`main [class*="_${name}"]`)
      await expect(one.first(), name).toBeVisible()
    }
    if (pictures.length === 0) return
    const sheet = await context.newPage()
    const images = pictures.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
    await sheet.setContent(
      `<body style="margin: 0; display: grid; width: max-content; grid: auto / 440px 440px">${images.join('')}`,
    )
    const picture = await sheet.locator('body').screenshot()
    write(join(import.meta.dirname, '../../docs/images/looks.png'), await small(picture))
  })

  test('wallets: modals other than RainbowKit’s work until a disconnect', async ({ page, visitFork }) => {
    await visitFork('/tutorial#plain')
    await page.getByRole('button', { name: 'Connect modal' }).click()
    await expect(page.locator('[data-rk]')).toHaveCount(0)
    await dialog(page).getByRole('button', { name: 'Test Wallet' }).click()
    await phase(page, 'connected').waitFor()
    await expect(dialog(page)).toHaveCount(0)
    await corner(page).getByRole('button', { name: 'Network' }).click()
    await dialog(page).getByRole('button', { name: 'Ethereum' }).click()
    await expect(page.getByTestId('chain')).toHaveText('1')
    await expect(dialog(page)).toHaveCount(0)
    await page.reload()
    await phase(page, 'connected').waitFor()
    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page)).toContainText(testAccount)
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
    await phase(page, 'none').waitFor()
    await expect(dialog(page)).toHaveCount(0)
  })

  test('hello: a returning visitor’s address is in the HTML', async ({ page, context, fork }) => {
    await context.addCookies([cookieOf(fork)])
    await addTestWallet(context, { origin: fork, allowed: true })
    const html = (await (await page.goto(`${fork}/hello`))?.text()) ?? ''
    expect(html).toContain(testAccount)
    await expect(page.getByTestId('hello')).toHaveText(/^connected: 0x\w+ \d+(\.\d+)? POL$/)
    await context.clearCookies()
    await page.goto(`${fork}/hello`)
    await page.getByRole('button', { name: 'Choose a wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
  })

  test('supply: the hook begins with what the server read', async ({ page, context, fork }) => {
    await addTestWallet(context, { origin: fork })
    const html = (await (await page.goto(`${fork}/supply`))?.text()) ?? ''
    // Two, or four once the liar has made the witnesses vote.
    expect(html).toMatch(/data-testid="supply">\d+ by [24] operators/)
    await expect(page.getByTestId('server')).toHaveText(/^\d+ at block \d+, agreed by [24] operators$/)
    await expect(page.getByTestId('own')).toBeEmpty()
    await connectTest(page)
    await expect(page.getByTestId('own')).toHaveText(/^\d+$/)
  })

  test('members: a sign-in lands on the page wanted, on no other site', async ({ page, fork, visitFork }) => {
    await visitFork('/members?of=2026')
    await expect(page).toHaveURL(`${fork}/sign-in?next=%2Fmembers%3Fof%3D2026`)
    await connectTest(page)
    await page.getByRole('button', { name: 'Sign message' }).click()
    await expect(page).toHaveURL(`${fork}/members?of=2026`)
    await expect(page.locator('main')).toContainText(testAccount)
    await expect(page.getByTestId('own')).toHaveText(/^\d+, agreed by [24] operators$/)
    await page.goto(`${fork}/sign-in?next=//evil.example`)
    await expect(page).toHaveURL(`${fork}/account`)
  })

  test('vault: a contract is read, written and confirmed', async ({ page, visitFork }) => {
    await visitFork('/vault')
    await expect(page.getByTestId('deposited')).toHaveText(/^\d+$/)
    await connectTest(page)
    await page.getByRole('button', { name: 'Deposit one unit' }).click()
    await expect(page.locator('main').getByRole('status')).toHaveText('Deposited')
  })

  test('stake: a contract of contracts/ is reviewed, approved and staked', async ({
    page,
    apps,
    fork: _built,
  }) => {
    // Under the demo `useContract` has the addresses of the local chains.
    const url = await apps.url('fork', { DEMO: '1' })
    await page.goto(`${url}/stake`)
    await connectDemo(page)
    await expect(page.getByTestId('staked')).toHaveText('0')
    const confirm = async () => {
      await page.getByRole('button', { name: 'Confirm in wallet' }).click()
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await expect(page.getByText('Staked', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Done' }).click()
    }

    await page.getByRole('button', { name: 'Stake 5', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText(
      /^This transaction would fail right now: ERC20InsufficientAllowance\(spender 0x\w+, allowance 0, needed 5000000\)$/,
    )
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Approve and stake 5' }).click()
    await page.getByRole('button', { name: 'Switch to OP Mainnet' }).click()
    await expect(dialog(page)).toContainText('2 calls in one prompt')
    await expect(dialog(page).getByRole('heading', { name: 'Stake 5 DUSD' })).toBeVisible()
    await expect(dialog(page)).toContainText('Amount5 DUSD')
    await expect(dialog(page)).not.toContainText('The description')
    // The whole call is one press away.
    const whole = dialog(page).getByText('amount uint2565000000 (5 DUSD)')
    await expect(whole).toBeHidden()
    await dialog(page).getByText('Data, 36 bytes').click()
    await expect(whole).toBeVisible()
    await expect(dialog(page)).toContainText('Functionstake')
    await expectAccessible(page)
    await confirm()
    await expect(page.getByTestId('staked')).toHaveText('5000000')

    // In two prompts, by a wallet that takes one call at a time.
    await leave(page)
    await connectDemo(page, 'One Call Wallet')
    await page.getByRole('button', { name: 'Approve and stake 5' }).click()
    await page.getByRole('button', { name: 'Switch to OP Mainnet' }).click()
    await expect(dialog(page).getByRole('region', { name: 'Two steps' })).toBeVisible()
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await goOnTo(page, 2)
    await confirm()
    await expect(page.getByTestId('staked')).toHaveText('10000000')
  })

  test('lie: a description that the simulation contradicts takes a second step', async ({
    page,
    apps,
    fork: _built,
  }) => {
    await page.goto(`${await apps.url('fork', { DEMO: '1' })}/lie`)
    await connectDemo(page)
    await page.getByRole('button', { name: 'Renew' }).click()
    await toConfirm(page)
    await expect(dialog(page).getByRole('heading', { name: 'Renew your membership' })).toBeVisible()
    await expect(dialog(page)).toContainText(
      'The description does not say that you pay 5 DUSD. The simulation does.',
    )
    // What it leaves out is listed.
    await expect(dialog(page)).toContainText('Not in this descriptionfrom address')
    await expect(dialog(page)).toContainText('value uint2565000000 (5 DUSD)')
    await expectAccessible(page)
    await acceptDanger(page)
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
    await page.keyboard.press('Escape')

    // From a file of the public registry, below the policy of pages and pinned by its hash.
    await page.getByRole('button', { name: 'Take' }).click()
    await expect(dialog(page)).toContainText('Take free tokens')
    await expect(dialog(page)).toContainText('The description does not say that you get 1,000 DUSD.')
  })

  test('faucet: any call is reviewed with what it changes, and confirmed', async ({ page, visitFork }) => {
    const wallet = await visitFork('/faucet')
    const status = page.locator('main').getByRole('status')
    await page.getByRole('button', { name: 'Take tokens', exact: true }).click()
    await expect(status).toHaveText('error reviewed transaction: not-connected')
    await connectTest(page)

    await page.getByRole('button', { name: 'Take tokens', exact: true }).click()
    await expect(dialog(page)).toContainText('Functionfaucet')
    await expect(dialog(page)).toContainText(/You will have[\d,.]+ DUSD, now [\d,.]+ DUSD \(0x5F…0aa3\)/)
    await expect(status).toHaveText('pending')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    await expect(status).toHaveText('success')
    await expect(page.getByTestId('hash')).toHaveText(/^0x[0-9a-f]{64}$/)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  })

  test('faucet: a review closed meanwhile ends as the wallet answers', async ({ page, connectFork }) => {
    const wallet = await connectFork('/faucet')
    const [status, hash] = [page.locator('main').getByRole('status'), page.getByTestId('hash')]
    const takeTokens = page.getByRole('button', { name: 'Take tokens', exact: true })
    const takeAndClose = async () => {
      await takeTokens.click()
      const answer = await confirmAndClose(page, wallet)
      await expect(status).toHaveText('pending')
      await expect(hash).toBeEmpty()
      answer()
    }
    await takeAndClose()
    await expect(hash).toHaveText(/^0x[0-9a-f]{64}$/)
    // The first one is not confirmed yet, and its hash is not that of the second.
    wallet.refuse('eth_sendTransaction', { code: 4001, message: 'User rejected the request.' })
    await takeAndClose()
    await expect(status).toHaveText('error reviewed transaction: closed')
    wallet.refuse('eth_sendTransaction', null)
    await takeAndClose()
    await expect(status).toHaveText('success')

    wallet.refuse('eth_sendTransaction', { code: -32010, message: 'failed to meet quorum' })
    await takeTokens.click()
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(
      dialog(page).getByRole('alert').filter({ hasText: 'It is not known whether it was sent' }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(status).toHaveText('error reviewed transaction: unanswered')
  })

  test('faucet: a call without an ABI shows its selector and its bytes', async ({ page, connectFork }) => {
    const wallet = await connectFork('/faucet')
    const status = page.locator('main').getByRole('status')
    await page.getByRole('button', { name: 'by bytes' }).click()
    await expect(dialog(page)).toContainText('Function0xde5f72fd, not known by name')
    await expect(dialog(page)).toContainText('Data, 4 bytes0xde5f72fd')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(status).toHaveText('error reviewed transaction: closed')

    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(dialog(page)).toContainText('May be taken0.000005 DUSD, until now 0 DUSD')
    wallet.edit({ to: otherTestAccount })
    await acceptDanger(page)
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(page.getByRole('heading', { name: 'The wallet sent something else' })).toBeVisible()
    await expect(status).toHaveText('error reviewed transaction: different')
  })
})
