import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { localTokens } from '#site'
import type { AppKind, Apps } from './support/apps.ts'
import { another, chains, initial, third } from './support/chains.ts'
import { card } from './support/demo-wallet.ts'
import { loseLaterCode } from './support/lost-code.ts'
import { expect, expectAccessible, expectInBothThemes, hosts, other, test } from './support/test.ts'

/** The local chain of Arbitrum has no header that hashes to its hash. */
const proven = ([initial, third].find(({ id }) => id !== 42_161) ?? initial).id
/** Of this chain nothing is proven, whatever `TEST_PROOFS` says: votes tell. */
const unproven = another.id
const [token] = localTokens
const chainOf = (chainId: number) => chains.find(({ id }) => id === chainId)
const signed = { SIGNING_KEY: 'ab'.repeat(32) }
/** One app for most: it signs, and proves what it can. */
const proving = (apps: Apps, host: AppKind = 'node') =>
  apps.url(host, { ...signed, RPC_CONFIG: apps.configWith((id) => (id === unproven ? 'off' : 'auto')) })
const checks = [
  'It is a certificate of version 1',
  'Its signature is right',
  'The key is the one that this gateway publishes',
  'The votes are those for the result',
  'The votes are a quorum',
]

/** What the page shows of an answer, in both themes, with PICTURES=1 for a person to look at. */
async function keep(page: Page, state: string): Promise<void> {
  for (const [screen, viewport] of [
    ['desktop', { width: 1280, height: 860 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(viewport)
    const name = `${screen}-evidence-${state}`
    await expectInBothThemes(page, name, async (colorScheme) => {
      const path = join(import.meta.dirname, '../../test-results/pictures', `${name}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: true })
    })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, `${screen}-${state}`).toBeLessThanOrEqual(viewport.width)
  }
}

/** After that another tab is opened. */
const oneTry = { timeout: 180_000 }

/** The page, in a tab of its own, that explains a figure of a chain. */
async function openWhy(page: Page, chainId: number): Promise<Page> {
  const opened = page.waitForEvent('popup', oneTry)
  await card(page, chainId).getByRole('link', { name: 'Why?' }).click()
  return opened
}

/** That of the balance that a look-up shows. */
async function openBalance(page: Page, url: string, chainId = unproven): Promise<Page> {
  const agreement = chainId === unproven ? 'Agreed by' : 'Proven against the agreed block'
  let why = page
  // On a busy machine a proof may be late and the votes tell, or a page in a new tab does not come up.
  await expect(async () => {
    await page.goto(`${url}/?address=${other}`)
    why = await openWhy(page, chainId)
    await expect(why.getByText(new RegExp(`^${agreement}( \\d independent operators)?$`))).toBeVisible(oneTry)
  }).toPass()
  await expect(why.getByRole('heading', { level: 1 })).toHaveText(
    new RegExp(`^[\\d,.]+ ${chainOf(chainId)?.symbol}$`),
  )
  return why
}

for (const host of hosts)
  test(`a figure says why it is believed, and is checked: ${host}`, async ({ page: home, apps }) => {
    const page = await openBalance(home, await proving(apps, host))
    await expect(page.getByText(other.toLowerCase()).first()).toBeVisible()
    await expect(page.getByText(/\d of \d operators would have had to tell the same lie/)).toBeVisible()
    await expect(page.getByText('The certificate is valid.')).toBeVisible()
    await expect(page.getByText('This link works until a thousand newer answers')).toBeVisible()
    for (const check of checks) await expect(page.getByText(check)).toBeVisible()
    if (host === 'node') await keep(page, 'agreed')
    // The link is all that somebody else needs.
    await page.goto(page.url())
    await expect(page.getByText('The certificate is valid.')).toBeVisible()
    const wrong = new URL(page.url())
    wrong.searchParams.set('result', '"0x0"')
    await page.goto(wrong.href)
    await expect(page.getByText('The call in this link is not the one that was answered')).toBeVisible()
  })

test('a head says why it is believed, and that nobody signed it', async ({ page: home, demoUrl }) => {
  await home.goto(demoUrl)
  const page = await openWhy(home, third.id)
  await expect(page.getByText(`Latest block of ${third.name}`)).toBeVisible()
  await expect(page.getByText('this gateway signs none')).toBeVisible()
})

test('the supply of a token says why it is believed', async ({ page: home, demoUrl }) => {
  await home.goto(`${demoUrl}/token?chain=${token.chainId}&address=${token.address}`)
  const opened = home.waitForEvent('popup')
  await home.getByRole('link', { name: 'Why?' }).click()
  const page = await opened
  await expect(page.getByText(`An answer about ${chainOf(token.chainId)?.name}`)).toBeVisible()
  await expect(page.getByText('The votes are a quorum')).toBeVisible()
  await expect(page.getByText('is not the one that was answered')).toHaveCount(0)
})

/** What the gateway says to a call, and of it. */
async function askGateway(url: string, chainId: number, method: string, params: readonly unknown[]) {
  const response = await fetch(`${url}/api/rpc/${chainId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-quorate-explain': '1' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result: unknown; quorate: { answer: string } }
}

test('that there are no logs is shown by the headers of the blocks', async ({ page, apps }) => {
  const url = await proving(apps)
  // Before its fork Madhugiri, what Polygon logs is not all in its blooms.
  const { id } = chains.find((chain) => chain.id !== 137) ?? third
  // On a busy machine a header may be late, and the votes tell.
  await expect(async () => {
    const head = await askGateway(url, id, 'eth_blockNumber', [])
    const filter = { fromBlock: head.result, toBlock: head.result }
    const none = await askGateway(url, id, 'eth_getLogs', [filter])
    await page.goto(`${url}/answers/${none.quorate.answer}`)
    const reason = page.getByText('the headers of the blocks say that there is nothing')
    await expect(reason).toBeVisible(oneTry)
  }).toPass()
})

test('a proven figure is explained by its proof', async ({ page: home, apps }) => {
  const page = await openBalance(home, await proving(apps), proven)
  await expect(page.getByText(new RegExp(`^Balance of 0x.+ on ${initial.name} at block \\d`))).toBeVisible()
  await expect(page.getByText(other.toLowerCase()).first()).toBeVisible()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await expect(
    page.getByText('The result follows from the block, by the proof in the certificate'),
  ).toBeVisible()
  await keep(page, 'proven')

  const wrong = new URL(page.url())
  wrong.searchParams.set('result', '"0x1"')
  await page.goto(wrong.href)
  await expect(page.getByText('The call in this link is not the one that was answered')).toBeVisible()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
})

test('a key that does not load is not shown as missing, and can be retried', async ({ page: home, apps }) => {
  const page = await openBalance(home, await proving(apps))
  const keys = '**/.well-known/quorate.json'
  await page.route(keys, (route) => route.fulfill({ status: 503, json: { error: 'busy' } }))
  await page.reload()
  const failed = page.getByRole('alert').filter({ hasText: 'It could not be checked' })
  await expect(failed).toBeVisible()
  await expect(page.getByText('The certificate is valid.')).toHaveCount(0)
  await page.unroute(keys)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The key is the one that this gateway publishes')).toBeVisible()
})

test('code that does not load can be requested again', async ({ page: home, apps }) => {
  const url = await proving(apps)
  const page = await openBalance(home, url, proven)
  const back = await loseLaterCode(page, page.url())
  await page.reload()
  const failed = page.getByRole('alert').filter({ hasText: 'It could not be checked' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await back()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await expect(failed).toHaveCount(0)
})
