import type { Page } from '@playwright/test'
import { toHex } from 'viem'
import { openMark } from '../../app/_ui/use-back-to-close.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { another, initial } from './support/chains.ts'
import {
  acceptDanger,
  confirmAndClose,
  dialog,
  dismiss,
  draft,
  draftToReview,
  phase,
  send,
  sendToPool,
  toReview,
} from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import { expect, expectAccessible, other, test } from './support/test.ts'
import { otherTestAccount, testAccount } from './support/test-wallet.ts'
import { connectTest } from './support/visitor.ts'

test('a transaction that the wallet refuses leaves the review as it was, with the reason', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await draftToReview(page, other, '0.1')
  for (const [method, code, message, sentence] of [
    ['eth_sendTransaction', 4001, 'User rejected the request.', 'You rejected the request in your wallet.'],
    ['eth_chainId', 4900, 'disconnected', 'Your wallet is not connected to this network.'],
  ] as const) {
    wallet.refuse(method, { code, message })
    await page.getByRole('button', { name: 'Confirm in wallet' }).click()
    await expect(
      dialog(page)
        .getByRole('alert')
        .filter({ hasText: `${sentence} Nothing was sent.` }),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
    await expectAccessible(page)
    wallet.refuse(method, null)
  }
})

test('what the wallet may have sent is not sent again without another look, and is let go of on request', async ({
  page,
  visit,
}) => {
  await page.clock.install()
  const wallet = await visit()
  await connectTest(page)
  const confirm = page.getByRole('button', { name: 'Confirm in wallet' })
  const maybeSent = dialog(page).getByRole('alert').filter({ hasText: 'It is not known whether it was sent' })
  await draftToReview(page, other, '0.1')
  wallet.refuse('eth_sendTransaction', { code: -32010, message: 'failed to meet quorum' })
  await confirm.click()
  await expect(maybeSent).toBeVisible()
  await expect(confirm).toHaveCount(0)
  expect(wallet.asked.filter((method) => method.includes('send'))).toEqual(['eth_sendTransaction'])

  const earlier = dialog(page).getByText(
    `Your wallet was asked to send 0.1 ${initial.symbol} to 0x70…79C8; it is not known`,
  )
  const looked = page.getByRole('button', { name: 'I have looked: send this too' })
  await page.getByRole('button', { name: 'Review again' }).click()
  await expect(earlier).toHaveCount(1)
  await expectAccessible(page)
  await looked.click()
  wallet.refuse('eth_sendTransaction', null)
  wallet.answer('eth_sendTransaction', null)
  await confirm.click()
  await expect(maybeSent).toBeVisible()

  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(earlier).toHaveCount(2)
  await looked.click()
  wallet.answer('eth_sendTransaction', `0x${'ab'.repeat(32)}`)
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
  await dismiss(page)
  const forget = page.getByRole('button', { name: 'Disconnect and forget' })
  for (const _ of ['the first', 'the second']) {
    await page.getByRole('button', { name: 'It was not sent' }).first().click()
    await expect(forget).toBeFocused()
  }
  await page.clock.fastForward(60_000)
  await page.getByRole('button', { name: 'Stop tracking' }).click()
  await expect(forget).toBeFocused()
  await expect(page.getByRole('listitem').filter({ hasText: `Send 0.1 ${initial.symbol}` })).toContainText(
    'No longer tracked',
  )
})

test('a page that is reloaded while the wallet’s prompt is open finds what was confirmed then', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await draftToReview(page, other, '2')
  const confirmLate = wallet.hold('eth_sendTransaction')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect.poll(() => wallet.asked).toContain('eth_sendTransaction')
  await page.reload()
  const item = page.getByRole('listitem').filter({ hasText: `2 ${initial.symbol} to 0x70…79C8` })
  await expect(item).toContainText(
    `Your wallet was asked to send 2 ${initial.symbol} to 0x70…79C8; it is not known whether it was sent.`,
  )
  await expectAccessible(page)
  confirmLate()
  await expect(item).toContainText(
    new RegExp(`Send 2 ${initial.symbol} to .*(of ${initial.confirmations} confirmations|Confirmed)`),
  )
  await expect(item).toHaveCount(1)
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('')
})

