import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { localTokens } from '#site'
import type { AppKind, Apps } from './support/apps.ts'
import { card, connectDemo } from './support/demo-wallet.ts'
import { loseLaterCode } from './support/lost-code.ts'
import { expect, expectAccessible, expectInBothThemes, hosts, other, test } from './support/test.ts'

/** The demo's Arbitrum has no header that hashes to its hash: votes tell, whatever `TEST_PROOFS` says. */
const unproven = 42_161
const proven = 137
const signed = { SIGNING_KEY: 'ab'.repeat(32) }
/** One app for all of them: it signs, and proves what it can. */
const proving = (apps: Apps, host: AppKind = 'node') =>
  apps.url(host, { ...signed, RPC_CONFIG: apps.configWith('auto') })
const node = 'http://own-node.example:8545'
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

/** Answers in place of a node of the visitor's own, which knows this chain and this result alone. */
async function answerAsOwnNode(page: Page, chainId: number, result: unknown): Promise<void> {
  const results: Readonly<Record<string, unknown>> = { eth_chainId: `0x${chainId.toString(16)}` }
  await page.route(`${node}/**`, async (route) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
    const { method } = route.request().postDataJSON() as { method: string }
    return route.fulfill({ headers, json: { jsonrpc: '2.0', id: 1, result: results[method] ?? result } })
  })
}

/** The page, in a tab of its own, that explains a figure of a chain. */
async function openWhy(page: Page, chainId: number): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await card(page, chainId).getByRole('link', { name: 'Why?' }).click()
  return opened
}

/** That of the balance that a look-up shows, and the balance as a node says it. */
async function openBalance(
  page: Page,
  url: string,
  chainId = unproven,
): Promise<{ why: Page; balance: string }> {
  await page.goto(`${url}/?address=${other}`)
  const why = await openWhy(page, chainId)
  const heading =
    chainId === unproven ? /^Agreed by \d independent operators$/ : 'Proven against the agreed block'
  await expect(why.getByRole('heading', { level: 1 })).toHaveText(heading)
  return { why, balance: JSON.parse(new URL(why.url()).searchParams.get('result') ?? '') as string }
}

/** Has the page ask the visitor's own node by its address. */
async function askOwnNode(page: Page) {
  await page.getByLabel('The address of your node').fill(node)
  const opened = page.waitForResponse((response) => response.url().includes('node='))
  await page.getByRole('button', { name: 'Ask it' }).click()
  return opened
}

