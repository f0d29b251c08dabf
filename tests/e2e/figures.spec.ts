import type { Page } from '@playwright/test'
import { another, initial, third } from './support/chains.ts'
import { card } from './support/demo-wallet.ts'
import { expect, other, test } from './support/test.ts'

test.use({ locale: 'de-DE' })

type Reply = { id: number; result?: unknown; error?: unknown }

/** Replaces the answers to balance reads of one chain. */
async function answerBalance(page: Page, chainId: number, instead: Omit<Reply, 'id'>): Promise<void> {
  await page.route(`**/api/rpc/${chainId}`, async (route) => {
    const response = await route.fetch()
    const replies = (await response.json()) as readonly Reply[]
    await route.fulfill({
      response,
      json: replies.map((balance) => ({ ...balance, result: undefined, ...instead })),
    })
  })
}

const disagreement = { code: -32010, message: 'failed to meet quorum', data: { reason: 'disagree' } }

test('figures of any size are formatted in the language of the reader', async ({ page, apps }) => {
  // The server formats them like this, before any script has run.
  const painted = page.waitForResponse((response) => response.url().includes('?address='))
  await answerBalance(page, initial.id, { result: '0x1' })
  await answerBalance(page, third.id, { result: `0x${'f'.repeat(64)}` })
  await answerBalance(page, another.id, { error: disagreement })
  await page.goto(`${await apps.url('node')}/?address=${other}`)
  expect((await (await painted).text()).replace(/<!-- -->/g, '')).toMatch(/>\d{1,3}(\.\d{3})+</)

  await expect(card(page, initial.id).getByTestId('balance')).toHaveText(`<0,000001 ${initial.symbol}`)
  const huge = card(page, third.id).getByTestId('balance')
  await expect(huge).toHaveText(new RegExp(`^115\\.792\\.089\\.(\\d{3}\\.)+\\d{3},\\d+ ${third.symbol}$`))
  const symbol = await huge.getByText(third.symbol).boundingBox()
  const box = await card(page, third.id).boundingBox()
  expect((symbol?.x ?? 0) + (symbol?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0))
  // The previous figure is still shown, so no text may say that there is none.
  await expect(card(page, another.id)).toContainText('The nodes disagree.')
  await expect(card(page, another.id)).toContainText('Last known')
  await expect(card(page, another.id).getByTestId('balance')).toHaveText(
    new RegExp(`^[\\d.]+(,\\d+)? ${another.symbol}$`),
  )
  await expect(card(page, another.id)).not.toContainText('no figure')
})
