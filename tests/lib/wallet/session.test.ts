import { expect, test, vi } from 'vitest'
import { hasSession, surelySignOut } from '#lib/wallet/session.ts'

test.each([
  ['at once', [204], 1, 0, 'done'],
  ['at the second attempt', [503, 204], 2, 1000, 'done'],
  ['never, and gives up after the third attempt', [], 3, 5000, 'DELETE session?of=0xA:1: 503'],
])(
  'a background sign-out of only the tab’s account succeeds %s',
  async (_, statuses, requests, ms, outcome) => {
    vi.useFakeTimers({ now: 0 })
    const rest: number[] = [...statuses]
    const fetched = vi.fn(async (..._: unknown[]) => new Response(null, { status: rest.shift() ?? 503 }))
    vi.stubGlobal('fetch', fetched)
    const done = surelySignOut('0xA:1').then(
      () => 'done',
      ({ message }: Error) => message,
    )
    await vi.runAllTimersAsync()
    const request = ['/api/auth/session?of=0xA:1', expect.objectContaining({ method: 'DELETE' })]
    expect(fetched.mock.calls).toEqual(Array(requests).fill(request))
    expect({ ms: Date.now(), outcome: await done }).toEqual({ ms, outcome })
  },
)

const ofKey = { address: '0xA', chainId: 1, isContract: false }
const ofContract = { ...ofKey, isContract: true }

test.each([
  ['the same key', ofKey, '0xA', true],
  ['the same key on another network', { ...ofKey, chainId: 2 }, '0xA', true],
  ['the same contract wallet', ofContract, '0xA:1', true],
  ['another account', { ...ofKey, address: '0xB' }, '0xA', false],
  ['the same contract wallet on another network', { ...ofContract, chainId: 2 }, '0xA:1', false],
  ['a contract wallet instead of a key', ofContract, '0xA', false],
  ['a key instead of a contract wallet', ofKey, '0xA:1', false],
  ['nobody', { address: null }, '0xA', false],
])('a tab knows whether it shows the current session: %s', async (_, now, account, isSame) => {
  vi.stubGlobal('fetch', async () => Response.json(now))
  expect(await hasSession(account)).toBe(isSame)
})