for (const host of hosts)
  test(`a figure says why it is believed, and the browser checks it: ${host}`, async ({
    page: home,
    apps,
  }) => {
    const { why: page } = await openBalance(home, await proving(apps, host))
    await expect(page.getByText(other.toLowerCase()).first()).toBeVisible()
    await expect(page.getByText(/\d of \d operators would have had to tell the same lie/)).toBeVisible()
    await expect(page.getByText('The certificate is valid.')).toBeVisible()
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

test('a head says why it is believed, and a certificate without a key that nobody signed it', async ({
  page: home,
  demoUrl,
}) => {
  await home.goto(demoUrl)
  const page = await openWhy(home, 1)
  await expect(page.getByText('eth_blockNumber on Ethereum')).toBeVisible()
  await expect(page.getByText('this gateway signs none')).toBeVisible()
  await expect(page.getByText(/cast rpc --raw eth_getBlockByNumber/)).toBeVisible()
})

test('the supply of a token says why it is believed', async ({ page: home, demoUrl }) => {
  await home.goto(`${demoUrl}/token?chain=137&address=${localTokens[0].address}`)
  const opened = home.waitForEvent('popup')
  await home.getByRole('link', { name: 'Why?' }).click()
  const page = await opened
  await expect(page.getByText('eth_call on Polygon')).toBeVisible()
  await expect(page.getByText('The votes are a quorum')).toBeVisible()
  await expect(page.getByText('is not the one that was answered')).toHaveCount(0)
})

test('a lie of one operator is shown, and not what it said', async ({ page, apps }) => {
  // An app of its own, which does not know the liar yet: later it is asked last, or not at all.
  const url = await apps.url('node', { ...signed, APP_NAME: 'Lies' })
  let id = ''
  await expect(async () => {
    const response = await fetch(`${url}/api/rpc/${unproven}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-quorate-explain': '1' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBalance',
        params: [privateKeyToAddress(generatePrivateKey()), 'latest'],
      }),
    })
    const { quorate } = (await response.json()) as { quorate: { answer: string; dissenting: number } }
    expect(quorate.dissenting).toBe(1)
    id = quorate.answer
  }).toPass({ timeout: 60_000 })
  await page.goto(`${url}/answers/${id}`)
  await expect(page.getByText('1 operator disagreed')).toBeVisible()
  const liar = page.getByRole('listitem').filter({ hasText: 'liar' })
  await expect(liar).toContainText('said something else')
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await keep(page, 'one-lies')
})

test('a node of the visitor’s own is asked by its address, and by nobody’s link', async ({
  page: home,
  apps,
}) => {
  const { why: page, balance } = await openBalance(home, await proving(apps))
  await answerAsOwnNode(page, unproven, balance)
  const opened = await askOwnNode(page)
  expect(opened.headers()['content-security-policy']).toContain(`connect-src 'self' ${node};`)
  await expect(page.getByText('Your node says the same.')).toBeVisible()

  const link = page.url()
  await page.unrouteAll()
  await answerAsOwnNode(page, unproven, '0x1')
  await page.getByRole('button', { name: 'Ask it' }).click()
  await expect(page.getByText('Your node says something else:')).toBeVisible()
  await keep(page, 'own-node-differs')
  const elsewhere = await page.context().newPage()
  const sent = await elsewhere.goto(link)
  expect(sent?.headers()['content-security-policy']).not.toContain('own-node.example')
})

/** What the gateway says to a call, and of it. */
async function askGateway(url: string, chainId: number, method: string, params: readonly unknown[]) {
  const response = await fetch(`${url}/api/rpc/${chainId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-quorate-explain': '1' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as {
    result: unknown
    quorate: { answer: string; block: { number: number } | null }
  }
}

/** A receipt of a chain of the demo, which began with the transactions that made its contracts. */
async function receiptOn(url: string, chainId: number) {
  const block = await askGateway(url, chainId, 'eth_getBlockByNumber', ['0x1', false])
  const params = (block.result as { transactions: string[] }).transactions.slice(0, 1)
  return { params, ...(await askGateway(url, chainId, 'eth_getTransactionReceipt', params)) }
}

/** The code of a contract of the demo, at a block by its number. */
async function codeOn(url: string, chainId: number) {
  const [{ address }] = localTokens
  const head = await askGateway(url, chainId, 'eth_blockNumber', [])
  const params = [address.toLowerCase(), head.result]
  return { params, ...(await askGateway(url, chainId, 'eth_getCode', params)) }
}

const objects = [
  ['a receipt', 'receipt', receiptOn, { status: '0x0' }],
  ['a code', 'code', codeOn, null],
] as const

for (const [what, name, askFor, edit] of objects)
  test(`a node of the visitor’s own is asked for ${what}, whose params the visitor knows`, async ({
    page,
    apps,
  }) => {
    const url = await proving(apps)
    const { params, result, quorate } = await askFor(url, proven)
    await page.goto(`${url}/answers/${quorate.answer}`)
    await expect(page.getByLabel('The address of your node')).toHaveCount(0)
    await page.getByLabel(/^Params as JSON/).fill('["0x1"]')
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByText('The call in this link is not the one that was answered')).toBeVisible()
    await keep(page, `asked-${name}`)
    await page.getByLabel(/^Params as JSON/).fill(JSON.stringify(params, null, 1))
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByText('is not the one that was answered')).toHaveCount(0)

    // Its own words: another order, and members that nobody compares.
    const own = edit === null ? result : { timeboosted: true, ...reversed(result as object) }
    await answerAsOwnNode(page, proven, own)
    await askOwnNode(page)
    await expect(page.getByText('Your node says the same.')).toBeVisible()
    await keep(page, `own-node-same-${name}`)

    await page.unrouteAll()
    await answerAsOwnNode(
      page,
      proven,
      edit === null ? `${String(result)}00` : { ...(result as object), ...edit },
    )
    await askOwnNode(page)
    await expect(page.getByText('Your node says something else:')).toBeVisible()
    await keep(page, `own-node-differs-${name}`)
  })

const reversed = (object: object) => Object.fromEntries(Object.entries(object).toReversed())

test('a list that is proven has its block in the certificate, and a node of the visitor’s own is asked for it', async ({
  page,
  apps,
}) => {
  const url = await proving(apps)
  // Before its fork Madhugiri, what Polygon logs is not all in its blooms.
  const ethereum = 1
  const head = await askGateway(url, ethereum, 'eth_blockNumber', [])
  const filter = { fromBlock: head.result, toBlock: head.result }
  const none = await askGateway(url, ethereum, 'eth_getLogs', [filter])
  await page.goto(`${url}/answers/${none.quorate.answer}`)
  await expect(page.getByText('the headers of the blocks say that there is nothing')).toBeVisible()

  const { quorate, result } = await askGateway(url, ethereum, 'eth_getBlockReceipts', [head.result])
  const params = new URLSearchParams({ params: JSON.stringify([head.result]) })
  await page.goto(`${url}/answers/${quorate.answer}?${params}`)
  await expect(
    page.getByText('The result follows from the block, by the proof in the certificate'),
  ).toBeVisible()
  await answerAsOwnNode(page, ethereum, result)
  await askOwnNode(page)
  await expect(page.getByText('Your node says the same.')).toBeVisible()
  await keep(page, 'proven-list')
})

test('a proven figure is explained by its proof, and a node of the visitor’s own is asked for it', async ({
  page: home,
  apps,
}) => {
  const url = await proving(apps)
  const { why: page, balance } = await openBalance(home, url, proven)
  await expect(page.getByText('eth_getBalance on Polygon')).toBeVisible()
  await expect(page.getByText(other.toLowerCase()).first()).toBeVisible()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await expect(
    page.getByText('The result follows from the block, by the proof in the certificate'),
  ).toBeVisible()
  await expect(page.getByText(/^cast rpc --raw eth_getBalance/)).toBeVisible()
  await answerAsOwnNode(page, proven, balance)
  await askOwnNode(page)
  await expect(page.getByText('Your node says the same.')).toBeVisible()
  await keep(page, 'proven')

  await page.unrouteAll()
  await answerAsOwnNode(page, proven, '0x1')
  await askOwnNode(page)
  await expect(page.getByText('Your node says something else:')).toBeVisible()
  await keep(page, 'proven-own-node-differs')

  const wrong = new URL(page.url())
  wrong.searchParams.set('result', '"0x1"')
  await page.goto(wrong.href)
  await expect(page.getByText('The call in this link is not the one that was answered')).toBeVisible()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await expect(page.getByLabel('The address of your node')).toHaveCount(0)
})

test('what checks a proof is requested again where it did not load', async ({ page: home, apps }) => {
  const url = await proving(apps)
  const { why: page } = await openBalance(home, url, proven)
  const back = await loseLaterCode(page, page.url())
  await page.reload()
  const failed = page.getByRole('alert').filter({ hasText: 'The code that checks the proof did not load' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await back()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The certificate is valid.')).toBeVisible()
  await expect(failed).toHaveCount(0)
})

test('a node of the visitor’s own is asked through the wallet', async ({ page, apps }) => {
  const url = await proving(apps)
  await page.goto(url)
  await connectDemo(page)
  const head = await fetch(`${url}/api/rpc/137`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
  })
  await page.goto(`${url}/answers/${head.headers.get('x-quorate-answer')}`)
  await page.getByRole('button', { name: 'Ask the node of my wallet' }).click()
  await expect(page.getByText('Your node says the same.')).toBeVisible()
})
