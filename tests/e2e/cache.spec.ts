import type { Page } from '@playwright/test'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { another, initial } from './support/chains.ts'
import { card, connectDemo, leave } from './support/demo-wallet.ts'
import {
  account,
  balanceOf,
  expect,
  giveCharacter,
  healNodes,
  nodeNames,
  other,
  test,
} from './support/test.ts'
import { cookieOf, hasStored } from './support/visitor.ts'
import { watch } from './support/witness.ts'

const key = 'quorate.cache'
const inInitial = new RegExp(` ${initial.symbol}$`)
const inAnother = new RegExp(` ${another.symbol}$`)
const kept = (page: Page) => page.evaluate((name) => localStorage.getItem(name) ?? '', key)

test.afterEach(({ demoUrl }) => healNodes(demoUrl, another.id))

/** Opens a looked-up account, waits until its balances are stored, and blocks browser and server from reading them. */
async function keepAndCutOff(page: Page, origin: string, demoUrl: string): Promise<string> {
  await page.goto(`${origin}/?address=${other}`)
  const figure = card(page, another.id).getByTestId('balance')
  await expect(figure).toHaveText(inAnother)
  await expect.poll(() => hasStored(page, ['chain', another.id, other])).toBe(true)
  for (const node of nodeNames) await giveCharacter(demoUrl, another.id, node, 'down')
  // The server also still has the balance at its last head in the cache.
  await expect.poll(() => balanceOf(origin, another.id, other).catch(() => 'refused')).toBe('refused')
  await page.route('**/api/rpc/**', (route) => route.abort())
  return (await figure.textContent()) ?? ''
}

test('values that nobody can read any more are shown as last known', async ({ page, apps, demoUrl }) => {
  const figure = await keepAndCutOff(page, await apps.url('node'), demoUrl)
  for (const _ of ['once', 'and once more: a refusal wipes nothing']) {
    await page.reload()
    await expect(card(page, another.id)).toContainText('This site cannot be reached.')
    await expect(card(page, another.id).getByTestId('balance')).toHaveText(figure)
    await expect(card(page, another.id)).toContainText(/Last known, at block [\d,]+/)
  }
})

const text = (value: unknown) => JSON.stringify(value)
const unreadable = { toString: null }

/** What a page could not show, by its key. Whoever can write there may have written it, an older version of the app too. */
const written: Readonly<Record<string, string>> = {
  'quorate.transactions': text([
    { hash: `0x${'a'.repeat(64)}`, chainId: initial.id, from: account, description: 'x', status: 'pending' },
    { hash: unreadable, chainId: unreadable, from: account, description: unreadable },
  ]),
  [key]: text({
    buster: 'figure-1',
    timestamp: Date.now() - 1000,
    clientState: {
      mutations: [],
      queries: [null, account].map((whose) => ({
        queryKey: ['chain', another.id, whose],
        queryHash: text(['chain', another.id, whose]),
        state: { status: 'success', dataUpdatedAt: Date.now() - 1000, data: { known: {}, knownMs: 1 } },
      })),
    },
  }),
  'rk-transactions': text({ [account]: { [initial.id]: [null, 7] } }),
  'rk-recent': '{',
}

test('what others wrote into the storage fails no page', async ({ page, context, apps, demoUrl }) => {
  const origin = await apps.url('node')
  for (const node of nodeNames) await giveCharacter(demoUrl, another.id, node, 'down')
  await expect.poll(() => balanceOf(origin, another.id, account).catch(() => 'refused')).toBe('refused')
  await context.addCookies([cookieOf(origin, { address: account, connectorId: 'dev.quorate.demo' })])
  await page.addInitScript((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value)
  }, written)
  await page.goto(origin)
  await expect(page.getByText(activityTexts.none)).toBeVisible()
  await expect(card(page, another.id)).not.toContainText('Last known')
  await expect(card(page, another.id).getByTestId('balance')).toHaveText('')
  await expect(card(page, initial.id).getByTestId('balance')).toHaveText(inInitial)
})

test('a disconnect clears it, and nothing restores the account', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  await expect.poll(() => kept(page)).toContain(account)
  await leave(page)
  expect(await kept(page)).not.toContain(account)
  // A later save contains no balances.
  await expect.poll(() => kept(page)).toContain(`["chain",${initial.id},null]`)
  expect(await kept(page)).not.toContain(account)
})

for (const [what, breakIt] of [
  [
    'forbidden',
    () =>
      Object.defineProperty(window, 'localStorage', {
        configurable: true,
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
  ],
  [
    'full',
    () =>
      Object.defineProperty(Storage.prototype, 'setItem', {
        value: () => {
          throw new DOMException('full', 'QuotaExceededError')
        },
      }),
  ],
] as const) {
  test(`all of it works with a storage that is ${what}`, async ({ page, apps }) => {
    const origin = await apps.url('node')
    const seen = watch(page, new URL(origin).origin)
    await page.addInitScript(breakIt as () => void)
    await page.goto(origin)
    await connectDemo(page)
    await expect(card(page, initial.id).getByTestId('balance')).toHaveText(inInitial)
    await leave(page)
    expect(seen.complaints).toEqual([])
  })
}
