import type { BrowserContext, Page } from '@playwright/test'
import { createPublicClient, createWalletClient, type Hex, http, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { callNode } from '../../demo/json-rpc.ts'
import { deployOddToken } from '../support/odd-tokens.ts'
import { allowanceOf, approve, catchUp } from './support/allowances.ts'
import { initial } from './support/chains.ts'
import { draftToReview, pressToReview } from './support/demo-wallet.ts'
import { type GivenCall, sendAsOne } from './support/send-as-one.ts'
import { account, expect, other, test } from './support/test.ts'
import { otherTestAccount } from './support/test-wallet.ts'

/** anvil's third account acts as a Safe: its key signs what the owners agree on. */
const owners = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
const safe = owners.address
const safeTxHash = `0x${'5a'.repeat(32)}`

/** Replies of the Safe page to each message of its protocol. */
type Answers = Readonly<Record<string, (params: never) => unknown>>

const always: Answers = {
  getSafeInfo: () => ({
    safeAddress: safe,
    chainId: initial.id,
    owners: [],
    threshold: 1,
    isReadOnly: false,
  }),
  getEnvironmentInfo: () => ({ origin: 'https://app.safe.global' }),
  getChainInfo: () => ({}),
}

/** A page at the origin of Safe that frames the app and forwards its messages. */
const hostPage = (app: string) =>
  `<!doctype html><iframe src="${app}" allow="local-network-access *; loopback-network *" width="1200" height="800"></iframe><script>
    addEventListener('message', async ({ data, source, origin }) => {
      const answer = await safeAnswer(data?.method, data?.params)
      if (answer) source.postMessage({ id: data.id, success: true, version: '9.1.0', ...answer }, origin)
    })
  </script>`

async function openInSafe(
  context: BrowserContext,
  page: Page,
  app: string,
  { answers = {}, afterMs = 0 }: { answers?: Answers; afterMs?: number } = {},
) {
  await context.grantPermissions(['local-network-access'], { origin: 'https://app.safe.global' })
  await page.exposeFunction('safeAnswer', async (method: string, params: never) => {
    const answer = { ...always, ...answers }[method]
    if (answer === undefined) return null
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    try {
      return { data: await answer(params) }
    } catch (cause) {
      // Without a code, as Safe's own.
      return { success: false, error: (cause as Error).message }
    }
  })
  await page.route('https://app.safe.global/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: hostPage(app) }),
  )
  await page.goto('https://app.safe.global/')
  return page.frameLocator('iframe')
}

/** Tries again as a visitor does, where a busy machine took longer to answer than a visitor is made to wait. */
async function connectedIn(page: Page) {
  const frame = page.frameLocator('iframe')
  const alert = frame.getByRole('alert').filter({ hasText: 'Safe did not say which account to use' })
  await page.addLocatorHandler(alert, () => alert.getByRole('button', { name: 'Try again' }).click())
  await expect(frame.locator('[data-phase="connected"]')).toBeVisible()
}

test('inside Safe the visitor is connected by itself, however late', async ({ page, context, apps }) => {
  const frame = await openInSafe(context, page, await apps.url('plain'), { afterMs: 5500 })
  await expect(frame.locator('[data-phase="connected"]')).toContainText(safe.slice(-4))
  // Safe cannot switch networks, which is shown before the visitor tries.
  await frame.getByRole('button', { name: 'Switch network' }).click()
  await expect(frame.getByRole('alert').filter({ hasText: 'does not support switching' })).toBeVisible()
  await frame.locator('body').press('Escape')

  // There is no sign-in in a frame.
  await frame.getByRole('link', { name: 'Your account' }).click()
  const step = frame.getByRole('dialog', { name: 'Verify your account' })
  await expect(step.getByText('you cannot sign in')).toBeVisible()
  await expect(step.getByRole('button', { name: 'Sign message' })).toHaveCount(0)
  await expect(step.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('target', '_blank')
})

/** A Safe that sends what it was handed when the test says so: until then it has a hash of its own for it. */
function patientSafe(app: string) {
  const transport = http(`${app}/api/rpc/${initial.id}`)
  const chain = createPublicClient({ transport })
  const sender = createWalletClient({ account: owners, transport })
  const state = { handed: [] as GivenCall[], sentAs: null as Hex | null, isRejecting: false }
  const answers: Answers = {
    sendTransactions({ txs }: { txs: readonly GivenCall[] }) {
      if (state.isRejecting) throw new Error('Transaction was rejected')
      state.handed.push(...txs)
      return { safeTxHash }
    },
    getTxBySafeTxHash: () =>
      state.sentAs === null
        ? { txStatus: 'AWAITING_CONFIRMATIONS' }
        : { txStatus: 'SUCCESS', txHash: state.sentAs },
    rpcCall: ({ params }: { params: [Hex] }) =>
      chain.request({ method: 'eth_getTransactionReceipt', params }),
  }
  return { state, answers, sender }
}

test('a transaction waits in Safe for its owners, then has its hash', async ({ page, context, apps }) => {
  const app = await apps.url('plain')
  const { state, answers, sender } = patientSafe(app)
  const frame = await openInSafe(context, page, app, { answers })
  await connectedIn(page)
  await draftToReview(frame, other, '0.125')
  // The executing owner pays the fee, so the whole balance of the Safe may be sent.
  await expect(frame.getByText('Paid by the account that executes it')).toBeVisible()
  await frame.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(frame.getByRole('heading', { name: 'In your wallet' })).toBeVisible()
  await expect(frame.getByText('It is sent once enough owners have signed it there.')).toBeVisible()
  // No chain knows Safe's own hash, so it has no explorer link.
  await expect(frame.getByText(safeTxHash.slice(0, 10))).toHaveCount(0)

  expect(state.handed.length).toBe(1)
  const { to, value = '' } = state.handed[0] as GivenCall
  expect(to.toLowerCase()).toBe(other.toLowerCase())
  const sentAs = await sender.sendTransaction({ chain: null, to, value: BigInt(value) })
  state.sentAs = sentAs
  await expect(frame.getByRole('dialog').getByText(sentAs.slice(0, 10))).toBeVisible()
  await expect(frame.getByRole('heading', { name: /On its way|Confirmed/ })).toBeVisible()
})

/** Code whose every call leaves Safe's event of an execution. */
const executionSuccess = '442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const safeCode = `0x7f${executionSuccess}60006000a100`

test('what owners signed while the page was gone is found by their Safe’s event', async ({
  page,
  context,
  apps,
}) => {
  const [app, chainUrl] = [await apps.url('plain'), apps.chainUrl(initial.id)]
  const { state, answers } = patientSafe(app)
  const sendTransactions = (given: never) => {
    answers.sendTransactions?.(given)
    return new Promise(() => {})
  }
  const frame = await openInSafe(context, page, app, { answers: { ...answers, sendTransactions } })
  await connectedIn(page)
  await draftToReview(frame, other, '0.125')
  await frame.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect.poll(() => state.handed.length).toBe(1)
  await page.reload()
  await expect(frame.getByRole('listitem').filter({ hasText: 'it is not known whether' })).toBeVisible()
  const word = (hex: string) => hex.slice(2).toLowerCase().padStart(64, '0')
  const { to, value = '0x0' } = state.handed[0] as GivenCall
  const data = `0x6a761202${word(to)}${word(toHex(BigInt(value)))}`
  await callNode(chainUrl, 'anvil_setCode', [safe, safeCode])
  await callNode(chainUrl, 'eth_sendTransaction', [{ from: account, to: safe, data }])
  await expect(frame.getByRole('listitem').filter({ hasText: 'Send 0.125' })).toContainText('Confirmed')
  await callNode(chainUrl, 'anvil_setCode', [safe, '0x'])
})

test('two approvals are revoked in one prompt of Safe, after a rejection', async ({
  page,
  context,
  apps,
}) => {
  const [app, chainUrl] = [await apps.url('plain'), apps.chainUrl(initial.id)]
  const token = await deployOddToken(chainUrl, 'none', safe)
  const approvals = ([other, otherTestAccount] as const).map((spender) => ({ owner: safe, token, spender }))
  for (const approval of approvals) await approve(chainUrl, approval, 7_000_000n)
  await catchUp(chainUrl, `${app}/api/rpc/${initial.id}`)
  const { state, answers, sender } = patientSafe(app)
  const tokenPage = `${app}/token?chain=${initial.id}&address=${token}`
  // As if it were a fork's home page: Safe may frame `/` alone.
  await page.route(tokenPage, async (route) => {
    const response = await route.fetch()
    const policy = response.headers()['content-security-policy'] ?? ''
    const framed = policy.replace("frame-ancestors 'none'", 'frame-ancestors https://app.safe.global')
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': framed } })
  })
  const frame = await openInSafe(context, page, tokenPage, { answers })
  await connectedIn(page)
  await pressToReview(frame, 'Revoke all 2 approvals')
  await expect(frame.getByRole('dialog')).toContainText('2 calls in one prompt')
  state.isRejecting = true
  await frame.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(frame.getByRole('dialog').getByRole('alert')).toContainText('Nothing was sent.')

  state.isRejecting = false
  await frame.getByRole('button', { name: 'Confirm in wallet' }).click()
  await expect(frame.getByText('It is sent once enough owners have signed it there.')).toBeVisible()
  expect(state.handed.map(({ to }) => to.toLowerCase())).toEqual([token, token])
  state.sentAs = await sendAsOne(sender, state.handed)
  await expect(frame.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  for (const approval of approvals) expect(await allowanceOf(chainUrl, approval)).toBe(0n)
})

test('inside a silent Safe there is an error, and a retry connects', async ({ page, context, apps }) => {
  let isSilent = true
  const getSafeInfo = () => (isSilent ? new Promise(() => {}) : always.getSafeInfo?.(undefined as never))
  await page.clock.install()
  const frame = await openInSafe(context, page, await apps.url('plain'), { answers: { getSafeInfo } })
  await expect(frame.locator('[data-phase="connecting"]')).toBeVisible()
  const reported = frame.getByRole('alert').filter({ hasText: 'Safe did not say which account to use' })
  // The page waits for half a minute after its code has started.
  await expect(async () => {
    await page.clock.fastForward(30_001)
    await expect(reported).toBeVisible({ timeout: 1000 })
  }).toPass()
  isSilent = false
  await reported.getByRole('button', { name: 'Try again' }).click()
  await expect(frame.locator('[data-phase="connected"]')).toContainText(safe.slice(-4))
  await expect(reported).toBeHidden()
})

test('inside a frame that is not Safe there is a page for a stranger', async ({ page, apps }) => {
  const app = await apps.url('plain')
  await page.route(`${app}/frame`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${app}" width="1200" height="800"></iframe>`,
    }),
  )
  await page.goto(`${app}/frame`)
  const frame = page.frameLocator('iframe')
  await expect(frame.locator('[data-phase="none"]')).toContainText('Connect Wallet')
  await frame.getByRole('button', { name: 'Connect Wallet' }).first().click()
  await frame.getByRole('dialog').getByRole('button', { name: 'Safe' }).click()
  await expect(frame.getByRole('alert').filter({ hasText: 'Could not load Safe information' })).toBeVisible()
})
