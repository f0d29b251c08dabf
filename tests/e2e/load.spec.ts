import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { site } from '#site'
import { pagesWithBudget } from './support/budgets.ts'
import { another, initial } from './support/chains.ts'
import { card, corner, dialog, phase } from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import { code, loseLaterCode } from './support/lost-code.ts'
import {
  account,
  expect,
  expectAccessible,
  giveCharacter,
  healNodes,
  nodeNames,
  shortAccount,
  test,
} from './support/test.ts'
import { addTestWallet } from './support/test-wallet.ts'
import { cookieOf, shortTest } from './support/visitor.ts'
import { watch } from './support/witness.ts'

/** Delays all scripts of the page, but for those in this HTML, until they are released. */
const holdCode = (page: Page, html = '') =>
  holdRequests(page, code, (request) => !html.includes(new URL(request.url()).pathname))

test.describe('a click before the code is loaded', () => {
  for (const name of ['in the corner', 'in the middle of the page'] as const) {
    test(`opens a dialog at once, and the list in it when loaded: ${name}`, async ({ page, plain }) => {
      const release = await holdCode(page)
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.goto(plain, { waitUntil: 'commit' })
      const connect = page.getByRole('button', { name: 'Connect Wallet' })
      const button = name === 'in the corner' ? connect.first() : connect.last()
      await button.click()
      await expect(button).toHaveAttribute('aria-busy', 'true')
      await expect(dialog(page)).toHaveText('Connect a Wallet')
      release()
      await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
      await expect(button).toHaveAttribute('aria-busy', 'false')
      await expect(dialog(page)).toHaveCount(1)
      await expect(dialog(page)).toHaveCSS('animation-name', 'none')
    })
  }

  const pressEscape = (page: Page) => page.keyboard.press('Escape')
  for (const [when, way, close] of [
    ['before', 'Escape', pressEscape],
    ['during', 'a click beside it', (page: Page) => page.mouse.click(5, 5)],
    ['after', 'Escape', pressEscape],
  ] as const)
    test(`is taken back by ${way} ${when} hydration`, async ({ page, plain }) => {
      const html = when === 'before' ? '' : await (await page.request.get(plain)).text()
      const release = await holdCode(page, html)
      // Code on demand may be asked for, and held, before the page has loaded.
      await page.goto(plain, { waitUntil: when === 'after' ? 'domcontentloaded' : 'commit' })
      if (when === 'after') await page.waitForFunction(() => !Reflect.has(window, 'quorateEarlyPress'))
      await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
      await expect(dialog(page)).toBeVisible()
      await close(page)
      await expect(dialog(page)).toHaveCount(0)
      release()
      await page.waitForLoadState('networkidle')
      await expect(dialog(page)).toHaveCount(0)
    })
})

test.describe('code that fails to load', () => {
  test('is requested again by a new visitor: the list of wallets', async ({ page, plain }) => {
    const back = await loseLaterCode(page, plain)
    await page.goto(plain)
    await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
    const list = corner(page).getByRole('alert')
    await expect(list).toContainText('did not load')
    await expectAccessible(page)
    await back()
    await list.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
    await expect(list).toHaveCount(0)
  })

  test('is requested again by a returning visitor: activity and sending', async ({
    page,
    context,
    plain,
  }) => {
    await context.addCookies([cookieOf(plain)])
    await addTestWallet(context, { origin: plain, allowed: true })
    const back = await loseLaterCode(page, plain)
    await page.goto(plain)
    await phase(page, 'connected').waitFor()
    const activity = page.getByRole('alert').filter({ hasText: 'list of transactions' })
    await expect(activity).toBeVisible()
    await back()
    await activity.getByRole('button', { name: 'Try again' }).click()
    await expect(activity).toHaveCount(0)

    const send = page.getByRole('button', { name: 'Send', exact: true })
    await page.route(code, (route) => route.abort())
    await send.click()
    const sending = page.getByRole('alert').filter({ hasText: 'send form' })
    await expect(sending).toBeVisible()
    await page.unroute(code)
    await sending.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog(page)).toBeVisible()
  })

  test('is there after one press where the network changed while it was loading', async ({ page, plain }) => {
    await loseLaterCode(page, plain, 1)
    await page.goto(plain)
    await corner(page).getByRole('button', { name: 'Connect Wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a Wallet' })).toBeVisible()
    await expect(corner(page).getByRole('alert')).toHaveCount(0)
  })

  test('is requested again once the browser is back online', async ({ page, context, plain }) => {
    await context.addCookies([cookieOf(plain)])
    await addTestWallet(context, { origin: plain, allowed: true })
    const back = await loseLaterCode(page, plain)
    await page.goto(plain)
    const activity = page.getByRole('alert').filter({ hasText: 'list of transactions' })
    await expect(activity).toBeVisible()
    await back()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(activity).toHaveCount(0)
  })
})

