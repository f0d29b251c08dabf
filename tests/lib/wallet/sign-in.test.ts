import { beforeEach, expect, test, vi } from 'vitest'
import { signMessage } from 'wagmi/actions'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import { signIn } from '#lib/wallet/sign-in.ts'
import { other } from './accounts.ts'

vi.mock('wagmi/actions', () => ({ signMessage: vi.fn() }))

const account = { address: other, chainId: 1, onStep: () => {} }
const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  const times = { issuedAt: '2026-01-01T00:00:00Z', expirationTime: '2026-01-01T00:05:00Z' }
  fetched.mockReset().mockImplementation(async () => Response.json({ nonce: 'a'.repeat(17), ...times }))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { host: 'example.org', origin: 'https://example.org' })
})

test.each([null, undefined, {}, 7])('a wallet that signs with %j has not signed in', async (signature) => {
  vi.mocked(signMessage).mockResolvedValue(signature as never)
  expect(await signIn({} as never, account)).toEqual({ text: signInTexts.signingFailed, isFault: true })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('two tabs that sign in at once get their nonces one after the other, and one that is held up goes on', async () => {
  let last: Promise<unknown> = Promise.resolve()
  const locks = {
    request: (_: string, { signal }: { signal: AbortSignal }, act: () => Promise<Response>) => {
      const turn = last.then(act)
      last = turn.catch(() => {})
      const isOver = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return Promise.race([turn, isOver])
    },
  }
  vi.stubGlobal('navigator', { locks })
  const overdue = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(overdue.signal)
  fetched.mockImplementation(() => new Promise(() => {}))
  for (const _ of [1, 2]) void signIn({} as never, account)
  await Promise.resolve()
  expect(fetched).toHaveBeenCalledTimes(1)
  overdue.abort(new DOMException('too late', 'TimeoutError'))
  await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(1)
})
