import type { Page, Request } from '@playwright/test'
import { encodeFunctionData, multicall3Abi, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { multicall3Address } from '../../demo/history.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { chains, initial, third } from './support/chains.ts'
import { holdRequests } from './support/hold.ts'
import { expect, expectAccessible, giveCharacter, healNodes, nodeNames, other, test } from './support/test.ts'
import { waitForScripts } from './support/visitor.ts'

/** The operator's pages: the history of each chain, node faults, one answer, and the console. */
test.afterEach(({ demoUrl }) => healNodes(demoUrl, initial.id))

const region = (page: Page) => page.getByRole('region', { name: initial.name, exact: true })
const row = (page: Page, node: string) =>
  region(page)
    .getByRole('region', { name: `Nodes of ${initial.name}` })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: node }) })

/** A test before may have changed the state of a block while nodes were asked about it. */
const honest = /voting|disagrees/

/** Different calls, so that none is answered from the cache, of code: what it returns is never proven. */
async function askMuch(origin: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const args = [privateKeyToAddress(generatePrivateKey())] as const
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args })
    await callNode(`${origin}/api/rpc/${initial.id}`, 'eth_call', [{ to: multicall3Address, data }, 'latest'])
  }
}

test('the history of a chain, as charts and as numbers', async ({ page, demoUrl }) => {
  await askMuch(demoUrl, 8)
  await page.goto(`${demoUrl}/status`)
  const board = region(page).getByRole('figure', { name: `History of ${initial.name}` })
  await expect(board.getByText('Error budget spent')).toBeVisible()
  await board.getByText('Numbers').click()
  const numbers = board.getByRole('table').first()
  await expect(numbers.getByRole('columnheader', { name: 'honest-a' })).toBeVisible()
  // In the last row, or in the one before where a minute has begun since.
  const calls = numbers.getByRole('row').locator('td:first-of-type')
  await expect(calls.filter({ hasNotText: /^0$/ }).first()).toBeVisible()
  await expect(board.getByRole('table').last()).toContainText('first')
  const incident = page.getByRole('link', { name: 'Download incident (JSON)' })
  await expect(incident).toHaveAttribute('href', /incident/)
  await expectAccessible(page)
})

test('the page works without JavaScript', async ({ browser, demoUrl }) => {
  await askMuch(demoUrl, 1)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${demoUrl}/status`)
  await expect(row(page, 'honest-a')).toContainText(honest)
  await page.getByRole('link', { name: '1 h', exact: true }).click()
  await expect(page).toHaveURL(/last=1h/)
  await expect(page.getByRole('link', { name: '1 h', exact: true })).toHaveAttribute('aria-current', 'true')
  await context.close()
})

test('a refresh that waits for nodes leaves the page as it is', async ({ page, demoUrl }) => {
  await page.goto(`${demoUrl}/status`)
  const board = region(page).getByRole('figure', { name: `History of ${initial.name}` })
  await board.getByText('Numbers').click()
  await expect(board.getByRole('table').first()).toBeVisible()
  for (const name of nodeNames) await giveCharacter(demoUrl, initial.id, name, 'hanging')
  const isRefresh = (request: Request) => new URL(request.url()).pathname === '/status'
  await page.waitForRequest(isRefresh)
  // The next one is sent when what this one brought is on the page.
  await page.waitForRequest(isRefresh)
  await expect(board.getByRole('table').first()).toBeVisible()
})

test('what stands above the tables is apart, and on one line', async ({ page, demoUrl }) => {
  await page.goto(`${demoUrl}/status`)
  const links = page.getByRole('link', { name: 'Console' })
  await waitForScripts(links)
  const read = () =>
    links.evaluate((link) => {
      const [dot, pause] = ['[data-state]', 'button'].map((part) => link.parentElement?.querySelector(part))
      const boxes = [document.querySelector('h1'), link, dot, pause].map((part) =>
        part?.getBoundingClientRect(),
      )
      return boxes.map((box) => box?.toJSON() as DOMRect)
    })
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
  const [title, link, dot, pause] = (await read()) as [DOMRect, DOMRect, DOMRect, DOMRect]
  for (const part of [dot, pause]) expect(middle(part)).toBeCloseTo(middle(link), 0)
  expect(dot.left - link.right).toBeGreaterThanOrEqual(16)
  // Its word ends there: a button has its room around it.
  expect(pause.right).toBeCloseTo(title.right + 12, 0)
  await page.setViewportSize({ width: 390, height: 844 })
  const [phoneTitle, , phoneDot] = (await read()) as [DOMRect, DOMRect, DOMRect]
  expect(phoneDot.left).toBeCloseTo(phoneTitle.left, 0)
})

test('on a phone the page is short, and nothing is cut off at its right, opened or not', async ({
  page,
  demoUrl,
}) => {
  await giveCharacter(demoUrl, initial.id, 'honest-a', 'down')
  await askMuch(demoUrl, 8)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${demoUrl}/status`)
  const nodes = region(page).getByText(/ standing by$/)
  await expect(nodes).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2600)
  await expect(row(page, 'honest-a')).toBeHidden()

  await waitForScripts(nodes)
  await nodes.focus()
  await page.keyboard.press('Enter')
  await expect(row(page, 'honest-a')).toContainText('connection-refused')
  // It stays open while the page refreshes.
  await page.waitForResponse((response) => new URL(response.url()).pathname === '/status')
  await expect(row(page, 'honest-b')).toContainText(honest)
  await region(page).getByText('Charts').click()
  await region(page).getByText('Numbers').click()
  await expectAccessible(page)
  for (const width of [320, 360, 390, 800]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(cutOff), String(width)).toEqual([])
  }
  // Wide screens show all of it, and nothing to open.
  await page.setViewportSize({ width: 1280, height: 860 })
  await expect(nodes).toBeHidden()
  await expect(page.getByRole('region', { name: `Nodes of ${third.name}` })).toBeVisible()
})