test('the account is connected before the code of its activity is loaded', async ({
  page,
  context,
  plain,
}) => {
  await context.addCookies([cookieOf(plain)])
  await addTestWallet(context, { origin: plain, allowed: true })
  await page.addInitScript(() => {
    const frames: FrameRequestCallback[] = []
    const paint = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (call) => frames.push(call)
    Reflect.set(window, 'paint', () => {
      window.requestAnimationFrame = paint
      for (const call of frames) paint(call)
    })
  })
  await page.goto(plain)
  await phase(page, 'connected').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  const activity = page.getByRole('heading', { name: 'Activity' }).locator('..')
  expect(await activity.textContent()).toBe('Activity')
  await page.evaluate(() => Reflect.get(window, 'paint')())
  await expect(activity).toContainText('No transactions yet')
})

test('what the first page loads is compressed, cacheable and compiled as it comes', async ({
  page,
  plain,
}) => {
  const loaded = new Map<string, Readonly<Record<string, string>>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/_next/static/')) loaded.set(pathname, response.headers())
  })
  const html = (await (await page.goto(plain))?.text()) ?? ''
  const chunks = [...html.matchAll(/<script type="late" src="([^"]+)"/g)].map(([, path = '']) => path)
  expect(chunks.length).toBeGreaterThan(5)
  await expect.poll(() => chunks.filter((path) => !loaded.has(path))).toEqual([])
  expect([...loaded.keys()].some((path) => path.includes('seal'))).toBe(true)
  for (const [path, headers] of loaded) {
    expect(headers['cache-control'], path).toContain('immutable')
    if (!path.endsWith('.woff2')) expect(headers['content-encoding'], path).toBe('br')
  }
  for (const path of chunks)
    expect(await (await page.request.get(plain + path)).text(), path).toMatch(
      /^\/\/# allFunctionsCalledOnLoad\n/,
    )
})

test('pages change without a reload and without a reconnect', async ({ page, context, visitConnected }) => {
  const wallet = await visitConnected()
  await page.evaluate(() => Reflect.set(window, 'stayed', true))
  wallet.asked.length = 0
  const nodes = page.getByRole('navigation').getByRole('link', { name: 'Status' })
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    nodes.click({ modifiers: ['ControlOrMeta'] }),
  ])
  await tab.close()
  await expect(card(page, initial.id)).toContainText('Active')
  await nodes.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible()
  await expect(corner(page)).toContainText(shortTest)
  await page.getByRole('link', { name: site.name }).click()
  await expect(card(page, initial.id)).toContainText('Active')
  await page.getByLabel('Look up any address').fill(account)
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('heading', { level: 1, name: shortAccount })).toBeVisible()
  await page.getByRole('link', { name: 'Close' }).click()
  await expect(card(page, initial.id)).toContainText('Active')
  expect(await page.evaluate(() => Reflect.get(window, 'stayed'))).toBe(true)
  expect(wallet.asked).toEqual([])
})

for (const [path, most] of pagesWithBudget()) {
  test(`${path} has the account in its HTML, and at most ${most} kB of code`, async ({ plain, context }) => {
    await context.addCookies([cookieOf(plain)])
    const { request } = context
    const html = await (await request.get(plain + path)).text()
    expect(html).toContain(`aria-label="Account ${shortTest}"`)
    const sources = [...html.matchAll(/<script(?![^>]*nomodule)[^>]*\ssrc="([^"]+)"/gi)].map(
      ([, source]) => source ?? '',
    )
    expect(sources.length).toBeGreaterThan(3)
    const bodies = await Promise.all(
      sources.map(async (source) => (await request.get(plain + source)).body()),
    )
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    expect(bytes).toBeLessThanOrEqual(most * 1000)
  })
}

