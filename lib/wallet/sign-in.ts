import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Config } from 'wagmi'
import { signMessage } from 'wagmi/actions'
import { signInReasons, signInTexts } from '#lib/page/texts/sign-in.ts'
import { isRecord } from '../parse-json.ts'

/** The state of a sign-in; a fault leads back to `idle`. */
export type SignInStep = 'idle' | 'signing' | 'verifying'

/** A failed sign-in, with the sentence to show. A rejection by the visitor is shown too, but not as an error. */
export class SignInFault extends Error {
  readonly isDeclined: boolean

  constructor(
    sentence: string,
    { isDeclined = false, cause }: { isDeclined?: boolean; cause?: unknown } = {},
  ) {
    super(sentence, { cause })
    this.name = 'SignInFault'
    this.isDeclined = isDeclined
  }
}

interface SignInOptions {
  readonly address: `0x${string}`
  readonly chainId: number
  readonly onStep: (step: SignInStep) => void
}

/** Has the connected wallet sign a message for this site and the server verify it. Throws SignInFault. */
export async function signIn(config: Config, { address, chainId, onStep }: SignInOptions): Promise<void> {
  onStep('signing')
  try {
    const message = await prepare(address, chainId)
    const signature = await sign(config, address, message)
    onStep('verifying')
    await verify(message, signature)
  } finally {
    onStep('idle')
  }
}

async function prepare(address: `0x${string}`, chainId: number): Promise<string> {
  try {
    const response = await fetch('/api/auth/nonce', { method: 'POST' })
    if (!response.ok) throw new SignInFault(await withReason(signInTexts.preparing, response))
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
  } catch (cause) {
    if (cause instanceof SignInFault) throw cause
    throw new SignInFault(signInTexts.preparing, { cause })
  }
}

async function sign(config: Config, account: `0x${string}`, message: string): Promise<string> {
  try {
    return await signMessage(config, { account, message })
  } catch (cause) {
    const isDeclined = isUserRejection(cause)
    throw new SignInFault(isDeclined ? signInTexts.cancelled : signInTexts.signingFailed, {
      isDeclined,
      cause,
    })
  }
}

async function verify(message: string, signature: string): Promise<void> {
  const response = await fetch('/api/auth/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature }),
  }).catch((cause: unknown) => {
    throw new SignInFault(signInTexts.failed, { cause })
  })
  if (response.ok) return
  const sentence = response.status === 401 ? signInTexts.verifyingFailed : signInTexts.failed
  throw new SignInFault(await withReason(sentence, response))
}

/** The sentence, and after it the reason that the server gives, if it is a known one. */
async function withReason(sentence: string, response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const reason = isRecord(body) && typeof body.reason === 'string' ? body.reason : ''
  return Object.hasOwn(signInReasons, reason)
    ? `${sentence} ${signInReasons[reason as keyof typeof signInReasons]}`
    : sentence
}

/** Looks for EIP-1193's code 4001 in the whole chain of causes. */
function isUserRejection(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause)
    if ((error as { code?: unknown }).code === 4001) return true
  return false
}
