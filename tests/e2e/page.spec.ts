import { statusTexts } from '#lib/page/texts/status.ts'
import { site } from '#site'
import { another, chains, initial } from './support/chains.ts'
import { card, openConnect } from './support/demo-wallet.ts'
import { expect, expectAccessible, hosts, nodeNames, other, test } from './support/test.ts'
import { watch } from './support/witness.ts'

const agreed = /Agreed by \d independent operators/
const balance = new RegExp(`^[\\d,]+(\\.\\d+)? (${chains.map(({ symbol }) => symbol).join('|')})$`)

for (const host of hosts) {
  test.describe(`on the ${host} host`, () => {
    test.describe('without JavaScript', () => {
      test.use({ javaScriptEnabled: false })

      test('a new visitor sees the agreed heads of the three chains and who agreed', async ({
        page,
        apps,
      }) => {
        const url = await apps.url(host)
        // Without scripts, a visitor before the first answers of the nodes sees the head after a reload.
        await expect(async () => {
          await page.goto(url)
          for (const { id: chainId } of chains) {
            await expect(card(page, chainId).getByTestId('head')).toHaveText(/^[\d,]+$/, { timeout: 2000 })
            await expect(card(page, chainId)).toContainText(agreed, { timeout: 2000 })
          }
        }).toPass()
        // One node of each chain lies, but not about its head: there is no dissent to show.
        for (const { id: chainId } of chains)
          await expect(card(page, chainId)).not.toContainText(/disagree| of \d/)
        // Buttons that need JavaScript are hidden, and the page gives the reason.
        const why = page.locator('noscript p')
        await expect(why).toBeVisible()
        await expect(why).toContainText('Connecting a wallet needs JavaScript.')
        await expect(page.getByRole('button', { name: 'Connect Wallet' })).toHaveCount(0)
      })

      test('a plain form shows the balances of an address on every chain', async ({ page, apps }) => {
        await page.goto(await apps.url(host))
        await page.getByLabel('Look up any address').fill(other.toLowerCase())
        await page.getByRole('button', { name: 'Look up' }).click()
        await expect(page).toHaveURL(/\?address=0x/)
        await expect(async () => {
          await page.reload()
          for (const { id: chainId } of chains) {
            await expect(card(page, chainId).getByTestId('balance')).toHaveText(balance, { timeout: 2000 })
            await expect(card(page, chainId)).toContainText(/at block [\d,]+/, { timeout: 2000 })
            await expect(card(page, chainId)).toContainText(agreed, { timeout: 2000 })
          }
        }).toPass()
      })
    })
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the node table shows which nodes vote', async ({ page, apps }) => {
    await page.goto(`${await apps.url('node')}/status`)
    const table = page.getByRole('region', { name: `Nodes of ${initial.name}` })
    for (const node of nodeNames) {
      await expect(table.getByRole('rowheader', { name: node })).toBeVisible()
    }
    await expect(page.getByRole('list', { name: 'Summary' }).getByRole('listitem')).toContainText([
      ...chains.map(({ name }, index) =>
        index === 0
          ? new RegExp(`^${name}: \\w+[.,] .*\\d of 4 operators in sync, [\\d.]+ ms p50\\.`)
          : new RegExp(`^${name}: `),
      ),
    ])
    expect(await page.content()).toContain('http-equiv="refresh"')
  })
})

test('heads are refreshed automatically', async ({ page, apps }) => {
  await page.goto(await apps.url('node'))
  const head = card(page, another.id).getByTestId('head')
  const first = await head.textContent()
  await expect(head).not.toHaveText(first ?? '')
})

test('the table of nodes refreshes itself until it is paused', async ({ page, apps }) => {
  const origin = await apps.url('node')
  const seen = watch(page, new URL(origin).origin)
  await page.goto(`${origin}/status`)
  const region = page.getByRole('region', { name: initial.name }).first()
  const head = region.locator('dd').first()
  const first = await head.textContent()
  await expect(head).not.toHaveText(first ?? '')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused')).toBeVisible()
  expect(seen.complaints).toEqual([])
})