test('what the wallet changed, or cancelled, while no node could say so is found by the account’s nonce', async ({
  page,
  visitConnected,
  apps,
}) => {
  const chainUrl = apps.chainUrl(another.id)
  const wallet = await visitConnected({ chainId: another.id })
  const item = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await draftToReview(page, other, '2')
  wallet.edit({ value: '0x1bc16d674ec80001' })
  const confirmLate = wallet.hold('eth_sendTransaction')
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect.poll(() => wallet.asked).toContain('eth_sendTransaction')
  await page.reload()
  const asked = item(`asked to send 2 ${another.symbol} to 0x70…79C8; it is not known`)
  await expect(asked).toBeVisible()
  confirmLate()
  const instead = `Since then your account has sent something else: send 2.000000000000000001 ${another.symbol} to 0x70…79C8.`
  await expect(asked).toContainText(instead)
  await expectAccessible(page)
  await draft(page, other, '0.3')
  await expect(dialog(page)).toContainText(instead)
  await page.getByRole('button', { name: 'I have looked: send this too' }).click()

  // Sent in private: no node ever shows this hash.
  wallet.answer('eth_sendTransaction', `0x${'ab'.repeat(32)}`)
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
  await dismiss(page)
  await page.getByRole('button', { name: 'It was not sent' }).click()
  await expect(item(`Send 0.3 ${another.symbol}`)).toContainText('Pending')
  await callNode(chainUrl, 'eth_sendTransaction', [{ from: testAccount, to: testAccount, value: '0x0' }])
  await expect(item(`Send 0.3 ${another.symbol}`)).toContainText('Cancelled in your wallet')
})

test('a payment that is confirmed after its window was closed is not in the form again, a rejected one is', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  const open = () => page.getByRole('button', { name: 'Send', exact: true }).click()
  const amount = page.getByLabel('Amount')
  await draftToReview(page, other, '0.013')
  wallet.refuse('eth_sendTransaction', { code: 4001, message: 'User rejected the request.' })
  const reject = await confirmAndClose(page, wallet)
  reject()
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await open()
  await expect(amount).toHaveValue('0.013')
  await toReview(page)
  wallet.refuse('eth_sendTransaction', null)
  const send = await confirmAndClose(page, wallet)
  send()
  await expect(page.getByRole('listitem').filter({ hasText: `Send 0.013 ${initial.symbol}` })).toContainText(
    new RegExp(`of ${initial.confirmations} confirmations|Confirmed`),
  )
  await open()
  await expect(amount).toHaveValue('')
})

