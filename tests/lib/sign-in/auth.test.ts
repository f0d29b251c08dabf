import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { type Auth, createAuth } from '#lib/sign-in/auth.ts'
import { verifyByContract } from '#lib/sign-in/contract.ts'
import {
  createMemoryStore,
  idleMsMax,
  type SessionStore,
  StoreUnavailable,
} from '#lib/sign-in/session-store.ts'
import { hostRequest } from '../../support/host-request.ts'
import { recordedLog } from '../../support/recorded-log.ts'
import { counterfactualMark, type MessageFields, messageOf, stranger, visitor } from './support.ts'

const site = 'https://app.example'
const junk = `0x${'11'.repeat(65)}` as const
const quorate = { agreed: 2, needed: 2, total: 3 }

/** What the majority answers for the code of an account and for its signature. */
const nodes =
  (call: unknown, code: unknown = { result: '0x6001' }) =>
  (method: string) =>
    method === 'eth_getCode' ? code : call
const noContract = nodes({}, { result: '0x' })
const contract = nodes({ result: '0x01' })

interface Options {
  readonly said?: (method: string) => unknown
  readonly store?: SessionStore
  readonly site?: string | null
  readonly local?: boolean
  /** The address that browsers show. */
  readonly at?: string
}

/** One site with a stopped clock, and the browser of a visitor. */
function setUp({ said = noContract, at = site, ...more }: Options = {}) {
  const clock = { ms: 1_800_000_000_000 }
  const now = () => clock.ms
  const { log, lines } = recordedLog()
  const asked: string[] = []
  const auth = createAuth({
    ...{ site, local: false, store: createMemoryStore(now), ...more },
    secret: 'a secret of thirty-two characters or more',
    chainIds: () => [1, 137],
    createCall: () => async (_, body) => {
      const calls = JSON.parse(body) as { id: number; method: string }[]
      asked.push(...calls.map(({ method }) => method))
      return JSON.stringify(calls.map(({ id, method }) => ({ id, quorate, ...(said(method) as object) })))
    },
    log,
    now,
  })
  const browser = (caller = '203.0.113.1') => createBrowser(auth, { now, at, caller })
  return { auth, clock, lines, asked, browser, ...browser() }
}

/** Who is signed in with these cookies; null for nobody. */
async function accountOf(auth: Auth, cookie: string): Promise<string | null> {
  const asked = hostRequest({ path: '/api/auth/session', secure: true, headers: { cookie } })
  return JSON.parse(String((await auth.answer(asked)).body)).address
}

/** The browser of a visitor, with its cookies. */
function createBrowser(auth: Auth, { now, at, caller }: { now: () => number; at: string; caller: string }) {
  const { host, protocol } = new URL(at)
  const jar = new Map<string, string>()
  async function ask(
    method: string,
    target: string,
    body?: unknown,
    more?: Parameters<typeof hostRequest>[0],
  ) {
    const [path, query = ''] = target.split('?')
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answered = await auth.answer(
      hostRequest({
        ...{ method, path: `/api/auth/${path}`, query, secure: protocol === 'https:', caller },
        headers: { 'content-type': 'application/json', cookie, origin: at, host },
        text: body === undefined ? '' : JSON.stringify(body),
        ...more,
      }),
    )
    const set = answered.headers['set-cookie']
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set ?? '') ?? []
    if (set !== undefined && value === '') jar.delete(name)
    else if (set !== undefined) jar.set(name, value)
    const said = answered.body === '' ? null : JSON.parse(String(answered.body))
    return { ...answered, set, said, outcome: [answered.status, said?.reason] }
  }
  const nonce = async () => (await ask('POST', 'nonce')).said.nonce as string
  async function signed(fields: Partial<MessageFields> = {}, sign = visitor) {
    const given = fields.nonce ?? (await nonce())
    const own = { nowMs: now(), domain: host, uri: at, address: sign.address }
    const message = messageOf({ ...own, ...fields, nonce: given })
    return { message, signature: await sign.signMessage({ message }) }
  }
  const verify = (body: unknown) => ask('POST', 'verify', body)
  const signIn = async (...given: Parameters<typeof signed>) => verify(await signed(...given))
  return { ask, nonce, signed, verify, signIn, jar, session: async () => (await ask('GET', 'session')).said }
}

