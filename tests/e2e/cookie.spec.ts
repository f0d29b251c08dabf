import { site } from '#site'
import { initial } from './support/chains.ts'
import { connectDemo } from './support/demo-wallet.ts'
import { account, expect, test } from './support/test.ts'
import { watch } from './support/witness.ts'

const ours = 'quorate-wallet'
const good = { v: 1, address: account, chainId: initial.id, connectorId: 'io.metamask' }
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) })

/** Description, value, and text that must not appear in the page. */
const hostile: readonly (readonly [string, string, string?])[] = [
  ['junk', 'junk'],
  ['a lone percent sign', '%'],
  ['half an escape', '%7B%22v%22%3A1'],
  ['wagmi’s own state', json({ state: { connections: { __type: 'Map', value: [] } }, version: 2 })],
  ['an array', json([good])],
  ['a number', '7'],
  ['null', 'null'],
  ['JSON forty levels deep', json(deep(40))],
  ['more than 512 bytes', json({ ...good, name: `${'x'.repeat(520)}.eth` }), 'xxxxxxxx'],
  ['a wrong checksum', json({ ...good, address: account.replace('f39F', 'F39f') }), 'F39f'],
  ['an unlisted wallet', json({ ...good, connectorId: 'Evil Wallet' }), 'Evil Wallet'],
  ['markup for a name', json({ ...good, name: '<script>x.eth' }), '<script>x'],
  ['a quote in a name', json({ ...good, name: '"onload=alert(1).eth' }), 'onload=alert'],
  ['a script that ends ours', json({ ...good, connectorId: '</script><b>' }), '</script><b>'],
  ['a chain as text', json({ ...good, chainId: 'constructor' })],
  ['an extra field', json({ ...good, admin: true })],
]

for (const [what, value, words] of hostile) {
  test(`gets a page with any cookie: ${what}`, async ({ request, apps }) => {
    const headers = { accept: 'text/html', cookie: `${ours}=${value}` }
    const response = await request.get(await apps.url('node'), { headers })
    expect(response.status()).toBe(200)
    expect(response.headers()['set-cookie']).toBeUndefined()
    const html = await response.text()
    expect(html).toContain(site.claim)
    expect(html).not.toContain(account)
    if (words) expect(html).not.toContain(words)
  })
}

test('expires invalid cookies with our name, without warnings', async ({ context, page, apps }) => {
  const origin = await apps.url('node')
  const seen = watch(page, new URL(origin).origin)
  // What else is invalid: tests/lib/wallet/visitor.test.ts.
  for (const [what, value] of hostile.slice(0, 3)) {
    await context.addCookies([{ name: ours, value, url: origin }])
    await page.goto(origin)
    await expect.poll(() => context.cookies(), what).toEqual([])
  }
  expect(seen.complaints).toEqual([])
})

test('gets a page with cookies of other libraries', async ({ context, page, apps }) => {
  const origin = await apps.url('node')
  const state = json({ state: { connections: { __type: 'Map', value: [['a', { accounts: [account] }]] } } })
  await context.addCookies([{ name: 'wagmi.store', value: state, url: origin }])
  const response = await page.goto(origin)
  expect(response?.status()).toBe(200)
  expect(await response?.text()).not.toContain(account)
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
