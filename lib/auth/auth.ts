import { bytesToHex } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import { parseJson } from '../json.ts'
import type { Log } from '../observe/line.ts'
import { createPseudonyms } from '../observe/pseudonym.ts'
import { judgeOrigin, siteOf } from '../origin.ts'
import { createWindowCount } from '../window-count.ts'
import { type AskMajority, type ContractVerdict, verifyByContract } from './contract.ts'
import { endedCookie, nonceMsMax, sealedCookie, unsealedCookie } from './cookies.ts'
import { type Claim, MessageFault, messageCharsMax, readMessage } from './message.ts'
import { digestOf, signerOf } from './signature.ts'
import { endMsOf, type Session, type SessionStore, StoreAway } from './store.ts'

export interface AuthOptions {
  /** APP_ORIGIN; null where it is not set: then nobody signs in, but on loopback in demo and dev. */
  readonly site: string | null
  /** Whether a loopback address stands for the site where APP_ORIGIN is not set: demo and dev. */
  readonly local: boolean
  /** Seals cookies; 32 characters or more. */
  readonly secret: string
  readonly store: SessionStore
  readonly chainIds: () => readonly number[]
  /** Asks for one caller, who pays for it. */
  readonly askFor: (caller: string | null) => AskMajority
  readonly log: Log
  readonly now: () => number
}

/** Sign-In with Ethereum: nonce, verification, sessions. The same in both hosts. */
export interface Auth {
  /** Answers everything below `/api/auth`; never throws. */
  readonly answer: (request: HostRequest) => Promise<HostResponse>
  /** The session that goes with these cookies. Throws StoreAway. */
  readonly sessionIn: (cookies: string, secure: boolean) => Promise<Session | null>
}

/** In a minute: of one caller, or of all where they cannot be told apart. */
const windowMs = 60_000
const perCallerMax = { nonce: 30, verify: 10 } as const
/** The callers of one IPv6 /48 together may do as much as so many of them: used nonces are remembered, and one network must not fill the memory. */
const networkCallersMax = 8
const perSiteMax = { nonce: 3_000, verify: 600 } as const

/** A signature of a contract wallet holds those of its owners, and before it is deployed the call that does so. */
const signatureCharsMax = 16_386
const bodyBytesMax = 24_576
const bodyMsMax = 5_000
/** A session's use is noted this often. */
const touchEveryMs = 60_000

const submission = z.strictObject({
  message: z.string().min(1).max(messageCharsMax),
  signature: z
    .string()
    .max(signatureCharsMax)
    .regex(/^0x(?:[0-9a-f]{2})+$/i),
})