describe('a sign-in', () => {
  test('of an EOA needs only its signature: no node is asked', async () => {
    const { signIn, session, asked, lines } = setUp({ said: contract })
    expect(await signIn()).toMatchObject({ status: 200, said: { address: visitor.address, chainId: 137 } })
    expect(await session()).toEqual({
      address: visitor.address,
      chainId: 137,
      isContract: false,
      signedInAt: '2027-01-15T08:00:00.000Z',
      expiresAt: '2027-01-15T08:30:00.000Z',
    })
    expect(asked).toEqual([])
    expect(lines.map(({ event }) => event)).toEqual(['sign-in'])
    expect(JSON.stringify(lines)).not.toContain(visitor.address.slice(2, 12))
  })

  test('gives a cookie that no script reads, bound to this host, with nothing in it but an id', async () => {
    const { set, said } = await setUp().signIn()
    expect(set).toMatch(
      /^__Host-quorate-session=Fe26\.2[^;]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(set).not.toContain(said.address)
  })

  test('gives a new id each time and ends the session before it', async () => {
    const { signIn, jar, auth } = setUp()
    await signIn()
    const before = `__Host-quorate-session=${jar.get('__Host-quorate-session')}`
    await signIn()
    expect(jar.get('__Host-quorate-session')).not.toBe(before)
    expect(await accountOf(auth, before)).toBe(null)
  })

  test('in two tabs at once succeeds in both, and a wrong message spends the nonce of neither', async () => {
    const { nonce, signIn } = setUp()
    const nonces = [await nonce(), await nonce()]
    expect((await signIn({ nonce: 'anothernonce' })).status).toBe(401)
    for (const nonce of nonces) expect((await signIn({ nonce, domain: 'evil.example' })).status).toBe(401)
    for (const nonce of nonces) expect((await signIn({ nonce })).status).toBe(200)
  })

  test.each([
    ['', true, 200],
    [', and nowhere else', false, 403],
  ])('over http is possible on loopback in the demo%s, with the address in use', async (_, local, status) => {
    const { signIn } = setUp({ site: null, local, at: 'http://localhost:3000' })
    expect((await signIn()).status).toBe(status)
  })
})

describe('a forgery is 401, says why and starts no session:', () => {
  type Browser = ReturnType<typeof createBrowser>
  async function isRefused({ session }: Browser, answer: ReturnType<Browser['signIn']>, why: string) {
    expect((await answer).outcome).toEqual([401, why])
    expect(await session()).toEqual({ address: null })
  }

  test('a garbage signature, even if every node reports it as valid', async () => {
    const own = setUp({ said: nodes({ result: '0x01' }, { result: '0x' }) })
    await isRefused(own, own.verify({ ...(await own.signed()), signature: junk }), 'signature')
    expect(own.asked).toEqual(['eth_getCode', 'eth_call'])
  })

  test('another account’s signature', async () => {
    const own = setUp()
    await isRefused(own, own.signIn({ address: stranger.address }), 'account')
  })

  test('a nonce of another browser, or one before the last four', async () => {
    const own = setUp()
    await own.nonce()
    await isRefused(own, own.signIn({ nonce: await own.browser().nonce() }), 'nonce')
    const body = await own.signed()
    for (let tab = 0; tab < 4; tab += 1) await own.nonce()
    await isRefused(own, own.verify(body), 'nonce')
  })

  test('a message that was submitted before, with or without success', async () => {
    const own = setUp()
    const taken = await own.signed()
    expect((await own.verify(taken)).status).toBe(200)
    await own.ask('DELETE', 'session')
    await isRefused(own, own.verify(taken), 'used')
    const refused = await own.signed()
    await isRefused(own, own.verify({ ...refused, signature: junk }), 'signature')
    await isRefused(own, own.verify(refused), 'used')
  })

  test('a nonce older than ten minutes, though its cookie is still there', async () => {
    const own = setUp()
    const { said, set } = await own.ask('POST', 'nonce')
    expect(set).toContain('Max-Age=3600')
    own.clock.ms += 10 * 60_000
    await isRefused(own, own.signIn({ nonce: said.nonce }), 'expired')
  })

  test('a forged, changed, duplicated or unrelated cookie', async () => {
    const { jar, signIn, nonce, auth } = setUp()
    await nonce()
    const nonceSeal = jar.get('__Host-quorate-nonce') ?? ''
    await signIn()
    const seal = jar.get('__Host-quorate-session') ?? ''
    const name = '__Host-quorate-session'
    const changed = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`
    expect(await accountOf(auth, `${name}=${seal}`)).not.toBe(null)
    for (const cookies of [
      ...[20, 60, 100, 140].map((at) => `${name}=${changed(seal, at)}`),
      `${name}=${nonceSeal}`,
      `${name}=Fe26.2*1*a*b*c*d*e*f`,
      `${name}=${'x'.repeat(100_000)}`,
      `${name}=${seal}; ${name}=${seal}`,
      `quorate-session=${seal}`,
      '',
    ])
      expect(await accountOf(auth, cookies)).toBe(null)
  })
})

describe('a visitor who is not signed in is told why:', () => {
  test.each([-12, 12])('the clock of the device is %i minutes off', async (minutes) => {
    const { signIn, clock, lines } = setUp()
    const wrongMs = clock.ms + minutes * 60_000
    const { outcome, said } = await signIn({ issuedMs: wrongMs, expiresMs: wrongMs + 300_000 })
    expect([outcome, said.error]).toEqual([[401, 'clock'], 'not verified: issued at'])
    expect(lines[0]?.fields.reason).toBe('clock')
  })

  test('the browser blocks cookies', async () => {
    const { signIn, signed, verify, jar } = setUp()
    const body = await signed()
    jar.clear()
    expect((await verify(body)).outcome).toEqual([401, 'cookies'])
    expect((await signIn()).status).toBe(200)
  })

  test('the nodes do not agree, the site has no origin, the body is none, too many attempts', async () => {
    const ofContract = { address: stranger.address }
    expect((await setUp({ said: () => ({}) }).signIn(ofContract)).outcome).toEqual([503, 'no-majority'])
    expect((await setUp({ site: null }).signIn()).outcome).toEqual([403, 'foreign-origin'])
    const { ask } = setUp()
    expect((await ask('POST', 'verify', {})).outcome).toEqual([400, 'body'])
    for (let at = 0; at < 30; at += 1) await ask('POST', 'nonce')
    expect((await ask('POST', 'nonce')).outcome).toEqual([429, 'rate'])
  })
})

test('of a hundred simultaneous submissions of one message, one gets a session', async () => {
  const store = createMemoryStore(Date.now)
  const add = vi.spyOn(store, 'add')
  const { ask, signed } = setUp({ store })
  const body = await signed()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ask('POST', 'verify', body, { caller: `203.0.113.${index}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(add).toHaveBeenCalledTimes(1)
})

describe('a contract wallet', () => {
  test.each([
    ['is signed in when the majority reports the signature as valid', contract, 200],
    ['is refused when the signature is invalid', nodes({ result: '0x00' }), 401],
    ['is refused when it returns something else', nodes({ result: '0x' }), 401],
    ['is refused when it reverts', nodes({ error: { code: 3, message: 'execution reverted' } }), 401],
    ['is refused when the nodes do not agree', nodes({ error: { code: -32010 } }), 503],
    [
      'is refused when they do not agree on its code',
      nodes({ result: '0x01' }, { error: { code: -32010 } }),
      503,
    ],
    ['is refused when no node answers', () => undefined, 503],
    [
      'is refused when the gateway answers with less than a majority',
      nodes({ result: '0x01', quorate: { agreed: 3, needed: 1.5, total: 3 } }),
      503,
    ],
    ['is refused when the gateway reports no agreement', nodes({ result: '0x01', quorate: undefined }), 503],
  ])('%s', async (_, said, status) => {
    const { signed, verify, session } = setUp({ said })
    expect((await verify({ ...(await signed()), signature: junk })).status).toBe(status)
    expect((await session()).address).toBe(status === 200 ? visitor.address : null)
  })
})

test('a deployed wallet is verified without running the deployment call in the signature', async () => {
  const open = 'f00d'
  const call = vi.fn(async (_: number, body: string) =>
    JSON.stringify([
      { id: 0, quorate, result: '0x6001' },
      { id: 1, quorate, result: body.includes(open) ? '0x01' : '0x00' },
    ]),
  )
  const verdictOn = (signature: Hex) =>
    verifyByContract(
      { address: visitor.address, chainId: 1, digest: `0x${'00'.repeat(32)}`, signature },
      call,
    )
  const wrap = (signature: Hex) => {
    const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return `${encodeAbiParameters(parts, [stranger.address, `0x${open}`, signature])}${counterfactualMark}` as Hex
  }
  expect(await verdictOn(wrap(junk))).toBe('invalid')
  expect(call).toHaveBeenCalledTimes(2)
  expect(await verdictOn(wrap(wrap(junk)))).toBe('invalid')
  expect(call).toHaveBeenCalledTimes(3)
  expect(await verdictOn(`0x${counterfactualMark}`)).toBe('invalid')
})

describe('a session', () => {
  test('lives as long as it is used within thirty minutes', async () => {
    const { signIn, session, clock } = setUp()
    await signIn()
    for (let visits = 0; visits < 3; visits += 1) {
      clock.ms += idleMsMax - 1
      expect(await session()).toMatchObject({ address: visitor.address })
    }
    clock.ms += idleMsMax
    expect(await session()).toEqual({ address: null })
  })

  test('ends on sign-out, including copies of its cookie', async () => {
    const { signIn, ask, jar, auth } = setUp()
    await signIn()
    const copy = `__Host-quorate-session=${jar.get('__Host-quorate-session')}`
    const set = '__Host-quorate-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure'
    expect(await ask('DELETE', 'session')).toMatchObject({ status: 204, set })
    expect(await accountOf(auth, copy)).toBe(null)
    expect((await ask('DELETE', 'session')).status).toBe(204)
  })

  const ofWallet = { address: visitor.address, chainId: 137 }
  test.each([
    ['another account', {}, stranger.address],
    ['the contract wallet at the address of its key', {}, `${visitor.address}:137`],
    ['the key at the address of its contract wallet', ofWallet, visitor.address],
    ['its contract wallet on another network', ofWallet, `${visitor.address}:1`],
  ])('does not end when an older tab ends the session of %s', async (_, fields, of) => {
    const { signIn, ask, session } = setUp({ said: contract })
    await signIn(fields, 'chainId' in fields ? stranger : visitor)
    expect(await ask('DELETE', `session?of=${of}`)).toMatchObject({ status: 204, set: undefined })
    expect(await session()).toMatchObject({ address: visitor.address })
    for (const malformed of ['', '0x1', `${of}:`])
      expect((await ask('DELETE', `session?of=${malformed}`)).status).toBe(400)
    const own = `${visitor.address}${'chainId' in fields ? ':137' : ''}`.toLowerCase()
    expect((await ask('DELETE', `session?more=1&of=${own}`)).set).toContain('Max-Age=0')
    expect(await session()).toEqual({ address: null })
    expect((await ask('DELETE', `session?of=${own}`)).status).toBe(204)
  })

  test('is listed for its account, and can be ended from another browser', async () => {
    const here = setUp()
    const [there, other] = [here.browser(), here.browser()]
    await here.signIn()
    await there.signIn()
    await other.signIn({}, stranger)
    const { sessions } = (await here.ask('GET', 'sessions')).said
    expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sort()).toEqual([false, true])
    const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    expect((await other.ask('DELETE', `sessions/${id}`)).status).toBe(404)
    expect(await there.session()).toMatchObject({ address: visitor.address })
    expect((await here.ask('DELETE', `sessions/${id}`)).status).toBe(204)
    expect(await there.session()).toEqual({ address: null })
    expect(await here.session()).toMatchObject({ address: visitor.address })
  })

  test('of a contract wallet is not valid for the same address on another chain, or for its key', async () => {
    const { browser } = setUp({ said: contract })
    const [byKey, here, elsewhere] = [browser(), browser(), browser()]
    await byKey.signIn()
    await here.signIn({ address: visitor.address, chainId: 1 }, stranger)
    await elsewhere.signIn({ address: visitor.address, chainId: 137 }, stranger)
    for (const { ask } of [byKey, here, elsewhere]) {
      const { sessions } = (await ask('GET', 'sessions')).said
      expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true])
    }
  })

  test('is required to list sessions and to end one', async () => {
    const { ask } = setUp()
    expect((await ask('GET', 'sessions')).status).toBe(401)
    expect((await ask('DELETE', 'sessions/0123456789abcdef')).status).toBe(401)
  })
})

