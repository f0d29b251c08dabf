import { devices, type Page } from '@playwright/test'
import { site } from '#site'
import { deployOddToken } from '../support/odd-tokens.ts'
import { allowanceOf, approve, catchUp } from './support/allowances.ts'
import { initial, third } from './support/chains.ts'
import {
  corner,
  dialog,
  dismiss,
  draftToReview,
  leave,
  openConnect,
  phase,
  pickChain,
} from './support/demo-wallet.ts'
import { type Phone, phoneAccount, phoneShows, startPhone } from './support/phone.ts'
import { readCode } from './support/qr.ts'
import { type Relay, startRelay, tag } from './support/relay.ts'
import { expect, expectAccessible, other, otherTestAccount, test } from './support/test.ts'

const projectId = '0123456789abcdef0123456789abcdef'
const withProject = { WALLETCONNECT_PROJECT_ID: projectId }
// QR codes with much data have modules of a few pixels.
test.use({ deviceScaleFactor: 2 })
// The tests mostly wait for the relay, so they run in parallel.
test.describe.configure({ mode: 'parallel' })

const short = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`

/** How each wallet reads the pairing URI from the text of its code. */
const codes = {
  Rainbow: (text: string) => new URL(text).searchParams.get('uri') ?? '',
  MetaMask: (text: string) => new URL(text).searchParams.get('uri') ?? '',
  WalletConnect: (text: string) => text,
} as const

let origin: string
let relay: Relay
let phone: Phone

/** The message of the verify service's frame. The attestation is not signed, which these phones do not require. */
const attests = `<!doctype html><script>
  const part = (value) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const id = new URLSearchParams(location.search).get('id')
  const attestation = [part({ alg: 'ES256', typ: 'JWT' }), part({ id }), part('signature')].join('.')
  parent.postMessage(JSON.stringify({ type: 'verify_attestation', attestation }), '*')
