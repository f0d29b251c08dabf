import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { HostRequest } from '#lib/http.ts'
import type { Line } from '#lib/observe/line.ts'
import { type Auth, createAuth } from '#lib/sign-in/auth.ts'
import { verifyByContract } from '#lib/sign-in/contract.ts'
import {
  createMemoryStore,
  idleMsMax,
  type SessionStore,
  StoreUnavailable,
} from '#lib/sign-in/session-store.ts'
import { hostRequest } from '../../support/host-request.ts'
import { counterfactualMark, type MessageFields, messageOf, stranger, visitor } from './support.ts'

const site = 'https://app.example'
const json = { 'content-type': 'application/json' }
const junk = `0x${'11'.repeat(65)}` as const

interface Options {
  /** The majority answers for the code of an account and for its signature. */
  readonly said?: (method: string) => unknown
  readonly store?: SessionStore
  readonly site?: string | null
  readonly local?: boolean
}

/** One site with a stopped clock. */
function setUp({ said = () => ({}), store, local = false, ...more }: Options = {}) {
  const clock = { ms: 1_800_000_000_000 }
  const lines: Line[] = []
  const asked: string[] = []
  const auth = createAuth({
    site: more.site === undefined ? site : more.site,
    local,
    secret: 'a secret of thirty-two characters or more',
    store: store ?? createMemoryStore(() => clock.ms),
    chainIds: () => [1, 137],
    createCall: () => async (_, body) => {
      const calls = JSON.parse(body) as { id: number; method: string }[]
      asked.push(...calls.map(({ method }) => method))
      const quorate = { agreed: 2, needed: 2, total: 3 }
      return JSON.stringify(calls.map(({ id, method }) => ({ id, quorate, ...(said(method) as object) })))
    },
    log: { isOn: () => true, write: (line) => lines.push(line) },
    now: () => clock.ms,
  })
  return { auth, clock, lines, asked, browser: (caller?: string) => createBrowser(auth, clock, caller) }
}

/** Who is signed in with these cookies; null for nobody. */
async function accountOf(auth: Auth, cookie: string): Promise<string | null> {
  const asked = hostRequest({ path: '/api/auth/session', secure: true, headers: { cookie } })
  return JSON.parse(String((await auth.answer(asked)).body)).address
}

/** The browser of a visitor, with its cookies. */
function createBrowser(auth: ReturnType<typeof createAuth>, clock: { ms: number }, caller = '203.0.113.1') {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function ask(method: string, target: string, body?: unknown, more: Partial<HostRequest> = {}) {
    const [path, query = ''] = target.split('?')
    const headers = { ...json, cookie: cookie(), origin: site, host: 'app.example' }
    const answered = await auth.answer(
      hostRequest({
        method,
        path: `/api/auth/${path}`,
        query,
        secure: true,
        caller,
        headers,
        text: body === undefined ? '' : JSON.stringify(body),
        ...more,
      }),
    )
    const set = answered.headers['set-cookie']
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set ?? '') ?? []
    if (set !== undefined && value === '') jar.delete(name)
    else if (set !== undefined) jar.set(name, value)
    return { ...answered, set, said: answered.body === '' ? null : JSON.parse(String(answered.body)) }
  }
  const nonce = async () => (await ask('POST', 'nonce')).said.nonce as string
  async function signed(fields: Partial<MessageFields> = {}, sign = visitor) {
    const given = fields.nonce ?? (await nonce())
    const message = messageOf({ nowMs: clock.ms, address: sign.address, ...fields, nonce: given })
    return { message, signature: await sign.signMessage({ message }) }
  }
  const verify = (body: unknown) => ask('POST', 'verify', body)
  const signIn = async (...given: Parameters<typeof signed>) => verify(await signed(...given))
  return { ask, nonce, signed, verify, signIn, jar, session: async () => (await ask('GET', 'session')).said }
}