describe('requests', () => {
  test.each([
    ['POST', 'nonce'],
    ['POST', 'verify'],
    ['DELETE', 'session'],
    ['DELETE', 'sessions/0123456789abcdef'],
  ])('%s %s from a page of another site is refused', async (method, path) => {
    const { ask } = setUp()
    const origins = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const from of origins) {
      const headers = { 'content-type': 'application/json', host: 'app.example', ...from }
      expect((await ask(method, path, {}, { headers })).status).toBe(403)
    }
  })

  test.each([
    ['GET', 'nonce', 405],
    ['PUT', 'session', 405],
    ['POST', 'sessions', 405],
    ['GET', '', 404],
    ['GET', 'sessions/a/b', 404],
    ['GET', 'constructor', 404],
    ['DELETE', 'session/x', 404],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await setUp().ask(method, path)).status).toBe(status)
  })

  test('a malformed body is 400 or 415, and consumes no nonce', async () => {
    const { ask, signed, verify } = setUp()
    const { message, signature } = await signed()
    for (const body of [
      null,
      {},
      [],
      { message },
      { message, signature: '0x' },
      { message, signature: '0x123' },
      { message, signature, more: 1 },
      { message: 'x'.repeat(2049), signature },
      { message, signature: `0x${'00'.repeat(8193)}` },
    ])
      expect((await verify(body)).status).toBe(400)
    const plain = { headers: { 'content-type': 'text/plain' } }
    expect((await ask('POST', 'verify', { message, signature }, plain)).status).toBe(415)
  })

  test('a caller has thirty nonces and ten verifications a minute, independent of other callers', async () => {
    const { browser, clock } = setUp()
    const [greedy, other] = [browser('203.0.113.7'), browser('203.0.113.8')]
    const statuses = async (count: number, ask: () => Promise<{ status: number }>) =>
      (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status)
    expect(await statuses(31, () => greedy.ask('POST', 'nonce'))).toEqual([...Array(30).fill(200), 429])
    // One IPv6 /48 has 65,536 caller keys, which share the budget of eight callers.
    let host = 0
    const network = () => browser(`2001:db8:1:${(++host).toString(16)}::1`).ask('POST', 'verify', {})
    expect(await statuses(81, network)).toEqual([...Array(80).fill(400), 429])
    expect((await browser('2001:db8:2::1').ask('POST', 'verify', {})).status).toBe(400)
    const body = { message: 'x', signature: junk }
    expect(await statuses(11, () => greedy.ask('POST', 'verify', body))).toEqual([
      ...Array(10).fill(401),
      429,
    ])
    expect((await other.signIn()).status).toBe(200)
    clock.ms += 60_000
    expect((await greedy.signIn()).status).toBe(200)
  })
})

test('without the store there is no sign-in and no session, and an error is reported', async () => {
  const away = () => Promise.reject(new StoreUnavailable())
  const store = { consume: away, add: away, get: away, touch: away, end: away, of: away }
  const { ask, signIn, lines } = setUp({ store })
  const { status, set, headers } = await signIn()
  expect([status, set, headers['retry-after']]).toEqual([503, undefined, '5'])
  expect(lines.map(({ fields }) => fields.reason)).toEqual(['store'])
  expect((await ask('GET', 'session')).said).toEqual({ address: null })
})

test('a store that takes no writes, such as a full Redis, keeps nobody out who has signed in', async () => {
  const touch = () => Promise.reject(new StoreUnavailable())
  const { signIn, session, clock } = setUp({ store: { ...createMemoryStore(Date.now), touch } })
  await signIn()
  clock.ms += 2 * 60_000
  expect(await session()).toMatchObject({ address: visitor.address })
})