test('a prompt that is left open is named by the next review, and a rejection takes it away', async ({
  page,
  context,
  plain,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await draftToReview(page, other, '2')
  const answer = await confirmAndClose(page, wallet)
  await draft(page, other, '2')
  const warning = dialog(page).getByText('confirming now may pay twice')
  const confirm = page.getByRole('button', { name: 'Confirm in wallet' })
  await expect(warning).toBeVisible()
  await expect(confirm).toHaveCount(0)
  await page.getByRole('button', { name: 'I have looked: send this too' }).click()
  await expect(confirm).toBeEnabled()
  // Another tab asks the wallet for one more, and takes it back.
  const second = await context.newPage()
  await second.goto(`${plain}/manifest.json`)
  const store = (hashes: readonly string[]) =>
    second.evaluate((all) => {
      const [record] = JSON.parse(localStorage.getItem('quorate.transactions') ?? '[]')
      const records = all.map((hash) => ({ ...record, hash: hash || record.hash }))
      localStorage.setItem('quorate.transactions', JSON.stringify(records))
    }, hashes)
  await store(['', `0x${'ab'.repeat(32)}`])
  await expect(warning).toHaveCount(2)
  await expect(confirm).toHaveCount(0)
  await store([''])
  await expect(warning).toHaveCount(1)
  await second.close()
  wallet.refuse('eth_sendTransaction', { code: 4001, message: 'User rejected the request.' })
  answer()
  await expect(warning).toHaveCount(0)
  await expect(confirm).toBeEnabled()
  await dismiss(page)
  await expect(page.getByText('No transactions yet')).toBeVisible()
})

test('what the wallet speeds up, cancels or replaces is confirmed, cancelled or replaced', async ({
  page,
  visitConnected,
  apps,
}) => {
  const wallet = await visitConnected({ chainId: another.id })
  for (const [amount, change, shown] of [
    ['0.011', {}, 'Confirmed; your wallet sped it up'],
    ['0.012', { to: testAccount, value: '0x0' }, 'Cancelled in your wallet'],
    ['0.014', { value: '0x7' }, /Replaced by 0x[0-9a-f]{8}…[0-9a-f]{8}/],
  ] as const) {
    // The first transaction waits in the pool, until the wallet sends another one with its nonce.
    const mine = await sendToPool(page, { chainUrl: apps.chainUrl(another.id), to: other, amount })
    await expect(dialog(page).getByText('Waiting to be included in a block')).toBeVisible()
    await wallet.replaceLast(change)
    await mine()
    const item = page.getByRole('listitem').filter({ hasText: `Send ${amount} ${another.symbol}` })
    await dismiss(page)
    await expect(item).toContainText(shown)
    await expectAccessible(page)
  }
})

test('a private transaction that the wallet speeds up in public is confirmed', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected({ chainId: another.id })
  wallet.sendPrivately()
  await send(page, other, '0.015')
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
  await dismiss(page)
  await wallet.replaceLast({})
  await expect(page.getByRole('listitem').filter({ hasText: `Send 0.015 ${another.symbol}` })).toContainText(
    'Confirmed; your wallet sped it up',
  )
})

/** What tells the fee: of the network itself, or of the layer 1 behind it. */
const oracle = '0x420000000000000000000000000000000000000F'
const prices = {
  network: ({ method }: Call) => method === 'eth_gasPrice',
  'layer 1': ({ method, params }: Call) =>
    method === 'eth_call' && JSON.stringify(params).toLowerCase().includes(oracle.toLowerCase()),
} as const
interface Call {
  readonly id: number
  readonly method: string
  readonly params: unknown
}