/** What reaches beyond the right edge of the screen, scrolled into view or not. */
const cutOff = () =>
  [...document.querySelectorAll('main *')]
    .filter(
      (element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5,
    )
    .map((element) => element.outerHTML.slice(0, 80))

test('a time range is selected by links or by a drag, and has a url', async ({ page, demoUrl }) => {
  await askMuch(demoUrl, 2)
  await page.goto(`${demoUrl}/status`)
  const timeRange = page.getByRole('navigation', { name: 'Time shown' })
  await timeRange.getByRole('link', { name: 'Link to this moment' }).click()
  await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
  await expect(timeRange).toContainText('UTC')
  const held = page.url()
  await timeRange.getByRole('link', { name: 'Earlier' }).click()
  await expect(page).not.toHaveURL(held)
  await page.goto(held)

  const chart = region(page).locator('[class*="zoom"]')
  await waitForScripts(chart)
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.25, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(page).not.toHaveURL(held)
  const [from = 0, to = 0] = [...page.url().matchAll(/=(\d+)/g)].map(([, ms]) => Number(ms))
  const [start = 0, end = 0] = [...held.matchAll(/=(\d+)/g)].map(([, ms]) => Number(ms))
  expect((to - from) / (end - start)).toBeCloseTo(0.5, 1)
})

test('the scorecard compares nodes over a day, a week and a month, and says what to do about the worst', async ({
  page,
  apps,
  demoUrl,
}) => {
  // With a gateway of its own: a node that it ejects is out for a minute.
  const url = await apps.url('edge')
  // With two liars of four, the other two must agree.
  await giveCharacter(demoUrl, initial.id, 'late', 'honest')
  await giveCharacter(demoUrl, initial.id, 'honest-b', 'lying')
  // Only more than half of all weight outvotes a node: the two honest ones alone, which may be the quickest, do not.
  const protect = { 'x-quorate-protect': '1' }
  await expect(async () => {
    for (let count = 0; count < 4; count++) {
      const account = privateKeyToAddress(generatePrivateKey())
      await callNode(`${url}/api/rpc/${initial.id}`, 'eth_getBalance', [account, 'latest'], protect)
    }
    const scorecard = await (await page.request.get(`${url}/api/rpc/scorecard`)).json()
    expect(scorecard.nodes).toContainEqual(
      expect.objectContaining({ chainId: initial.id, advice: expect.objectContaining({ id: 'outvoted' }) }),
    )
  }).toPass()
  await page.goto(`${url}/status`)
  await page.getByRole('link', { name: 'Scorecard' }).click()
  const nodes = region(page).getByRole('list')
  await expect(nodes).toContainText(/was outvoted \d+ times.* on \w+day between \d+ and \d+ h/)
  await expect(nodes.getByRole('listitem')).toHaveCount(7)

  // With the keyboard alone.
  const range = page.getByRole('navigation', { name: 'Time range' })
  await waitForScripts(range)
  await range.getByRole('link', { name: '24 hours' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/last=30d/)
  await expect(range.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'true')
  await region(page).getByText('Numbers', { exact: true }).focus()
  await page.keyboard.press('Enter')
  const table = region(page)
    .getByRole('region', { name: `Numbers of ${initial.name}` })
    .getByRole('table')
  await expect(table).toContainText(/\d+ wrong/)
  await expectAccessible(page)

  for (const width of [320, 390, 800]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(cutOff), String(width)).toEqual([])
  }
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    range.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('scorecard.csv')
})

test('a node is cordoned by name and uncordoned, as a tab shows that comes to the front', async ({
  page,
  context,
  demoUrl,
}) => {
  const behind = await context.newPage()
  // It never refreshes by itself.
  await behind.addInitScript(() => {
    window.setInterval = (() => 0) as never
  })
  await behind.goto(`${demoUrl}/status`)
  await page.goto(`${demoUrl}/status`)
  await page.getByRole('button', { name: `Actions for late on ${initial.name}` }).click()
  await page.getByLabel('Your name').fill('Ana')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cordon', exact: true }).click()
  await expect(row(page, 'late')).toContainText('cordoned by Ana')
  await waitForScripts(row(behind, 'late'))
  await behind.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(row(behind, 'late')).toContainText('cordoned by Ana')
  await page.getByRole('button', { name: `Actions for late on ${initial.name}` }).click()
  await page.getByRole('button', { name: 'Uncordon', exact: true }).click()
  // It may have been overruled in earlier tests, and then its row shows that.
  await expect(row(page, 'late')).toContainText(/voting|disagrees/)
})

test('page, metrics and answers show a fault within five seconds of its first answer', async ({
  page,
  request,
  demoUrl,
}) => {
  // With two liars of four, the other two must agree.
  await giveCharacter(demoUrl, initial.id, 'late', 'honest')
  await page.goto(`${demoUrl}/status`)
  await page.getByRole('button', { name: `Actions for honest-a on ${initial.name}` }).click()
  await page.getByRole('button', { name: 'Lie', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(async () => {
    await askMuch(demoUrl, 4).catch(() => {})
    const metrics = await (await request.get(`${demoUrl}/api/rpc/metrics`)).text()
    expect(metrics).toMatch(
      new RegExp(`quorate_dissents_total\\{chain="${initial.id}",node="honest-a"\\} [1-9]`),
    )
  }).toPass()
  await expect(row(page, 'honest-a').getByRole('cell').nth(-3)).not.toHaveText('0')
  const disputes = page.getByRole('region', { name: 'Table of disputes' })
  const agreed = disputes
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: 'agreed', exact: true }) })
  const dispute = agreed.filter({ hasText: 'honest-a' }).first()
  // The first time that it disagrees there may be no agreement at all.
  await expect(async () => {
    await askMuch(demoUrl, 4).catch(() => {})
    await expect(dispute).toBeVisible({ timeout: 5000 })
  }).toPass()

  await dispute.getByRole('link').click()
  await expect(page).toHaveURL(/\/status\/answers\/[a-z0-9]+-[a-z0-9]+$/)
  await expect(page.getByRole('heading', { name: 'Timeline', level: 3 })).toBeVisible()
  await expect(page.getByText('this is the answer')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Where they differ' })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${demoUrl}/status/answers/nobody-0`)
  await expect(page.getByText('is not kept any more')).toBeVisible()
})