describe('a sign-in', () => {
  test('of an EOA needs only its signature: no node is asked', async () => {
    const { browser, asked, lines } = setUp({ said: () => ({ result: '0x01' }) })
    const { signIn, session } = browser()
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
    const { browser } = setUp()
    const { set, said } = await browser().signIn()
    expect(set).toMatch(
      /^__Host-quorate-session=Fe26\.2[^;]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(set).not.toContain(said.address)
  })

  test('gives a new id each time and ends the session before it', async () => {
    const { browser, auth } = setUp()
    const { signIn, jar } = browser()
    await signIn()
    const before = `__Host-quorate-session=${jar.get('__Host-quorate-session')}`
    await signIn()
    expect(jar.get('__Host-quorate-session')).not.toBe(before)
    expect(await accountOf(auth, before)).toBe(null)
  })

  test('in two tabs at once succeeds in both, and a wrong message spends the nonce of neither', async () => {
    const { nonce, signIn } = setUp({ said: () => ({ result: '0x' }) }).browser()
    const nonces = [await nonce(), await nonce()]
    expect((await signIn({ nonce: 'anothernonce' })).status).toBe(401)
    for (const nonce of nonces) expect((await signIn({ nonce, domain: 'evil.example' })).status).toBe(401)
    for (const nonce of nonces) expect((await signIn({ nonce })).status).toBe(200)
  })

  test('over http is possible only on loopback and in the demo, with the address in use', async () => {
    const headers = { host: 'localhost:3000', origin: 'http://localhost:3000' }
    const plain = { secure: false, headers: { ...json, ...headers } }
    for (const [local, status] of [
      [true, 200],
      [false, 403],
    ] as const) {
      const { auth, clock } = setUp({ site: null, local })
      const { ask } = createBrowser(auth, clock)
      const { said, set } = await ask('POST', 'nonce', undefined, plain)
      const fields = { domain: 'localhost:3000', uri: 'http://localhost:3000' }
      const message = messageOf({ nowMs: clock.ms, nonce: said.nonce, ...fields })
      const body = { message, signature: await visitor.signMessage({ message }) }
      const cookie = set?.split(';')[0] ?? ''
      const sent = { ...plain, headers: { ...plain.headers, cookie } }
      expect((await ask('POST', 'verify', body, sent)).status).toBe(status)
    }
  })
})

describe('a forgery is 401, says why and starts no session:', () => {
  type Browser = ReturnType<typeof createBrowser>
  async function isRefused({ session }: Browser, answer: ReturnType<Browser['signIn']>, why: string) {
    const { status, said } = await answer
    expect([status, said.reason]).toEqual([401, why])
    expect(await session()).toEqual({ address: null })
  }

  test('a garbage signature, even if every node reports it as valid', async () => {
    const said = (method: string) => ({ result: method === 'eth_getCode' ? '0x' : '0x01' })
    const { browser, asked } = setUp({ said })
    const own = browser()
    await isRefused(own, own.verify({ ...(await own.signed()), signature: junk }), 'signature')
    expect(asked).toEqual(['eth_getCode', 'eth_call'])
  })

  test('another account’s signature', async () => {
    const own = setUp({ said: () => ({ result: '0x' }) }).browser()
    await isRefused(own, own.signIn({ address: stranger.address }), 'account')
  })

  test('a nonce of another browser, or one before the last four', async () => {
    const { browser } = setUp()
    const [own, other] = [browser(), browser()]
    await own.nonce()
    await isRefused(own, own.signIn({ nonce: await other.nonce() }), 'nonce')
    const body = await own.signed()
    for (let tab = 0; tab < 4; tab += 1) await own.nonce()
    await isRefused(own, own.verify(body), 'nonce')
  })

  test('a message that was submitted before, with or without success', async () => {
    const own = setUp({ said: () => ({ result: '0x' }) }).browser()
    const taken = await own.signed()
    expect((await own.verify(taken)).status).toBe(200)
    await own.ask('DELETE', 'session')
    await isRefused(own, own.verify(taken), 'used')
    const refused = await own.signed()
    await isRefused(own, own.verify({ ...refused, signature: junk }), 'signature')
    await isRefused(own, own.verify(refused), 'used')
  })

  test('a nonce older than ten minutes, though its cookie is still there', async () => {
    const { browser, clock } = setUp()
    const own = browser()
    const { said, set } = await own.ask('POST', 'nonce')
    expect(set).toContain('Max-Age=3600')
    clock.ms += 10 * 60_000
    await isRefused(own, own.signIn({ nonce: said.nonce }), 'expired')
  })

  test('a forged, changed, duplicated or unrelated cookie', async () => {
    const { browser, auth } = setUp()
    const { jar, signIn, nonce } = browser()
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
  const reasonOf = ({ status, said }: { status: number; said: { reason: string } }) => [status, said.reason]

  test('the clock of the device is twelve minutes slow, or fast', async () => {
    for (const minutes of [-12, 12]) {
      const { browser, clock, lines } = setUp()
      const wrongMs = clock.ms + minutes * 60_000
      const answer = await browser().signIn({ issuedMs: wrongMs, expiresMs: wrongMs + 300_000 })
      expect(reasonOf(answer)).toEqual([401, 'clock'])
      expect(answer.said.error).toBe('not verified: issued at')
      expect(lines[0]?.fields.reason).toBe('clock')
    }
  })

  test('the browser blocks cookies', async () => {
    const { browser } = setUp()
    const { signIn, signed, verify, jar } = browser()
    const body = await signed()
    jar.clear()
    expect(reasonOf(await verify(body))).toEqual([401, 'cookies'])
    expect((await signIn()).status).toBe(200)
  })

  test('the nodes do not agree, the site has no origin, the body is none, too many attempts', async () => {
    expect(reasonOf(await setUp().browser().signIn({ address: stranger.address }))).toEqual([
      503,
      'no-majority',
    ])
    expect(reasonOf(await setUp({ site: null }).browser().signIn())).toEqual([403, 'foreign-origin'])
    const { ask } = setUp().browser()
    expect(reasonOf(await ask('POST', 'verify', {}))).toEqual([400, 'body'])
    for (let at = 0; at < 30; at += 1) await ask('POST', 'nonce')
    expect(reasonOf(await ask('POST', 'nonce'))).toEqual([429, 'rate'])
  })
})

test('of a hundred simultaneous submissions of one message, one gets a session', async () => {
  const store = createMemoryStore(Date.now)
  let added = 0
  const counting: SessionStore = {
    ...store,
    add: (session) => {
      added += 1
      return store.add(session)
    },
  }
  const { ask, signed, jar } = setUp({ store: counting }).browser()
  const body = await signed()
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      ask('POST', 'verify', body, {
        caller: `203.0.113.${index}`,
        header: (name) => ({ ...json, cookie, origin: site, host: 'app.example' })[name] ?? null,
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(added).toBe(1)
})

describe('a contract wallet', () => {
  const code = { result: '0x6001' }
  const nodes =
    (call: unknown, given: unknown = code) =>
    (method: string) =>
      method === 'eth_getCode' ? given : call

  test.each([
    ['is signed in when the majority reports the signature as valid', nodes({ result: '0x01' }), 200],
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
    const { signed, verify, session } = setUp({ said }).browser()
    expect((await verify({ ...(await signed()), signature: junk })).status).toBe(status)
    expect((await session()).address).toBe(status === 200 ? visitor.address : null)
  })
})

test('a deployed wallet is verified without running the deployment call in the signature', async () => {
  const open = 'f00d'
  const quorate = { agreed: 2, needed: 2, total: 3 }
  const asked: string[] = []
  const ask = async (_: number, body: string) => {
    asked.push(body)
    const takes = body.includes(open) ? '0x01' : '0x00'
    return JSON.stringify([
      { id: 0, quorate, result: '0x6001' },
      { id: 1, quorate, result: takes },
    ])
  }
  const claim = { address: visitor.address, chainId: 1, digest: `0x${'00'.repeat(32)}` as const }
  const wrap = (signature: Hex) => {
    const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return `${encodeAbiParameters(parts, [stranger.address, `0x${open}`, signature])}${counterfactualMark}` as Hex
  }
  expect(await verifyByContract({ ...claim, signature: wrap(junk) }, ask)).toBe('invalid')
  expect(asked).toHaveLength(2)
  expect(await verifyByContract({ ...claim, signature: wrap(wrap(junk)) }, ask)).toBe('invalid')
  expect(asked).toHaveLength(3)
  expect(await verifyByContract({ ...claim, signature: `0x${counterfactualMark}` }, ask)).toBe('invalid')
})

describe('a session', () => {
  test('lives as long as it is used within thirty minutes', async () => {
    const { browser, clock } = setUp()
    const { signIn, session } = browser()
    await signIn()
    for (let visits = 0; visits < 3; visits += 1) {
      clock.ms += idleMsMax - 1
      expect(await session()).toMatchObject({ address: visitor.address })
    }
    clock.ms += idleMsMax
    expect(await session()).toEqual({ address: null })
  })

  test('ends on sign-out, including copies of its cookie', async () => {
    const { browser, auth } = setUp()
    const { signIn, ask, jar } = browser()
    await signIn()
    const copy = `__Host-quorate-session=${jar.get('__Host-quorate-session')}`
    const { status, set } = await ask('DELETE', 'session')
    expect([status, set]).toEqual([
      204,
      '__Host-quorate-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
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
    const said = (method: string) => ({ result: method === 'eth_getCode' ? '0x6001' : '0x01' })
    const { signIn, ask, session } = setUp({ said }).browser()
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
    const { browser } = setUp()
    const [here, there, other] = [browser(), browser(), browser()]
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
    const { browser } = setUp({
      said: (method) => ({ result: method === 'eth_getCode' ? '0x6001' : '0x01' }),
    })
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
    const { browser } = setUp()
    expect((await browser().ask('GET', 'sessions')).status).toBe(401)
    expect((await browser().ask('DELETE', 'sessions/0123456789abcdef')).status).toBe(401)
  })
})

describe('requests', () => {
  test.each([
    ['POST', 'nonce'],
    ['POST', 'verify'],
    ['DELETE', 'session'],
    ['DELETE', 'sessions/0123456789abcdef'],
  ])('%s %s from a page of another site is refused', async (method, path) => {
    const { browser } = setUp()
    for (const from of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const headers: Record<string, string> = { ...json, host: 'app.example', ...from }
      const foreign = { header: (name: string) => headers[name] ?? null }
      expect((await browser().ask(method, path, {}, foreign)).status).toBe(403)
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
    expect((await setUp().browser().ask(method, path)).status).toBe(status)
  })

  test('a malformed body is 400 or 415, and consumes no nonce', async () => {
    const { browser } = setUp()
    const { signed, verify } = browser()
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
    const plain = { header: (name: string) => (name === 'content-type' ? 'text/plain' : null) }
    expect((await browser().ask('POST', 'verify', { message, signature }, plain)).status).toBe(415)
  })

  test('a caller has thirty nonces and ten verifications a minute, independent of other callers', async () => {
    const { browser, clock } = setUp()
    const [greedy, other] = [browser('203.0.113.7'), browser('203.0.113.8')]
    const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
      const all: number[] = []
      for (let at = 0; at < count; at += 1) all.push((await ask()).status)
      return all
    }
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
  const { auth, clock, lines } = setUp({
    store: { consume: away, add: away, get: away, touch: away, end: away, of: away },
  })
  const { ask, signIn } = createBrowser(auth, clock)
  const { status, set, headers } = await signIn()
  expect([status, set, headers['retry-after']]).toEqual([503, undefined, '5'])
  expect(lines.map(({ fields }) => fields.reason)).toEqual(['store'])
  expect((await ask('GET', 'session')).said).toEqual({ address: null })
})

test('a store that takes no writes, such as a full Redis, keeps nobody out who has signed in', async () => {
  const touch = () => Promise.reject(new StoreUnavailable())
  const { auth, clock } = setUp({ store: { ...createMemoryStore(Date.now), touch } })
  const { signIn, session } = createBrowser(auth, clock)
  await signIn()
  clock.ms += 2 * 60_000
  expect(await session()).toMatchObject({ address: visitor.address })
})
