import { toCoinType } from 'viem'
import { universalResolver } from '#lib/names/universal-resolver.ts'
import { demoAccount } from '../../demo/accounts.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { demoNames, openNames, writeDemoNames } from '../../demo/name-registry.ts'
import { initial } from './support/chains.ts'
import {
  acceptDanger,
  confirmDemo,
  connectDemo,
  corner,
  dialog,
  dismiss,
  draftToReview,
  toReview,
} from './support/demo-wallet.ts'
import {
  account,
  expect,
  expectAccessible,
  giveCharacter,
  healNodes,
  hosts,
  nodeNames,
  other,
  test,
} from './support/test.ts'

const cookieName = 'quorate-wallet'
const third = demoAccount(2).address

test.beforeEach(async ({ apps, demoUrl }) => {
  await writeDemoNames(apps.chainUrl(1), apps.controlUrl)
  await leadsTo(demoUrl, demoNames.offchain, other)
})
// The account of the demo has no name in the other tests, which share these chains.
test.afterEach(({ apps }) => callNode(apps.chainUrl(1), 'anvil_setCode', [universalResolver, '0x']))

/** Waits until the quorum has the block in which a name was registered. */
async function leadsTo(url: string, name: string, address: string): Promise<void> {
  const lookUp = async () => (await fetch(`${url}/api/names?name=${name}&chain=${initial.id}`)).json()
  await expect.poll(lookUp, { intervals: [250] }).toMatchObject({ address })
}

test('a returning visitor’s name is in the first HTML, for a day', async ({ page, context, demoUrl }) => {
  const lookUps: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/names')) lookUps.push(request.url())
  })
  // A look-up that fails is tried again until it does not.
  const failures = 3
  await page.route('**/api/names?*', (route) => route.abort(), { times: failures })
  await page.goto(demoUrl)
  await connectDemo(page)
  await expect(corner(page)).toContainText(demoNames.own)
  expect(lookUps.length).toBeGreaterThan(failures)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(demoNames.own)
  const named = async () => {
    const [cookie] = (await context.cookies()).filter(({ name }) => name === cookieName)
    return JSON.parse(decodeURIComponent(cookie?.value ?? 'null'))
  }
  await expect.poll(async () => (await named())?.name).toBe(demoNames.own)

  lookUps.length = 0
  const html = await (await page.reload())?.text()
  const visible = html?.replace(/<script[\s\S]*?<\/script>|<wbr\/>/g, '')
  expect(visible).toContain(demoNames.own)
  expect(visible).toContain(account)
  await corner(page).and(page.locator('[data-phase="connected"]')).waitFor()
  await expect(corner(page)).toContainText(demoNames.own)
  expect(lookUps).toEqual([])

  const yesterday = { ...(await named()), nameReadMs: Date.now() - 90_000_000, name: 'earlier.eth' }
  await context.addCookies([
    { name: cookieName, value: encodeURIComponent(JSON.stringify(yesterday)), url: demoUrl },
  ])
  expect(await (await page.reload())?.text()).toContain('earlier.eth')
  await expect(corner(page)).toContainText(demoNames.own)
  await expect.poll(async () => (await named())?.name).toBe(demoNames.own)
})

test('a payment to a name shows its address; that it changed is a danger', async ({
  page,
  apps,
  demoUrl,
}) => {
  const registry = await openNames(apps.chainUrl(1))
  await registry.setAddress('friend.eth', toCoinType(initial.id), other)
  await leadsTo(demoUrl, 'friend.eth', other)
  await page.goto(demoUrl)
  await connectDemo(page)
  await draftToReview(page, 'Friend.ETH', '0.1')
  const parties = dialog(page).locator('dl').first()
  await expect(parties).toContainText('friend.eth')
  await expect(parties).toContainText(other)
  await expectAccessible(page)
  await confirmDemo(page)
  await page.getByRole('button', { name: 'Done' }).click()
  const record = page
    .getByRole('listitem')
    .filter({ hasText: `Send 0.1 ${initial.symbol} to friend.eth (0x70…79C8)` })
  await expect(record).toContainText('Confirmed')

  await registry.setAddress('friend.eth', toCoinType(initial.id), third)
  await leadsTo(demoUrl, 'friend.eth', third)
  await draftToReview(page, 'friend.eth', '0.1')
  await expect(parties).toContainText(third)
  await expect(dialog(page)).toContainText(
    `friend.eth led to another address when you last sent to it: ${other}.`,
  )
  await acceptDanger(page)
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
  await page.getByRole('button', { name: 'Back' }).click()
  await dismiss(page)
})

