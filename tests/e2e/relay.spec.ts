import type { Page } from '@playwright/test'
import { corner, dialog, draft, openConnect, phase } from './support/demo-wallet.ts'
import { type Phone, phoneAccount, startPhone } from './support/phone.ts'
import { readCode } from './support/qr.ts'
import { type Relay, startRelay, tag } from './support/relay.ts'
import { expect, other, test } from './support/test.ts'

const projectId = '0123456789abcdef0123456789abcdef'
const withProject = { WALLETCONNECT_PROJECT_ID: projectId }
// Codes with much in them have dots of a few pixels.
test.use({ deviceScaleFactor: 2 })
// Each waits for blocks and for the relay: both browsers take their share.
test.describe.configure({ mode: 'parallel' })

const shortPhone = `${phoneAccount.slice(0, 4)}…${phoneAccount.slice(-4)}`

/** What wallets make of the code's text, by the row in which it stands. */
const codes = {
  WalletConnect: (text: string) => text,
  Rainbow: (text: string) => new URL(text).searchParams.get('uri') ?? '',
  MetaMask: (text: string) => new URL(text).searchParams.get('uri') ?? '',
} as const

let origin: string
let relay: Relay
let phone: Phone

/** Opens the app with the relay behind it, and a verify service that answers or one that an ad blocker refuses. */
async function visit(page: Page, verify: 'answers' | 'blocked' = 'answers'): Promise<void> {
  await relay.serve(page)
  await page.route('https://verify.walletconnect.org/**', (route) =>
    verify === 'blocked' ? route.abort() : route.fulfill({ contentType: 'text/html', body: '' }),
  )
  await page.goto(origin)
}

async function isConnected(page: Page): Promise<void> {
  await phase(page, 'connected').waitFor()
  await expect(corner(page)).toContainText(shortPhone)
}

async function connectBy(page: Page, row: keyof typeof codes): Promise<void> {
  await openConnect(page)
  await dialog(page).getByRole('button', { name: row }).click()
  let text: string | null = null
  await expect(async () => {
    text = await readCode(dialog(page))
    expect(text).not.toBeNull()
  }).toPass()
  const uri = codes[row](text ?? '')
  expect(uri).toMatch(/^wc:/)
  await phone.pair(uri)
  await isConnected(page)
}

/** Sends a little from the phone's account, as its owner does. */
async function send(page: Page): Promise<void> {
  const before = (await phone.look()).asked.length
  await draft(page, other, '0.1')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Done' }).click()
  expect((await phone.look()).asked.slice(before)).toEqual(['eth_sendTransaction'])
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

for (const row of Object.keys(codes) as (keyof typeof codes)[]) {
  test(`${row}: pairs by its code, comes back after reloads without a new proposal, and signs`, async ({
    page,
  }) => {
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await visit(page)
    await connectBy(page, row)
    if (row === 'WalletConnect') await send(page)
    for (let reload = 0; reload < 2; reload++) {
      await page.reload()
      await isConnected(page)
    }
    await send(page)
    expect(await phone.look()).toMatchObject({ offered: 1, sessions: 1 })
    expect(relay.published(tag.sessionDelete)).toBe(0)
    expect(complaints).toEqual([])
  })
}

test('a wallet that ends its session is disconnected, and a new code pairs it again', async ({ page }) => {
  await visit(page)
  await connectBy(page, 'WalletConnect')
  await phone.end()
  await phase(page, 'none').waitFor()
  await page.reload()
  await phase(page, 'none').waitFor()
  await connectBy(page, 'WalletConnect')
})

test('a wallet that changes its account by a new session alone is shown with it', async ({ page }) => {
  await visit(page)
  await connectBy(page, 'WalletConnect')
  await phone.use(other)
  await expect(corner(page)).toContainText(`${other.slice(0, 4)}…${other.slice(-4)}`)
})

test('a relay that is silent at a reload does not lose the session', async ({ page }) => {
  // WalletConnect's client gives a silent relay a minute before it looks for it anew.
  test.slow()
  await visit(page)
  await connectBy(page, 'WalletConnect')
  relay.fallSilent()
  await page.reload()
  await phase(page, 'late').waitFor()
  relay.comeBack()
  await isConnected(page)
  expect((await phone.look()).offered).toBe(1)
  expect(relay.published(tag.sessionDelete)).toBe(0)
})

test('pairs where the verify service is blocked', async ({ page }) => {
  await visit(page, 'blocked')
  await connectBy(page, 'WalletConnect')
  await send(page)
})
