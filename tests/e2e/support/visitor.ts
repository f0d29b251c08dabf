import { expect, type Locator, type Page } from '@playwright/test'
import { cacheKey } from '#lib/wallet/query-cache.ts'
import { initial } from './chains.ts'
import { dialog, openConnect, phase } from './demo-wallet.ts'
import { testAccount } from './test-wallet.ts'

/** The account of the test wallet as the account button shows it. */
export const shortTest = `${testAccount.slice(0, 4)}…${testAccount.slice(-4)}`

/** Connects the test wallet, which does not ask for confirmation. */
export async function connectTest(page: Page, name = 'Test Wallet'): Promise<void> {
  await openConnect(page)
  await dialog(page).getByRole('button', { name }).click()
  await phase(page, 'connected').waitFor()
}

/** Waits until React has taken over a part of the HTML: before that it hears no drag, key or event, and nothing repeats it. */
export async function waitForScripts(part: Locator): Promise<void> {
  const isLive = () =>
    part.evaluate((element) => {
      const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
      const isWhole = root?.stateNode.current.memoizedState.isDehydrated === false
      return isWhole && Object.keys(element).some((name) => name.startsWith('__reactProps$'))
    })
  await expect.poll(isLive).toBe(true)
}

/** The cookie of a returning visitor. */
export function cookieOf(origin: string, change: object = {}) {
  const value = { v: 1, address: testAccount, chainId: initial.id, connectorId: 'test.wallet', ...change }
  return { name: 'quorate-wallet', value: encodeURIComponent(JSON.stringify(value)), url: origin }
}

/** Whether the browser has the value of a figure stored, and not only that it was asked for. */
export function hasStored(page: Page, queryKey: readonly unknown[]): Promise<boolean> {
  return page.evaluate(
    ([cacheKey, wanted]) => {
      const { clientState } = JSON.parse(localStorage.getItem(cacheKey) ?? '{}')
      const queries: readonly { queryKey: unknown; state: { data: { known: unknown } } }[] =
        clientState?.queries ?? []
      return queries.some(
        ({ queryKey, state }) => JSON.stringify(queryKey) === wanted && state.data.known !== null,
      )
    },
    [cacheKey, JSON.stringify(queryKey)] as const,
  )
}