test('a name from off the chain, or of Ethereum alone, is used with a warning', async ({ page, demoUrl }) => {
  await page.goto(demoUrl)
  await connectDemo(page)
  await draftToReview(page, demoNames.offchain, '0.1')
  const parties = dialog(page).locator('dl').first()
  await expect(parties).toContainText(other)
  await expect(parties).toContainText('its signer vouches for this address')
  await page.getByRole('button', { name: 'Back' }).click()

  const to = page.getByRole('textbox', { name: 'To', exact: true })
  const alert = dialog(page).getByRole('alert').filter({ hasText: /./ })
  await to.fill('nobody.eth')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(alert).toHaveText(`nobody.eth has no address for ${initial.name}.`)
  await to.fill('no_body\u200b.eth')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(alert).toContainText('not a valid name')

  await to.fill(demoNames.mainnet)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(alert).toHaveText(`mainnet.eth has no address for ${initial.name}.`)
  const choice = page.getByRole('checkbox', { name: /^Use its address on Ethereum/ })
  await expect(choice).not.toBeChecked()
  await expectAccessible(page)
  await choice.check()
  await toReview(page)
  await expect(parties).toContainText(third)
  await expect(parties).toContainText('This is its address on Ethereum')
  await page.getByRole('button', { name: 'Back' }).click()
  await dismiss(page)
})

test('the balances of a name are looked up without JavaScript', async ({ browser, demoUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(demoUrl)
  await page.getByRole('searchbox').or(page.getByLabel('Look up any address')).fill('Offchain.eth')
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(demoNames.offchain)
  await expect(page.getByText(other)).toBeVisible()
  await expect(page.getByText('its signer vouches for this address')).toBeVisible()
  for (const [name, sentence] of [
    ['nobody.eth', 'This name leads to no address.'],
    ['a b.eth', 'not a valid name'],
    ['no..body.eth', 'Enter an address'],
    ['<img src=x onerror=alert(1)>', 'Enter an address'],
    ['-_-a-b$.eth', 'not a valid name'],
  ] as const) {
    await page.goto(`${demoUrl}/?address=${encodeURIComponent(name)}`)
    await expect(page.getByRole('alert')).toContainText(sentence)
  }
  await context.close()
})

test('a page says at once which name it looks up, while every node hangs', async ({ page, demoUrl }) => {
  try {
    for (const node of nodeNames) await giveCharacter(demoUrl, 1, node, 'hanging')
    await page.goto(`${demoUrl}/?address=unseen.eth`, { waitUntil: 'commit' })
    await expect(page.getByText('Looking up unseen.eth')).toBeVisible()
    await expect(page.locator('#address-error')).toBeVisible()
  } finally {
    await healNodes(demoUrl, 1)
  }
})

for (const host of hosts)
  test(`programs look names up, other sites do not (${host} host)`, async ({ apps, request }) => {
    const url = await apps.url(host)
    const lookUp = async (name: string, headers = {}) => {
      const query = new URLSearchParams({ name, chain: String(initial.id) })
      const response = await request.get(`${url}/api/names?${query}`, { headers })
      return { status: response.status(), body: await response.json() }
    }
    await leadsTo(url, demoNames.own, account)
    expect(await lookUp('Demo.eth')).toMatchObject({
      status: 200,
      body: { name: demoNames.own, address: account, isOffchain: false },
    })
    expect(await lookUp('demo')).toMatchObject({ status: 400, body: { why: 'no-name' } })
    expect((await lookUp('demo.eth', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    // The edge host cannot choose what it connects to.
    expect(await lookUp(demoNames.offchain)).toMatchObject(
      host === 'node'
        ? { status: 200, body: { address: other } }
        : { status: 200, body: { why: 'resolver' } },
    )
  })