test('the console sends a call and shows its certificate', async ({ page, demoUrl }) => {
  await page.goto(`${demoUrl}/console`)
  await page.getByLabel('Method').selectOption('eth_getBalance')
  await page.getByRole('textbox', { name: /^account/ }).fill('nobody')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Enter an address' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^account/ })).toBeFocused()

  await page.getByRole('textbox', { name: /^account/ }).fill(other)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('"0x')
  await expect(page.getByRole('region', { name: 'What it rests on' })).toContainText(/(2 of 4|4 of 7) agree/)
  await expect(page.getByRole('region', { name: 'What it rests on' })).toContainText('honest-')
  await expectAccessible(page)

  // The url contains the call, but does not send it again.
  const asked = page.url()
  expect(decodeURIComponent(asked)).toContain(`method=eth_getBalance&params=["${other}","latest"]`)
  await page.goto(asked)
  await expect(page.getByRole('textbox', { name: /^account/ })).toHaveValue(other)
  await expect(page.getByText('Send a call to see its answer here.')).toBeVisible()
})

for (const { part, method, enter, result } of [
  {
    part: 'chosen',
    method: 'eth_blockNumber',
    enter: async (page: Page) => {
      await page.getByLabel(/^Chain/).selectOption(String(third.id))
      await page.getByLabel('Method').selectOption('eth_chainId')
    },
    result: toHex(third.id),
  },
  {
    part: 'typed',
    method: 'eth_getCode',
    enter: (page: Page) => page.getByRole('textbox', { name: /^account/ }).fill(multicall3Address),
    result: '0x6080',
  },
])
  test(`what is ${part} before the scripts of the console run is sent`, async ({ page, demoUrl }) => {
    const release = await holdRequests(page, '**/_next/static/**/*.js')
    await page.goto(`${demoUrl}/console?method=${method}`, { waitUntil: 'commit' })
    await enter(page)
    release()
    await waitForScripts(page.getByLabel('Method'))
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('region', { name: 'Answer' })).toContainText(`"${result}`)
  })

test('the console shows errors and local answers, and fits a phone', async ({ page, demoUrl }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${demoUrl}/console`)
  await page.getByLabel('Method').selectOption('eth_chainId')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText(`"${toHex(chains[0]?.id ?? 0)}"`)
  await expect(page.getByText('No node was asked')).toBeVisible()
  await page.getByLabel('Method').selectOption('eth_call')
  await page.getByRole('textbox', { name: /^transaction/ }).fill('{"to": 1}')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('-32602')
  await page.getByRole('button', { name: /^eth_chainId/ }).click()
  await expect(page.getByLabel('Method')).toHaveValue('eth_chainId')
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
})
