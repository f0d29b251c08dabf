import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { randomHex } from '../bytes.ts'
import { siteOf } from '../config/origin.ts'
import { contentTypeOf, type HostRequest, type HostResponse, json, textOf } from '../http.ts'
import { createWindowCount } from '../limits/window-count.ts'
import { parseJson } from '../parse-json.ts'
import { type ProtectedCall, verifyByContract } from './contract.ts'
import { deviceOf } from './device.ts'
import { messageCharsMax, readMessage } from './message.ts'
import { refuseSignIn, type SignInReason } from './reasons.ts'
import { hasCookie, nonceMsMax, noncesMax, sealedCookie, unsealedCookie } from './sealed-cookies.ts'
import type { AuthOptions, Sessions } from './sessions.ts'
import type { SignInLog } from './sign-in-log.ts'
import { digestOf, signerOf } from './signature.ts'

/** Of a caller, and of all where callers cannot be told apart. Used nonces are remembered. */
const attemptsMax = {
  nonce: { windowMs: 60_000, perCallerMax: 30, perSiteMax: 3_000 },
  verify: { windowMs: 60_000, perCallerMax: 10, perSiteMax: 600 },
} as const

/** A contract wallet's signature holds those of all its owners and, before deployment, the deployment call. */
const signatureCharsMax = 16_386
const bodyLimits = { bytesMax: 24_576, msMax: 5_000 } as const

/** Gives nonces, and turns a signed message into a session. */
export function createVerifier(options: AuthOptions, sessions: Sessions, log: SignInLog) {
  const { site, local, secret, store, chainIds, createCall, now } = options
  const nonces = createWindowCount(attemptsMax.nonce, now)
  const attempts = createWindowCount(attemptsMax.verify, now)

  async function giveNonce({ caller, secure, header }: HostRequest): Promise<HostResponse> {
    if (nonces.count(caller).isOver) return tooMany
    const nonce = randomHex(16)
    const issuedMs = now()
    const untilMs = issuedMs + nonceMsMax
    // The message takes its times from here: the clock of the visitor's device may be wrong.
    const times = {
      issuedAt: new Date(issuedMs).toISOString(),
      expirationTime: new Date(untilMs).toISOString(),
    }
    // Those of other tabs stay valid.
    const before = await unsealedCookie('nonce', header('cookie') ?? '', { secret, secure })
    const given = [...(before?.nonces ?? []), { nonce, untilMs }].slice(-noncesMax)
    const cookie = await sealedCookie('nonce', { nonces: given }, { secret, secure })
    return json(200, { nonce, ...times }, { 'set-cookie': cookie })
  }

  async function verify(request: HostRequest): Promise<HostResponse> {
    const { caller, secure } = request
    if (attempts.count(caller).isOver) return tooMany
    const submitted = await read(request)
    if ('status' in submitted) return submitted
    const origin = siteOf(request.header('host'), { site, local })
    if (origin === null) return refuseSignIn(403, 'no-origin', 'sign-in needs APP_ORIGIN')

    const cookies = request.header('cookie') ?? ''
    if (!hasCookie('nonce', cookies, secure)) return refused('cookies', 'no cookie', null)
    const given = await unsealedCookie('nonce', cookies, { secret, secure })
    if (given === null) return refused('expired', 'expired nonce', null)
    const expected = { origin, chainIds: chainIds(), nonces: given.nonces, nowMs: now() }
    const claim = readMessage(submitted.message, expected)
    if ('reason' in claim) return refused(claim.reason, claim.detail, null)
    // Consumed before the signature is verified, so that of concurrent submissions of one message only one gets further.
    const { nonce, untilMs } = claim.nonce
    if (!(await store.consume(nonce, untilMs))) return refused('used', 'used nonce', null)
    const verdict = await judge(claim, submitted, createCall(caller))
    if (verdict === 'unknown') {
      log('sign-in-refused', 'the nodes do not agree on a signature', claim.address, 'no-majority')
      return refuseSignIn(503, 'no-majority', 'the chain does not answer for this wallet now')
    }
    if (verdict === 'account' || verdict === 'signature') return refused(verdict, 'signature', claim.address)
    const device = deviceOf(request.header('user-agent'))
    return sessions.start(claim, verdict === 'contract', { cookies, secure, device })
  }

  function refused(reason: SignInReason, detail: string, account: string | null): HostResponse {
    log('sign-in-refused', `not verified: ${detail}`, account, reason)
    return refuseSignIn(401, reason, `not verified: ${detail}`)
  }

  return { giveNonce, verify }
}

const tooMany = refuseSignIn(429, 'rate', 'too many attempts')

interface Submission {
  readonly message: string
  /** In lower case. */
  readonly signature: Hex
}

const submission = z.strictObject({
  message: z.string().min(1).max(messageCharsMax),
  signature: z
    .string()
    .max(signatureCharsMax)
    .regex(/^0x(?:[0-9a-f]{2})+$/i)
    .transform((text) => text.toLowerCase() as Hex),
})

async function read(request: HostRequest): Promise<Submission | HostResponse> {
  if (contentTypeOf(request) !== 'application/json')
    return refuseSignIn(415, 'body', 'content-type must be application/json')
  const text = await textOf(request, bodyLimits)
  if (typeof text !== 'string') return refuseSignIn(text.status, 'body', 'unreadable body')
  const { data } = submission.safeParse(parseJson(text))
  return data ?? refuseSignIn(400, 'body', 'the body must be {"message": text, "signature": hex}')
}

/** Asks no node if the account's own key signed. Only otherwise the account may be a contract wallet. */
async function judge(
  { address, chainId }: { readonly address: Address; readonly chainId: number },
  { message, signature }: Submission,
  call: ProtectedCall,
): Promise<'key' | 'contract' | 'account' | 'signature' | 'unknown'> {
  const digest = digestOf(message)
  const signer = signerOf(digest, signature)
  if (signer === address) return 'key'
  const verdict = await verifyByContract({ address, chainId, digest, signature }, call)
  if (verdict === 'invalid') return signer === null ? 'signature' : 'account'
  return verdict === 'valid' ? 'contract' : verdict
}