/** Lets the fee of the initial network rise once the returned function is called, and reviews again. The page has its clock installed. */
async function raiseFeeLater(
  page: Page,
  layer: keyof typeof prices = 'network',
): Promise<() => Promise<void>> {
  let isDear = false
  await page.route(new RegExp(`/api/rpc/${initial.id}$`), async (route) => {
    const response = await route.fetch()
    const replies = (await response.json()) as object
    const calls = [route.request().postDataJSON() as Call | readonly Call[]].flat()
    const result = toHex(10n ** 12n, layer === 'network' ? {} : { size: 32 })
    const dear = calls.filter((call) => isDear && prices[layer](call))
    const json = [replies]
      .flat()
      .map((reply: { id?: number }) =>
        dear.some(({ id }) => id === reply.id) ? { ...reply, result } : reply,
      )
    await route.fulfill({ response, json: Array.isArray(replies) ? json : json[0] })
  })
  return async () => {
    isDear = true
    await page.clock.runFor(10_000)
    await expect(dialog(page).getByText('The network fee has risen')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Review again' }).click()
  }
}

test('a fee that has risen since the review is reviewed again, and consent to a danger given again', async ({
  page,
  visitConnected,
}) => {
  await page.clock.install()
  await visitConnected()
  const raiseFee = await raiseFeeLater(page)
  await draftToReview(page, '0x000000000000000000000000000000000000dEaD', '0.1')
  await acceptDanger(page)
  await raiseFee()
  await acceptDanger(page)
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
})

for (const layer of ['network', 'layer 1'] as const)
  test(`everything is less when the fee of the ${layer} has risen since the review, and not too much`, async ({
    page,
    visitConnected,
  }) => {
    await page.clock.install()
    await visitConnected()
    const raiseFee = await raiseFeeLater(page, layer)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(otherTestAccount)
    await page.getByRole('button', { name: 'Max' }).click()
    await expect(page.getByLabel('Amount')).toHaveValue(/^\d+\.\d{6,}$/)
    await toReview(page)
    const amount = dialog(page)
      .getByText(new RegExp(`^[\\d,.]+ ${initial.symbol}$`))
      .first()
    const coins = async () => Number.parseFloat((await amount.textContent())?.replaceAll(',', '') ?? '')
    const before = await coins()
    await raiseFee()
    await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeEnabled()
    expect(await coins()).toBeLessThan(before)
  })

test('the review shows the exact amount, sender and recipient, which the wallet is asked to sign', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await draft(page, other, '1,000')
  await expect(dialog(page).getByRole('alert').filter({ hasText: 'can be read in two ways' })).toBeVisible()
  await page.getByLabel('Amount').fill('1.000000999999999999')
  await toReview(page)
  await expect(dialog(page).getByText(`1.000000999999999999 ${initial.symbol}`)).toBeVisible()
  await expect(dialog(page).getByText(`From${testAccount}`)).toBeVisible()
  await expect(dialog(page).getByText(`To${other}`)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  // A fast chain may have confirmed it already.
  await expect(page.getByRole('heading', { name: /On its way|Confirmed/ })).toBeVisible()
  const asked = wallet.requests.find(({ method }) => method === 'eth_sendTransaction')
  expect(asked?.params).toMatchObject([
    {
      from: expect.stringMatching(new RegExp(`^${testAccount}$`, 'i')),
      to: other,
      value: toHex(1_000_000_999_999_999_999n),
      gas: '0x5208',
    },
  ])
})

test('when the wallet switches to another account, the review goes back to the form', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  await draftToReview(page, other, '0.1')
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toBeVisible()
  await wallet.setAccounts([otherTestAccount, testAccount])
  await expect(
    dialog(page).getByRole('alert').filter({ hasText: 'switched to another account' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm in wallet' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(dialog(page).getByText(`From${otherTestAccount}`)).toBeVisible()
})

test('what is sent in one tab is seen in the other, and both go on', async ({
  page,
  context,
  plain,
  visitConnected,
}) => {
  await visitConnected()
  const second = await context.newPage()
  await second.goto(plain)
  await phase(second, 'connected').waitFor()
  await expect(second.getByText('No transactions yet')).toBeVisible()
  const deep = `of ${initial.confirmations} confirmations`
  for (const [tab, amount] of [
    [page, '0.011'],
    [second, '0.012'],
  ] as const) {
    await draftToReview(tab, other, amount)
    await tab.getByRole('button', { name: 'Confirm in wallet' }).click()
    // Once it is in a block, the next nonce of the wallet is certain.
    await expect(dialog(tab).getByText(new RegExp(`${deep}|^Included in block`))).toBeVisible()
    await dismiss(tab)
  }
  for (const tab of [page, second]) {
    for (const amount of ['0.011', '0.012']) {
      const item = tab.getByRole('listitem').filter({ hasText: `Send ${amount} ${initial.symbol}` })
      await expect(item).toContainText(new RegExp(`${deep}|Confirmed`))
    }
  }
})

test('everything is sent by Max: the balance without the highest fee, as the review shows', async ({
  page,
  visitConnected,
}) => {
  await visitConnected()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(otherTestAccount)
  await page.getByRole('button', { name: 'Max' }).click()
  const amount = page.getByLabel('Amount')
  await expect(amount).toHaveValue(/^\d+\.\d{6,}$/)
  await toReview(page)
  // What the fee may have fallen by since is what is left.
  await expect(dialog(page)).toContainText(
    new RegExp(`You will haveAt least (0|<0\\.000001|0\\.0\\d+) ${initial.symbol}`),
  )
  await page.getByRole('button', { name: 'Back' }).click()
  await amount.fill('1')
  await toReview(page)
  await expect(dialog(page).getByText(`1 ${initial.symbol}`, { exact: true })).toBeVisible()
})

test('what is typed while the nodes are read stays, and nothing older is reviewed', async ({
  page,
  visitConnected,
}) => {
  const wallet = await visitConnected()
  const hold = () => holdRequests(page, /\/api\/rpc\/\d+$/)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const [to, amount] = [page.getByRole('textbox', { name: 'To', exact: true }), page.getByLabel('Amount')]
  const max = page.getByRole('button', { name: 'Max' })
  const pressMax = async (meanwhile: () => Promise<void>) => {
    const release = await hold()
    await max.click()
    await expect(max).toHaveAttribute('aria-busy', 'true')
    await meanwhile()
    release()
    await expect(max).toHaveAttribute('aria-busy', 'false')
  }
  await to.fill(otherTestAccount)
  await pressMax(() => to.fill(other))
  await expect(amount).toHaveValue(/^\d+\.\d{6,}$/)
  await expect(to).toHaveValue(other)
  const network = page.getByRole('radio', { name: another.name })
  await pressMax(() => network.check())
  await expect(network).toBeChecked()

  await amount.fill('1')
  const release = await hold()
  await page.getByRole('button', { name: 'Review' }).click()
  await amount.fill('2')
  release()
  const review = page.getByRole('button', { name: 'Review', exact: true })
  await expect(review).toBeVisible()
  await expect(amount).toHaveValue('2')

  await page.getByRole('radio', { name: initial.name }).check()
  await toReview(page)
  wallet.refuse('eth_sendTransaction', { code: -32010, message: 'failed to meet quorum' })
  await page.getByRole('button', { name: 'Confirm in wallet' }).click()
  const planned = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('eth_estimateGas')),
  )
  const releaseAgain = await hold()
  await page.getByRole('button', { name: 'Review again' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await amount.fill('3')
  releaseAgain()
  await (await planned).finished()
  await review.click()
  await expect(dialog(page).getByText(`3 ${initial.symbol}`, { exact: true })).toBeVisible()
})

test('the browser’s Back closes a window and keeps the draft, on a phone too', async ({
  page,
  plain,
  visitConnected,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await visitConnected()
  await draftToReview(page, other, '0.125')
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${plain}/`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('0.125')
  await expect(page.getByRole('textbox', { name: 'To', exact: true })).toHaveValue(other)
  // Closed in another way, it leaves no entry behind.
  await dismiss(page)
  await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).not.toContain(openMark)
  // Back must close a window from its first frame on, however late its code comes.
  const isMarkedAtOnce = page.evaluate(
    (mark) =>
      new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          if (document.querySelector('[role=dialog]') === null) return
          observer.disconnect()
          resolve(history.state?.[mark])
        }).observe(document.body, { childList: true, subtree: true })
      }),
    openMark,
  )
  await page.getByRole('button', { name: 'Switch network' }).click()
  expect(await isMarkedAtOnce).toBe(true)
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${plain}/`)
})

test.describe('a visitor whose language is German', () => {
  test.use({ locale: 'de-DE' })

  test('pastes an amount as the page writes it, with its symbol', async ({ page, visitConnected }) => {
    await visitConnected()
    await draftToReview(page, other, `1.000,5 ${initial.symbol}`)
    await expect(dialog(page).getByText(`1.000,5 ${initial.symbol}`)).toBeVisible()
  })
})
