import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { another, initial } from './support/chains.ts'
import {
  card,
  confirmDemo,
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
  test(`a visitor connects, returns, switches, sends and leaves: ${host}`, async ({
    page,
    context,
    apps,
  }) => {
    const origin = await apps.url(host)
    const seen = watch(page, new URL(origin).origin)
    const shifts = await countShifts(page)
    await page.goto(origin)
    await connectDemo(page)
    await expect(card(page, initial.id)).toContainText('Active')

    // The account is in the HTML itself, outside of scripts.
    const back = await page.reload()
    const html = ((await back?.text()) ?? '').replace(/<script[\s\S]*?<\/script>|<wbr\/>/g, '')
    expect(html).toContain(shortAccount)
    expect(html).toContain(account)
    await phase(page, 'connected').waitFor()
    await expect(card(page, initial.id).getByTestId('balance')).toHaveText(new RegExp(` ${initial.symbol}$`))
    await page.waitForResponse((response) => response.url().includes(`/api/rpc/${initial.id}`))
    // A figure with one more digit shifts its unit, a paint amid the HTML a little: pieces.spec. The account stays.
    // On a busy machine nodes are late: the block and the agreement of a card change.
    const { sum, of } = await shifts((moved) => /^#text: [\d,]+$|_(more|why): /.test(moved))
    expect(sum, of.join('\n')).toBeLessThan(0.002)
    expect(of.filter((moved) => moved.includes('corner'))).toEqual([])

    await pickChain(page, another.id)
    await expect(card(page, another.id)).toContainText('Active')
    await expect(dialog(page)).toHaveCount(0)

    // Opened while the list is empty, so that new entries are observed.
    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page)).toContainText(shortAccount)
    await dismiss(page)

    // A new recipient, without payments by other tests.
    const recipient = privateKeyToAddress(generatePrivateKey())
    await draftToReview(page, recipient, '1.25')
    await confirmDemo(page)
    expect(await balanceOf(origin, another.id, recipient)).toBe(125n * 10n ** 16n)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('listitem').filter({ hasText: `Send 1.25 ${another.symbol}` })).toContainText(
      'Confirmed',
    )

    await corner(page).getByRole('button', { name: 'Account' }).click()
    await expect(dialog(page).getByText(`Send 1.25 ${another.symbol}`)).toBeVisible()
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
