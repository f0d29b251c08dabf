import { afterEach, expect, test, vi } from 'vitest'
import { surelySignOut } from '#lib/wallet/session.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const address = '0xA'
const ofKey = { address, chainId: 1, isContract: false }
const ofContract = { ...ofKey, isContract: true }

/** Signs out in the background, of a server that answers so: with the session, and to the end of it. Returns the methods of requests. */
async function signOut(answers: readonly (object | number)[], contractOn: number | null = null) {
  vi.useFakeTimers({ now: 0 })
  const rest = [...answers]
  const methods: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    expect(url).toBe('/api/auth/session')
    methods.push(`${method}`)
    const answer = rest.shift() ?? 503
    return typeof answer === 'number' ? new Response(null, { status: answer }) : Response.json(answer)
  })
  const outcome = surelySignOut({ address, contractOn }).then(
    () => 'done',
    ({ message }: Error) => message,
  )
  await vi.runAllTimersAsync()
  return { methods: methods.join(' '), ms: Date.now(), outcome: await outcome }
}

test.each([
  ['at once', [ofKey, 204], 'GET DELETE', 0, 'done'],
  ['at the second attempt', [ofKey, 503, ofKey, 204], 'GET DELETE GET DELETE', 1000, 'done'],
  ['never, and is given up after the third', [503, ofKey], 'GET GET DELETE GET', 5000, 'GET session: 503'],
])('a background sign-out succeeds %s', async (_, answers, methods, ms, outcome) => {
  expect(await signOut(answers)).toEqual({ methods, ms, outcome })
})

test.each([
  ['with another account', { ...ofKey, address: '0xB' }, null],
  ['with the same contract wallet on another network', { ...ofContract, chainId: 2 }, 1],
  ['with a contract wallet, where it was a key', ofContract, null],
  ['with a key, where it was a contract wallet', ofKey, 1],
  ['with none', { address: null }, null],
])(
  'a tab that was signed in before does not end the session that another tab has now: %s',
  async (_, now, on) => {
    expect(await signOut([now, 204], on)).toMatchObject({ methods: 'GET', outcome: 'done' })
    expect((await signOut([ofContract, 204], 1)).methods).toBe('GET DELETE')
  },
)
