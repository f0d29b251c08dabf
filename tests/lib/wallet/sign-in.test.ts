import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signMessage } from 'wagmi/actions'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import { signIn } from '#lib/wallet/sign-in.ts'
import { other } from './accounts.ts'

vi.mock('wagmi/actions', () => ({ signMessage: vi.fn() }))

const account = { address: other, chainId: 1, onStep: () => {} }
const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  const nonce = {
    nonce: 'a'.repeat(17),
    issuedAt: '2026-01-01T00:00:00Z',
    expirationTime: '2026-01-01T00:05:00Z',
  }
  fetched.mockReset().mockImplementation(async () => Response.json(nonce))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { host: 'example.org', origin: 'https://example.org' })
})
afterEach(() => void vi.unstubAllGlobals())

test.each([null, undefined, {}, 7])('a wallet that signs with %j has not signed in', async (signature) => {
  vi.mocked(signMessage).mockResolvedValue(signature as never)
  expect(await signIn({} as never, account)).toEqual({ text: signInTexts.signingFailed, isFault: true })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a rejection by the visitor is said, and is no fault', async () => {
  vi.mocked(signMessage).mockRejectedValue(Object.assign(new Error('User rejected'), { code: 4001 }))
  expect(await signIn({} as never, account)).toEqual({ text: signInTexts.cancelled, isFault: false })
})
