import { site } from '#site'
import { initial } from './support/chains.ts'
import { connectDemo } from './support/demo-wallet.ts'
import { account, expect, test } from './support/test.ts'
import { watch } from './support/witness.ts'

const good = { v: 1, address: account, chainId: initial.id, connectorId: 'io.metamask' }
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

/** Description, value, and text that must not appear in the page. What else is invalid: tests/lib/wallet/visitor.test.ts. */
const hostile: readonly (readonly [string, string, string?])[] = [
  ['junk', 'junk'],
  ['a lone percent sign', '%'],
  ['a script that ends ours', json({ ...good, connectorId: '</script><b>' }), '</script><b>'],
]

test('a visitor with an invalid cookie of ours gets a page, which expires it without a warning', async ({
  context,
  page,
  apps,
}) => {
  const origin = await apps.url('node')
  const seen = watch(page, new URL(origin).origin)
  for (const [what, value, words] of hostile) {
    await context.addCookies([{ name: 'quorate-wallet', value, url: origin }])
    const response = await page.goto(origin)
    expect(response?.status()).toBe(200)
    expect(response?.headers()['set-cookie']).toBeUndefined()
    const html = await response?.text()
    expect(html).toContain(site.claim)
    if (words) expect(html).not.toContain(words)
    await expect.poll(() => context.cookies(), what).toEqual([])
  }
  expect(seen.complaints).toEqual([])
})

test('the cookie holds one account and lasts a month', async ({ context, page, apps }) => {
  await page.goto(await apps.url('node'))
  await connectDemo(page)
  const [kept, ...more] = await context.cookies()
  expect(more).toEqual([])
  expect(kept).toMatchObject({ name: 'quorate-wallet', path: '/', sameSite: 'Lax' })
  expect(kept?.value.length).toBeLessThanOrEqual(512)
  expect(JSON.parse(decodeURIComponent(kept?.value ?? ''))).toEqual({
    v: 1,
    address: account,
    chainId: initial.id,
    connectorId: 'dev.quorate.demo',
  })
  const days = ((kept?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(29)
  expect(days).toBeLessThan(31)
})