</script>`

/** Opens the app with the relay, and with a verify service that answers or is blocked by an ad blocker. */
async function visit(page: Page, verify: 'answers' | 'blocked'): Promise<void> {
  await relay.serve(page)
  await page.route('https://verify.walletconnect.org/**', (route) =>
    verify === 'blocked' ? route.abort() : route.fulfill({ contentType: 'text/html', body: attests }),
  )
  await page.goto(origin)
}

async function isConnected(page: Page, address = phoneAccount): Promise<void> {
  await phase(page, 'connected').waitFor()
  await expect(corner(page)).toContainText(short(address))
}

async function connectBy(page: Page, row: keyof typeof codes): Promise<void> {
  await openConnect(page)
  await dialog(page).getByRole('button', { name: row }).click()
  let text: string | null = null
  await expect(async () => {
    text = await readCode(dialog(page))
    expect(text).not.toBeNull()
  }).toPass({ intervals: [100] })
  const uri = codes[row](text ?? '')
  expect(uri).toMatch(/^wc:/)
  await phone.pair(uri)
  await isConnected(page)
}

/** Sends a small amount from the account of the phone. */
async function send(page: Page): Promise<void> {
  const before = (await phone.look()).asked.length
  await draftToReview(page, other, '0.1')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(page.getByRole('heading', { name: /On its way|Confirmed/ })).toBeVisible()
  await dismiss(page)
  expect((await phone.look()).asked.slice(before)).toEqual(['eth_sendTransaction'])
}

/** Signs in with the account of the phone. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign message' }).click()
  await expect(page).toHaveURL(`${origin}/account`)
  await expect(page.getByText(phoneAccount)).toBeVisible()
  expect((await phone.look()).asked.at(-1)).toBe('personal_sign')
}

test.beforeEach(async ({ apps }) => {
  origin = await apps.url('plain', withProject)
  relay = await startRelay()
  phone = await startPhone({ relayUrl: relay.url, origin, projectId })
})
test.afterEach(async () => {
  await phone.close()
  await relay.close()
})

test('each row pairs by its code, survives reloads, signs, and ends with its wallet', async ({ page }) => {
  // Three wallets one after the other, each with its reloads.
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    const text = message.text()
    // The client logs this for a reply after the end of the session. It is harmless.
    if (text.includes('No matching key')) return
    // All rows share one client, because a second one would warn.
    if (message.type() === 'error' || text.includes('already initialized')) complaints.push(text)
  })
  await visit(page, 'answers')
  for (const row of Object.keys(codes) as (keyof typeof codes)[]) {
    await connectBy(page, row)
    if (row === 'WalletConnect') {
      await send(page)
      await signIn(page)
      await page.goto(origin)
      await isConnected(page)
    }
    await page.reload()
    await isConnected(page)
    await send(page)
    await phone.end()
    await phase(page, 'none').waitFor()
  }
  await page.reload()
  await phase(page, 'none').waitFor()
  expect(await phone.look()).toMatchObject({ askers: [site.name], offered: 3, sessions: 0 })
  expect(relay.published(tag.sessionDelete)).toEqual([])
  const verified = [...relay.published(tag.sessionPropose), ...relay.published(tag.sessionRequest)]
  // A late one on a busy machine is not waited for.
  expect(verified.some(({ attestation }) => attestation !== undefined)).toBe(true)
  expect(complaints).toEqual([])
})

test('a wallet on a phone revokes two approvals in one prompt', async ({ page, apps }) => {
  const chainUrl = apps.chainUrl(initial.id)
  const token = await deployOddToken(chainUrl, 'none', phoneAccount)
  const approvals = ([other, otherTestAccount] as const).map((spender) => ({
    owner: phoneAccount,
    token,
    spender,
  }))
  for (const approval of approvals) await approve(chainUrl, approval, 7_000_000n)
  await catchUp(chainUrl, `${origin}/api/rpc/${initial.id}`)
  await phone.show({ address: phoneAccount, chainIds: [initial.id] })
  await visit(page, 'blocked')
  await connectBy(page, 'WalletConnect')
  expect((await phone.look()).asked).toEqual([])

  await page.goto(`${origin}/token?chain=${initial.id}&address=${token}`)
  await isConnected(page)
  await page.getByRole('button', { name: 'Revoke all 2 approvals' }).click()
  await expect(dialog(page)).toContainText('2 calls in one prompt')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  for (const approval of approvals) expect(await allowanceOf(chainUrl, approval)).toBe(0n)
  const { asked } = await phone.look()
  expect(asked.filter((method) => method !== 'wallet_getCallsStatus')).toEqual([
    'wallet_getCapabilities',
    'wallet_sendCalls',
  ])
})

test('a relay out of reach is named after ten seconds; tried again, its code pairs', async ({ page }) => {
  await page.clock.install()
  relay.fallSilent()
  await visit(page, 'blocked')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await openConnect(page)
    await dialog(page).getByRole('button', { name: 'WalletConnect' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Wallet not connected' })
    await expect(async () => {
      await page.clock.runFor(2_000)
      await expect(alert).toContainText('The WalletConnect relay cannot be reached from here.', {
        timeout: 500,
      })
    }).toPass()
    await expect(alert).toContainText('turn off a VPN or a blocker')
    await expectAccessible(page)
    if (width === 1280) await page.reload()
  }
  relay.restoreConnection()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Try again' }).click()
  let code: string | null = null
  await expect(async () => {
    code = await readCode(dialog(page))
    expect(code).toMatch(/^wc:/)
  }).toPass({ intervals: [200] })
  await phone.pair(code ?? '')
  await isConnected(page)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText('Wallet not connected')).toHaveCount(0)
  await send(page)
})

test('a session survives an unsupported chain and a silent or closing relay', async ({ page, context }) => {
  await page.clock.install()
  await phone.show({ address: phoneAccount, chainIds: [initial.id] })
  await visit(page, 'blocked')
  await connectBy(page, 'WalletConnect')

  // The wallet agrees to switch, but has not yet reported an account there.
  await pickChain(page, third.id)
  await expect(page.getByRole('button', { name: `Network: ${third.name}` })).toBeVisible()
  await isConnected(page)
  expect((await context.cookies())[0]?.value).toContain(phoneAccount)
  await page.reload()
  await isConnected(page)
  await expect(page.getByRole('button', { name: `Network: ${initial.name}` })).toBeVisible()

  await phone.show({ ...phoneShows, address: other })
  await isConnected(page, other)

  relay.fallSilent()
  await page.reload()
  await isConnected(page, other)
  await phone.show(phoneShows)
  relay.restoreConnection()
  await page.clock.fastForward(10_000)
  await isConnected(page)

  relay.hangUp()
  await page.reload()
  await isConnected(page)
  await phone.show({ ...phoneShows, address: other })
  relay.restoreConnection()
  await page.clock.fastForward(60_000)
  await isConnected(page, other)

  await phone.show(phoneShows)
  await isConnected(page)
  await send(page)
  expect((await phone.look()).offered).toBe(1)
  expect(relay.published(tag.sessionDelete)).toEqual([])
})

test('after a disconnect while the relay is silent, the next press pairs by a code', async ({ page }) => {
  await visit(page, 'blocked')
  await connectBy(page, 'WalletConnect')
  relay.fallSilent()
  await leave(page)
  relay.restoreConnection()
  await page.reload()
  await phase(page, 'none').waitFor()
  await connectBy(page, 'WalletConnect')
  expect((await phone.look()).offered).toBe(2)
})

test.describe('in the browser of a phone', () => {
  const { defaultBrowserType: _, ...iphone } = devices['iPhone 15']
  test.use(iphone)

  test('a row opens the wallet’s app; the page killed behind it knows what was asked', async ({
    page,
    context,
  }) => {
    // A link of an app leads nowhere here: the browser only tells that the page asked for it.
    const opened: string[] = []
    const browser = await context.newCDPSession(page)
    browser.on('Page.frameRequestedNavigation', ({ url }) => opened.push(url))
    await browser.send('Page.enable')
    await visit(page, 'blocked')
    await openConnect(page)
    await dialog(page).getByRole('button', { name: 'Rainbow' }).click()
    await expect.poll(() => opened).toContainEqual(expect.stringMatching(/^rainbow:\/\/wc\?uri=wc%3A/))
    const link = new URL(opened.find((url) => url.startsWith('rainbow:')) ?? '')
    await phone.pair(link.searchParams.get('uri') ?? '')
    await isConnected(page)

    await phone.hesitate()
    await draftToReview(page, other, '0.3')
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect.poll(async () => (await phone.look()).asked).toEqual(['eth_sendTransaction'])
    expect(opened.slice(1)).toContainEqual(expect.stringMatching(/^rainbow:/))
    await page.goto('about:blank')
    await phone.decide()
    await page.goto(origin)
    await isConnected(page)
    const item = page.getByRole('listitem').filter({ hasText: `0.3 ${third.symbol} to 0x70…79C8` })
    await expect(item).toContainText(
      new RegExp(`Send 0.3 ${third.symbol} to .*(of ${third.confirmations} confirmations|Confirmed)`),
    )
    await expect(item).toHaveCount(1)
    expect((await phone.look()).asked).toEqual(['eth_sendTransaction'])
  })
})