/** `/status` is refreshed so often, milliseconds. */
const refreshMs = 4000

test('the table of nodes stays while its server is away, and is refreshed when it is back', async ({
  page,
  context,
  apps,
}) => {
  await page.clock.install()
  await page.goto(`${await apps.url('node')}/status`)
  const head = page.getByRole('region', { name: initial.name }).first().locator('dd').first()
  const comesNext = async (text: string | null) => {
    await page.clock.runFor(refreshMs)
    await expect(head).not.toHaveText(text ?? '')
  }
  // It has its scripts, and can do without its server.
  await comesNext(await head.textContent())
  const everything = '**/*'
  const ways = [
    [() => context.setOffline(true), () => context.setOffline(false)],
    // A proxy's own answer while nothing is behind it.
    [
      () => page.route(everything, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' })),
      () => page.unroute(everything),
    ],
  ] as const
  for (const [goAway, comeBack] of ways) {
    await goAway()
    await page.clock.runFor(refreshMs)
    await expect(page.getByText(statusTexts.unreachable)).toBeVisible()
    const last = await head.textContent()
    await comeBack()
    await page.clock.runFor(refreshMs)
    await expect(page.getByText(statusTexts.refreshes)).toBeVisible()
    await comesNext(last)
  }
})

test('an unknown page has its own not-found page', async ({ page, apps }) => {
  const response = await page.goto(`${await apps.url('node')}/nope`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(site.claim)
})

for (const [motion, moves] of [
  ['reduce', false],
  ['no-preference', true],
] as const) {
  test(`with ${motion} for motion ${moves ? 'the page and its windows move' : 'nothing moves, in the page or its windows'}`, async ({
    page,
    apps,
  }) => {
    await page.emulateMedia({ reducedMotion: motion })
    await page.goto(await apps.url('node'))
    const started = await page.evaluateHandle(() => {
      const names = new Set<string>()
      addEventListener('animationstart', ({ animationName }) => names.add(animationName), true)
      addEventListener('transitionstart', ({ propertyName }) => names.add(propertyName), true)
      for (const { id, effect } of document.getAnimations()) names.add(id || String(effect))
      return names
    })
    await openConnect(page)
    await page.getByRole('button', { name: 'Demo Wallet' }).hover()
    if (moves) await expect.poll(() => started.evaluate(({ size }) => size)).toBeGreaterThan(1)
    else expect(await started.evaluate((names) => [...names])).toEqual([])
  })
}

test.describe('an operator’s own deployment', () => {
  const env = { OPERATOR_TOKEN: 'a-token-of-many-characters' }

  test('shows the health publicly, but not the nodes, and has a plain login form', async ({ page, apps }) => {
    await page.goto(`${await apps.url('plain', env)}/status`)
    await expect(page.locator('main').getByText('are for operators')).toBeVisible()
    await expect(page.getByRole('heading', { name: initial.name })).toBeVisible()
    await expect(page.getByText(/operators would have to tell the same lie/).first()).toBeVisible()
    expect(await page.content()).not.toContain('honest-a')
    await page.getByLabel('Operator token').fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'not the right one' })).toBeVisible()
    await expectAccessible(page)
  })

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without', () => {
      test.use({ javaScriptEnabled })

      test('logs the operator out, and the back button shows nothing', async ({ page, context, apps }) => {
        await page.goto(`${await apps.url('plain', env)}/status`)
        await page.getByLabel('Operator token').fill(env.OPERATOR_TOKEN)
        await page.getByRole('button', { name: 'Log in' }).click()
        await expect(page.getByRole('rowheader', { name: 'honest-a' }).first()).toBeVisible()
        await page.getByRole('button', { name: 'Log out' }).click()
        await expect(page.getByLabel('Operator token')).toBeVisible()
        expect(await context.cookies()).toEqual([])
        await page.goBack()
        await expect(page.getByLabel('Operator token')).toBeVisible()
        await expect(page.getByRole('rowheader', { name: 'honest-a' })).toHaveCount(0)
      })
    })
  }
})
