import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import {
  card,
  connectDemo,
  corner,
  dialog,
  dismiss,
  draftToReview,
  phase,
  pickChain,
} from './support/demo-wallet.ts'
import { account, balanceOf, expect, hosts, shortAccount, test } from './support/test.ts'
import { countShifts, watch } from './support/witness.ts'

for (const host of hosts) {
  test(`a visitor connects, comes back, switches, sends, sees it confirmed, and leaves (${host} host)`, async ({
    page,
    context,
    apps,
  }) => {
    test.setTimeout(120_000)
    const origin = await apps.url(host)
    const seen = watch(page, new URL(origin).origin)
    const shifts = await countShifts(page)
    await page.goto(origin)
    await connectDemo(page)
    await expect(card(page, 137)).toContainText('Active')

    // The account is in the HTML itself, outside of scripts.
    const back = await page.reload()
    const html = ((await back?.text()) ?? '').replace(/<script[\s\S]*?<\/script>|<wbr\/>/g, '')
    expect(html).toContain(shortAccount)
    expect(html).toContain(account)
    await phase(page, 'connected').waitFor()
    await expect(card(page, 137).getByTestId('balance')).toHaveText(/ POL$/)
    await page.waitForResponse((response) => response.url().includes('/api/rpc/137'))
    // A figure with one more digit shifts its unit, a paint amid the HTML a little: pieces.spec. The account stays.
    const { sum, of } = await shifts()
    expect(sum, of.join('\n')).toBeLessThan(0.002)
    expect(of.filter((moved) => moved.includes('corner'))).toEqual([])

    await pickChain(page, 'Arbitrum')
    await expect(card(page, 42161)).toContainText('Active')
    await expect(dialog(page)).toHaveCount(0)

    // Opened while the list is empty, so that new entries are observed.
    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page)).toContainText(shortAccount)
    await dismiss(page)

    // A new recipient, without payments by other tests.
    const recipient = privateKeyToAddress(generatePrivateKey())
    await draftToReview(page, recipient, '1.25')
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible({ timeout: 60_000 })
    expect(await balanceOf(origin, 42161, recipient)).toBe(125n * 10n ** 16n)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('listitem').filter({ hasText: 'Send 1.25 ETH' })).toContainText('Confirmed')

    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page).getByText('Send 1.25 ETH')).toBeVisible()
    await expect(dialog(page).getByText('Confirmed')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
    await phase(page, 'none').waitFor()
    await expect(dialog(page)).toHaveCount(0)
    expect(await context.cookies()).toEqual([])

    const left = await page.reload()
    expect(await left?.text()).not.toContain(account)
    expect(seen.complaints).toEqual([])
    expect(seen.elsewhere).toEqual([])
  })
}