export function createAuth(options: AuthOptions): Auth {
  const { site, local, secret, store, chainIds, askFor, log, now } = options
  const attempts = { nonce: createWindowCount(windowMs, now), verify: createWindowCount(windowMs, now) }
  const pseudonym = createPseudonyms()

  function tell(event: string, message: string, account: string | null, reason?: string): void {
    const fields = { account: account && pseudonym(account), ...(reason !== undefined && { reason }) }
    log.write({ level: event === 'sign-in-refused' ? 'warn' : 'info', event, message, fields })
  }

  function isTooMany(kind: keyof typeof attempts, caller: string | null): boolean {
    const { own, network, all } = attempts[kind].count(caller)
    if (own === null) return all > perSiteMax[kind]
    return own > perCallerMax[kind] || (network ?? 0) > perCallerMax[kind] * networkCallersMax
  }

  async function giveNonce({ caller, secure }: HostRequest): Promise<HostResponse> {
    if (isTooMany('nonce', caller)) return tooMany
    const nonce = random(16)
    const content = { nonce, untilMs: now() + nonceMsMax }
    return json(200, { nonce }, { 'set-cookie': await sealedCookie('nonce', content, { secret, secure }) })
  }

  async function verify(request: HostRequest): Promise<HostResponse> {
    const { caller, secure } = request
    if (isTooMany('verify', caller)) return tooMany
    const submitted = await read(request)
    if ('status' in submitted) return submitted
    const origin = siteOf(request.header('host'), { site, local })
    if (origin === null) return refuse(403, 'sign-in needs APP_ORIGIN')

    const cookies = request.header('cookie') ?? ''
    const given = await unsealedCookie('nonce', cookies, { secret, secure })
    if (given === null || given.untilMs <= now()) return refused('nonce', null)
    // Used before anything is verified: of many who submit one message at once, one comes further.
    if (!(await store.consume(given.nonce, given.untilMs))) return refused('used nonce', null)

    const expected = { origin, chainIds: chainIds(), nonce: given.nonce, nowMs: now() }
    const claim = claimIn(submitted.message, expected)
    if (typeof claim === 'string') return refused(claim, null)
    const verdict = await judge(claim, submitted, askFor(caller))
    if (verdict === 'unknown') {
      tell('sign-in-refused', 'the nodes do not agree on a signature', claim.address, 'no majority')
      return refuse(503, 'the chain does not answer for this wallet now', { 'retry-after': '5' })
    }
    if (verdict === 'invalid') return refused('signature', claim.address)
    return signIn(claim, verdict === 'contract', cookies, secure)
  }

  function refused(reason: string, account: string | null): HostResponse {
    tell('sign-in-refused', 'a sign-in was refused', account, reason)
    return refuse(401, `not verified: ${reason}`)
  }

  async function signIn(
    { address, chainId }: Claim,
    isContract: boolean,
    cookies: string,
    secure: boolean,
  ): Promise<HostResponse> {
    const before = await unsealedCookie('session', cookies, { secret, secure })
    if (before !== null) await store.end(before.id)
    const session = { id: random(32), address, chainId, isContract, signedInMs: now(), seenMs: now() }
    await store.add(session)
    tell('sign-in', 'an account signed in', address)
    const cookie = await sealedCookie('session', { id: session.id }, { secret, secure })
    return json(200, { address, chainId }, { 'set-cookie': cookie })
  }

  async function sessionIn(cookies: string, secure: boolean): Promise<Session | null> {
    const sealed = await unsealedCookie('session', cookies, { secret, secure })
    const session = sealed === null ? null : await store.get(sealed.id)
    if (session === null || now() - session.seenMs < touchEveryMs) return session
    const seen = { ...session, seenMs: now() }
    await store.touch(seen)
    return seen
  }

  async function end(own: Session | null, secure: boolean): Promise<HostResponse> {
    if (own !== null) {
      await store.end(own.id)
      tell('sign-out', 'an account signed out', own.address)
    }
    return { status: 204, headers: { 'set-cookie': endedCookie('session', secure) }, body: '' }
  }

  /** Of the account's sessions only who holds one of them may know and end one. */
  async function endOther(own: Session, name: string, secure: boolean): Promise<HostResponse> {
    const other = (await store.of(own)).find(({ id }) => nameOf(id) === name)
    if (other === undefined) return refuse(404, 'no such session')
    if (other.id === own.id) return end(own, secure)
    await store.end(other.id)
    tell('session-revoked', 'an account ended one of its sessions', own.address)
    return { status: 204, headers: {}, body: '' }
  }

  async function route(request: HostRequest): Promise<HostResponse> {
    const { method, secure } = request
    const [name = '', part, ...rest] = partsOf(request.path)
    const isRoute = rest.length === 0 && part !== ''
    const allowed = isRoute ? verbs.get(part === undefined ? name : `${name}/id`) : undefined
    if (allowed === undefined) return refuse(404, 'not found')
    if (!allowed.includes(method)) return refuse(405, 'method not allowed', { allow: allowed.join(', ') })
    if (method !== 'GET' && isForeign(request, site)) return refuse(403, 'origin not allowed')
    if (name === 'nonce') return giveNonce(request)
    if (name === 'verify') return verify(request)

    const own = await sessionIn(request.header('cookie') ?? '', secure)
    if (name === 'session') return method === 'GET' ? json(200, shown(own)) : end(own, secure)
    if (own === null) return refuse(401, 'not signed in')
    if (part !== undefined) return endOther(own, part, secure)
    const all = await store.of(own)
    return json(200, { sessions: all.map((each) => ({ id: nameOf(each.id), ...listed(each, own) })) })
  }

  return {
    sessionIn,
    async answer(request) {
      try {
        return await route(request)
      } catch (cause) {
        if (!(cause instanceof StoreAway)) throw cause
        tell('sign-in-refused', 'the session store is away', null, 'store')
        return refuse(503, 'sign-in is not available now', { 'retry-after': '5' })
      }
    },
  }
}