test('nothing that runs stands in the HTML between styles and content’s end', async ({ context, plain }) => {
  await context.addCookies([cookieOf(plain)])
  const html = await (await context.request.get(plain)).text()
  const scripts = [...html.matchAll(/<script(?!\stype="late"|[^>]*\snoModule)[^>]*>/g)].map(
    ({ index }) => index,
  )
  const styles = html.indexOf('<link rel="stylesheet"')
  const contentEnd = html.indexOf('</main>')
  expect(styles).toBeGreaterThan(0)
  expect(contentEnd).toBeGreaterThan(styles)
  expect(scripts.filter((index) => index < styles)).toHaveLength(1)
  expect(scripts.filter((index) => index > styles && index < contentEnd)).toEqual([])
})

// The nonce is another at each load, and a browser compiles a script again when its nonce has changed.
test('no script of the build that the HTML names is run with a nonce', async ({ page, context, plain }) => {
  await context.addCookies([cookieOf(plain)])
  const html = (await (await page.goto(plain))?.text()) ?? ''
  const named = [...html.slice(0, html.indexOf('</head>')).matchAll(/<script type="late" src="([^"]+)"/g)]
  expect(named.length).toBeGreaterThan(3)
  const nonces = () =>
    page.evaluate(
      (paths) =>
        paths.map(
          (path) => document.querySelector<HTMLScriptElement>(`script[src="${path}"]:not([type])`)?.nonce,
        ),
      named.map(([, path]) => path),
    )
  await expect.poll(nonces).toEqual(named.map(() => ''))
})

test('a page without wallet features loads the modals on demand', async ({ page, context, plain }) => {
  await context.addCookies([cookieOf(plain)])
  await addTestWallet(context, { origin: plain, allowed: true })
  const { scripts } = watch(page, plain)
  const first = await page.goto(`${plain}/status`)
  const html = (await first?.text()) ?? ''
  await page.waitForLoadState('networkidle')
  const later = scripts.filter((script) => !html.includes(script))
  // The code that listens to other tabs is small and is loaded after the page.
  const bodies = await Promise.all(
    later.map(async (script) => (await page.request.get(plain + script)).body()),
  )
  expect(bodies.map((body) => gzipSync(body).length).filter((bytes) => bytes > 1000)).toEqual([])
  await corner(page).getByRole('button', { name: 'Account' }).click()
  await expect(dialog(page)).toContainText(shortTest)
})

test.describe('when every node of a chain hangs', () => {
  test.afterEach(({ demoUrl }) => healNodes(demoUrl, another.id))

  test('the page is sent at once, and says since when the chain is silent', async ({ page, demoUrl }) => {
    await page.goto(`${demoUrl}/?address=${account}`)
    const figure = card(page, another.id).getByTestId('balance')
    await expect(figure).toHaveText(new RegExp(` ${another.symbol}$`))
    for (const node of nodeNames) await giveCharacter(demoUrl, another.id, node, 'hanging')
    await expect(card(page, another.id)).toContainText(/Not answering since \d/)
    await expect(card(page, another.id)).toContainText('Last known, at block')
    await expect(figure).toHaveText(new RegExp(` ${another.symbol}$`))
    await expect(page.getByText(`${another.name}: too few nodes answer`)).toBeVisible()

    const { first, rest } = await inPieces(await fetch(`${demoUrl}/?address=${account}`))
    expect(first).toContain('</header>')
    expect(first).not.toContain(`data-chain="${another.id}"`)
    expect(rest).toContain(`data-chain="${another.id}"`)
  })
})

/** The first part of a response, with the header of the page, and what follows it. */
async function inPieces({ body }: globalThis.Response): Promise<{ first: string; rest: string }> {
  const decoder = new TextDecoder()
  let first = ''
  let rest = ''
  if (body === null) throw new Error('there is no body')
  for await (const piece of body) {
    const text = decoder.decode(piece, { stream: true })
    if (first.includes('</header>')) rest += text
    else first += text
  }
  return { first, rest }
}
