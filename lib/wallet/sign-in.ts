import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import type { Config } from 'wagmi'
import { signMessage } from 'wagmi/actions'
import { signInTexts } from '#lib/page/texts/sign-in.ts'

/** Where a sign-in stands; a fault leads back to `idle`. */
export type SignInStep = 'idle' | 'signing' | 'verifying'

/** Why somebody is not signed in: the sentence to show. A refusal by the visitor is told, but is no error. */
export class SignInFault extends Error {
  readonly isRefusal: boolean

  constructor(sentence: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.name = 'SignInFault'
    this.isRefusal = isRefusal
  }
}

interface SignInOptions {
  readonly address: `0x${string}`
  readonly chainId: number
  readonly onStep: (step: SignInStep) => void
}

/** How long a message is valid; the server takes ten minutes at most. */
const validMs = 5 * 60_000

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
    if (!response.ok) throw new Error(`${response.status}`)
    const { nonce } = (await response.json()) as { nonce: string }
    return createSiweMessage({
      domain: location.host,
      uri: location.origin,
      address: getAddress(address),
      chainId,
      nonce,
      version: '1',
      statement: signInTexts.statement,
      expirationTime: new Date(Date.now() + validMs),
    })
  } catch (cause) {
    throw new SignInFault(signInTexts.preparing, { cause })
  }
}

async function sign(config: Config, account: `0x${string}`, message: string): Promise<string> {
  try {
    return await signMessage(config, { account, message })
  } catch (cause) {
    const isRefusal = isUserRejection(cause)
    throw new SignInFault(isRefusal ? signInTexts.cancelled : signInTexts.signingFailed, { isRefusal, cause })
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
  if (response.status === 401) throw new SignInFault(signInTexts.verifyingFailed)
  if (!response.ok) throw new SignInFault(signInTexts.failed)
}

/** EIP-1193's code for it, however deep the library has put it. */
function isUserRejection(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause)
    if ((error as { code?: unknown }).code === 4001) return true
  return false
}