const verbs = new Map<string, readonly string[]>([
  ['nonce', ['POST']],
  ['verify', ['POST']],
  ['session', ['GET', 'DELETE']],
  ['sessions', ['GET']],
  ['sessions/id', ['DELETE']],
])

const tooMany = refuse(429, 'too many attempts', { 'retry-after': String(windowMs / 1000) })

/** What follows `/auth/`: Next hands the path on under another name on the edge host. */
const partsOf = (path: string) => path.replace(/^.*?\/auth\//, '').split('/')

const random = (bytes: number) => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** A session's name in the account's list: who reads the list must not learn what would open another one. */
const nameOf = (id: string) => digestOf(id).slice(2, 18)

const shown = (session: Session | null) =>
  session === null
    ? { address: null }
    : {
        address: session.address,
        chainId: session.chainId,
        isContract: session.isContract,
        ...times(session),
      }

const times = (session: Session) => ({
  signedInAt: new Date(session.signedInMs).toISOString(),
  expiresAt: new Date(endMsOf(session)).toISOString(),
})

const listed = (session: Session, own: Session) => ({
  chainId: session.chainId,
  isCurrent: session.id === own.id,
  seenAt: new Date(session.seenMs).toISOString(),
  ...times(session),
})

function isForeign({ header }: HostRequest, site: string | null): boolean {
  const from = { origin: header('origin'), fetchSite: header('sec-fetch-site'), host: header('host') }
  return judgeOrigin(from, { site, listed: [], extensions: false }) === 'foreign'
}

async function read(request: HostRequest): Promise<{ message: string; signature: Hex } | HostResponse> {
  const type = (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refuse(415, 'content-type must be application/json')
  const body = await request.body(bodyBytesMax, bodyMsMax)
  if ('fault' in body) return refuse(body.fault === 'too-large' ? 413 : 400, 'unreadable body')
  const parsed = submission.safeParse(parseJson(body.text))
  if (!parsed.success) return refuse(400, 'the body must be {"message": text, "signature": hex}')
  return { message: parsed.data.message, signature: parsed.data.signature.toLowerCase() as Hex }
}

/** The message's claim, or why there is none. */
function claimIn(message: string, expected: Parameters<typeof readMessage>[1]): Claim | string {
  try {
    return readMessage(message, expected)
  } catch (cause) {
    if (cause instanceof MessageFault) return cause.reason
    throw cause
  }
}

/** An ordinary account's key is enough, and no node is asked; only what no key has signed may be a contract's. */
async function judge(
  { address, chainId }: { readonly address: Address; readonly chainId: number },
  { message, signature }: { readonly message: string; readonly signature: Hex },
  ask: AskMajority,
): Promise<'key' | 'contract' | Exclude<ContractVerdict, 'valid'>> {
  const digest = digestOf(message)
  if (signerOf(digest, signature) === address) return 'key'
  const verdict = await verifyByContract({ address, chainId, digest, signature }, ask)
  return verdict === 'valid' ? 'contract' : verdict
}
