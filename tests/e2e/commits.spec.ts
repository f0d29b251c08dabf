import { countCommits } from './support/commits.ts'
import { phase } from './support/demo-wallet.ts'
import { holdRequests } from './support/hold.ts'
import { code } from './support/lost-code.ts'
import { expect, test } from './support/test.ts'

/** The corner, the actions, a link of the footer and what is in them, and the provider itself. */
const rendersMax = 10

test('a returning visitor is connected by the first commit that renders', async ({
  page,
  visitConnected,
}) => {
  await visitConnected()
  const commits = await countCommits(page)
  // The wallet has answered before React runs, as one does that is awake.
  const release = await holdRequests(page, code)
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(() => Reflect.has(window, 'quorateEarlyWallet'))
  await page.evaluate(() => Promise.all(Object.values(Reflect.get(window, 'quorateEarlyWallet').answers)))
  release()
  await phase(page, 'connected').waitFor()
  const [hydration, connected] = (await commits()).filter(({ renders }) => renders > 0)
  expect(hydration?.phase).toBe('returning')
  expect(connected?.phase).toBe('connected')
  expect(connected?.renders).toBeLessThanOrEqual(rendersMax)
})
