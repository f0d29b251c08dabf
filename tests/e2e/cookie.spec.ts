import { site } from '#site'
import { initial } from './support/chains.ts'
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

test('an invalid cookie of ours is expired by the page, without a warning', async ({
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
