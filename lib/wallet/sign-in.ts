import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Config } from 'wagmi'
import { signMessage } from 'wagmi/actions'
import { signInReasons, signInTexts } from '#lib/page/texts/sign-in.ts'
import { isRecord } from '../parse-json.ts'
import { walletErrorOf } from './wallet-errors.ts'

/** The state of a sign-in; a failure leads back to `idle`. */
export type SignInStep = 'idle' | 'signing' | 'verifying'

/** Why the visitor is not signed in, as a sentence. A rejection by the visitor is said too, but is no fault. */
export interface SignInFailure {
  readonly text: string
  readonly isFault: boolean
}

interface SignInOptions {
  readonly address: `0x${string}`
  readonly chainId: number
  readonly onStep: (step: SignInStep) => void
}

/** Has the connected wallet sign a message for this site and the server verify it. Null once that is done; it never throws. */
export async function signIn(
  config: Config,
  { address, chainId, onStep }: SignInOptions,
): Promise<SignInFailure | null> {
  onStep('signing')
  const message = await prepare(address, chainId)
  if (typeof message !== 'string') return message
  const signature = await sign(config, address, message)
  if (typeof signature !== 'string') return signature
  onStep('verifying')
  return verify(message, signature)
}

const fault = (text: string): SignInFailure => ({ text, isFault: true })

async function prepare(address: `0x${string}`, chainId: number): Promise<string | SignInFailure> {
  try {
    const response = await fetchNonce()
    if (!response.ok) return fault(await withReason(signInTexts.preparing, response))
    // The times are the server's: the clock of this device may be wrong.
    const { nonce, issuedAt, expirationTime } = (await response.json()) as Record<
      'nonce' | 'issuedAt' | 'expirationTime',
      string
    >
    return createSiweMessage({
      domain: location.host,
      uri: location.origin,
      address: getAddress(address),
      chainId,
      nonce,
      version: '1',
      statement: signInTexts.statement,
      issuedAt: new Date(issuedAt),
      expirationTime: new Date(expirationTime),
    })
  } catch {
    return fault(signInTexts.preparing)
  }
}

/** A tab that another one holds up for so long goes on without it. */
const turnWithinMs = 3000

/** One tab after the other: each reply replaces the cookie, and has the nonces of other tabs only if the request had them. */
async function fetchNonce(): Promise<Response> {
  let isSent = false
  const request = () => {
    isSent = true
    return fetch('/api/auth/nonce', { method: 'POST' })
  }
  // Browsers have locks on https and on this machine only, and refuse them where they block cookies.
  if (!('locks' in navigator)) return request()
  const wait = { signal: AbortSignal.timeout(turnWithinMs) }
  return navigator.locks.request('quorate.nonce', wait, request).catch((error: unknown) => {
    if (isSent) throw error
    return request()
  })
}

async function sign(
  config: Config,
  account: `0x${string}`,
  message: string,
): Promise<string | SignInFailure> {
  try {
    const signature: unknown = await signMessage(config, { account, message })
    // Some wallets answer with nothing.
    return typeof signature === 'string' ? signature : fault(signInTexts.signingFailed)
  } catch (error) {
    return walletErrorOf(error).kind === 'rejected'
      ? { text: signInTexts.cancelled, isFault: false }
      : fault(signInTexts.signingFailed)
  }
}

async function verify(message: string, signature: string): Promise<SignInFailure | null> {
  const response = await fetch('/api/auth/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature }),
  }).catch(() => null)
  if (response?.ok) return null
  const sentence = response?.status === 401 ? signInTexts.verifyingFailed : signInTexts.failed
  return fault(response ? await withReason(sentence, response) : sentence)
}

/** The sentence, and after it the reason that the server gives, if it is a known one. */
async function withReason(sentence: string, response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const reason = isRecord(body) && typeof body.reason === 'string' ? body.reason : ''
  return Object.hasOwn(signInReasons, reason)
    ? `${sentence} ${signInReasons[reason as keyof typeof signInReasons]}`
    : sentence
}
